// Evaluates losses for tests in other languages. One JSON object a line on standard input:
//   {"loss": SPEC, "classes": 0, "y": [...], "f": [[output 0], [output 1], ...], "columns": {NAME:
//   [...]}}
// One a line on standard output:
//   {"value": [...], "gradient": [[...], ...], "predictions": {NAME: [[component 0], ...]}} or
//   {"error": TEXT}
// Numbers that JSON lacks are the strings "nan", "inf" and "-inf", in and out.
#include <cmath>
#include <iostream>
#include <limits>

#include <nlohmann/json.hpp>

#include "loss/loss_program.h"
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

json evaluate(const json& request) {
  const auto program = LossProgram::compile(
      softwood::find_loss(request.at("loss").get<std::string>()), request.value("classes", 0));
  const std::vector<double> y = read_numbers(request.at("y"));
  std::vector<double> f;
  for (const json& output : request.at("f")) {
    for (const double value : read_numbers(output)) f.push_back(value);
  }
  const std::size_t rows = y.size(), outputs = program.outputs().size();
  if (f.size() != rows * outputs) throw softwood::Error("f has the wrong shape");
  std::vector<std::vector<double>> columns;
  softwood::LossData data{.y = y, .columns = {}};
  for (const std::string& name : program.columns()) {
    columns.push_back(read_numbers(request.at("columns").at(name)));
  }
  for (const auto& column : columns) data.columns.emplace_back(column);
  std::vector<double> loss(rows), gradient(outputs * rows);
  const MatrixView<const double> inputs(f.data(), outputs, rows);
  program.value_and_gradient(data, inputs, loss, {gradient.data(), outputs, rows});
  json answer = {
      {"value", write_numbers(loss)}, {"gradient", json::array()}, {"predictions", json::object()}};
  for (std::size_t k = 0; k < outputs; ++k) {
    answer["gradient"].push_back(write_numbers(std::span(gradient).subspan(k * rows, rows)));
  }
  std::size_t size = 0;
  for (const auto& prediction : program.predictions()) size += prediction.size;
  std::vector<double> predicted(size * rows);
  program.predict(data, inputs, {predicted.data(), size, rows});
  std::size_t at = 0;
  for (const auto& prediction : program.predictions()) {
    json components = json::array();
    for (std::size_t k = 0; k < prediction.size; ++k, ++at) {
      components.push_back(write_numbers(std::span(predicted).subspan(at * rows, rows)));
    }
    answer["predictions"][prediction.name] = components;
  }
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
