// Evaluates losses for tests in other languages. One JSON object a line on standard input:
//   {"loss": SPEC, "classes": 0, "y": [...], "f": [[output 0], [output 1], ...], "columns": {NAME:
//   [...]}, "q": [...]}
// q, where the cdf is wanted, may be left out; without f the best constants are fitted instead.
// One a line on standard output:
//   {"value": [...], "gradient": [[...], ...], "predictions": {NAME: [[component 0], ...]},
//   "cdf": [...], "discrete": false, "censored": [...]} or {"constants": [...]} or {"error": TEXT}
// Numbers that JSON lacks are the strings "nan", "inf" and "-inf", in and out.
#include <cmath>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "loss/catalogue/find_loss.h"
#include "loss/constants/units.h"
#include "loss/language/loss_program.h"
#include "softwood/error.h"

namespace {

using nlohmann::json;
using softwood::LossProgram;
using softwood::MatrixView;

double read_number(const json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string text = value.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  return (text == "-inf" ? -1 : 1) * std::numeric_limits<double>::infinity();
}

json write_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::vector<double> read_numbers(const json& list) {
  std::vector<double> values;
  for (const json& value : list) values.push_back(read_number(value));
  return values;
}

json write_numbers(std::span<const double> values) {
  json list = json::array();
  for (const double value : values) list.push_back(write_number(value));
  return list;
}

/// What a request gives, and the memory behind it.
struct Request {
  explicit Request(const json& request)
      : program(LossProgram::compile(softwood::find_loss(request.at("loss").get<std::string>()),
                                     request.value("classes", 0))),
        y(read_numbers(request.at("y"))) {
    data.y = y;
    for (const std::string& name : program.columns())
      columns.push_back(read_numbers(request.at("columns").at(name)));
    for (const auto& column : columns) data.columns.emplace_back(column);
    for (const json& output : request.value("f", json::array())) {
      for (const double value : read_numbers(output)) f.push_back(value);
    }
  }
  MatrixView<const double> outputs() const {
    if (f.size() != y.size() * program.outputs().size())
      throw softwood::Error("f has the wrong shape");
    return {f.data(), program.outputs().size(), y.size()};
  }

  LossProgram program;
  std::vector<double> y, f;
  std::vector<std::vector<double>> columns;
  softwood::LossData data;
};

json predictions_of(const Request& at) {
  const std::size_t rows = at.y.size();
  std::size_t size = 0;
  for (const auto& prediction : at.program.predictions()) size += prediction.size;
  std::vector<double> predicted(size * rows);
  at.program.predict(at.data, at.outputs(), {predicted.data(), size, rows});
  json named = json::object();
  std::size_t first = 0;
  for (const auto& prediction : at.program.predictions()) {
    json components = json::array();
    for (std::size_t k = 0; k < prediction.size; ++k, ++first)
      components.push_back(write_numbers(std::span(predicted).subspan(first * rows, rows)));
    named[prediction.name] = components;
  }
  return named;
}

void add_distribution(const Request& at, const std::vector<double>& q, json& answer) {
  std::vector<double> probability(q.size());
  at.program.cdf(at.data, at.outputs(), q, probability);
  answer["cdf"] = write_numbers(probability);
  answer["discrete"] = at.program.is_discrete();
  answer["censored"] = at.program.censored(at.data);
}

json evaluate(const json& request) {
  const Request at(request);
  if (!request.contains("f"))
    return {{"constants", write_numbers(softwood::find_units(at.program, at.data, {}).offset)}};
  const std::size_t rows = at.y.size(), outputs = at.program.outputs().size();
  std::vector<double> loss(rows), gradient(outputs * rows);
  at.program.value_and_gradient(at.data, at.outputs(), loss, {gradient.data(), outputs, rows});
  json answer = {{"value", write_numbers(loss)},
                 {"gradient", json::array()},
                 {"predictions", predictions_of(at)}};
  for (std::size_t k = 0; k < outputs; ++k)
    answer["gradient"].push_back(write_numbers(std::span(gradient).subspan(k * rows, rows)));
  if (request.contains("q")) add_distribution(at, read_numbers(request.at("q")), answer);
  return answer;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      std::cout << evaluate(json::parse(line)).dump() << std::endl;
    } catch (const std::exception& error) {
      std::cout << json{{"error", error.what()}}.dump() << std::endl;
    }
  }
}
