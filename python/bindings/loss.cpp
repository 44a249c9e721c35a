#include <optional>
#include <string>
#include <tuple>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "base/simd_target.h"
#include "bindings.h"
#include "loss/catalogue/call_arguments.h"
#include "loss/catalogue/catalogue.h"
#include "loss/catalogue/find_loss.h"
#include "loss/language/functions.h"
#include "loss/language/loss_program.h"
#include "loss/language/parser.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

using Columns = std::vector<Numbers>;
using NumbersOut = Array<double>;

LossProgram compile_spec(std::string_view spec, std::size_t classes) {
  choose_simd_target();
  return LossProgram::compile(find_loss(spec), classes);
}

std::vector<std::string> output_names(const LossProgram& program) {
  std::vector<std::string> names;
  for (const auto& output : program.outputs()) names.push_back(output.name);
  return names;
}

/// Name, number of components, labels of the components.
using PredictionParts = std::tuple<std::string, std::size_t, std::vector<std::string>>;
std::vector<PredictionParts> prediction_parts(const LossProgram& program) {
  std::vector<PredictionParts> parts;
  for (const auto& prediction : program.predictions())
    parts.emplace_back(prediction.name, prediction.size, prediction.labels);
  return parts;
}

std::size_t num_predictions(const LossProgram& program) {
  std::size_t count = 0;
  for (const auto& prediction : program.predictions()) count += prediction.size;
  return count;
}

/// Name, default as written, and the value that holds: the setting or, if it is plain numbers, the
/// default.
using Parameter = std::tuple<std::string, std::string, std::optional<LossSetting>>;
std::vector<Parameter> parameters_of(const LossProgram& program) {
  const LossSource& source = program.source();
  std::vector<Parameter> parameters;
  for (const auto& statement : loss::parse(source.text, source.name).statements) {
    if (statement.kind != loss::Statement::Kind::param) continue;
    std::optional<LossSetting> value;
    if (const auto set = source.settings.find(statement.name); set != source.settings.end()) {
      value = set->second;
    } else if (const auto read = loss::read_arguments(statement.source);
               read && read->by_position.size() == 1) {
      value = read->by_position[0];
    }
    parameters.emplace_back(statement.name, statement.source, value);
  }
  return parameters;
}

std::span<const double> view(const Numbers& numbers) {
  return {numbers.data(), numbers.size()};
}

MatrixView<const double> view(const Matrix& matrix) {
  return {matrix.data(), matrix.shape(0), matrix.shape(1)};
}

std::vector<std::span<const double>> views(const LossProgram& program, const Columns& columns,
                                           std::size_t rows) {
  if (columns.size() != program.columns().size()) {
    throw Error(fmt::format("{}: {} columns given, but the loss reads {}.", program.source().name,
                            columns.size(), program.columns().size()));
  }
  std::vector<std::span<const double>> spans;
  for (const Numbers& column : columns) {
    if (column.size() != rows) {
      throw Error(fmt::format("{}: a column of {} rows in data of {} rows.", program.source().name,
                              column.size(), rows));
    }
    spans.push_back(view(column));
  }
  return spans;
}

/// `y` may be nothing where the response is not read.
LossData loss_data(const LossProgram& program, const std::optional<Numbers>& y, const Matrix& f,
                   const Columns& columns) {
  if (f.shape(0) != program.outputs().size()) {
    throw Error(fmt::format("{}: {} raw outputs given, but the loss has {}.", program.source().name,
                            f.shape(0), program.outputs().size()));
  }
  if (y && y->size() != f.shape(1)) {
    throw Error(fmt::format("{}: {} responses for outputs of {} rows.", program.source().name,
                            y->size(), f.shape(1)));
  }
  return {.y = y ? view(*y) : std::span<const double>(),
          .columns = views(program, columns, f.shape(1))};
}

NumbersOut value(const LossProgram& program, const Numbers& y, const Matrix& f,
                 const Columns& columns) {
  const LossData data = loss_data(program, y, f, columns);
  std::vector<double> loss(data.num_rows());
  {
    const nb::gil_scoped_release released;
    program.value(data, view(f), loss);
  }
  return to_numpy(std::move(loss));
}

NumbersOut gradient(const LossProgram& program, const Numbers& y, const Matrix& f,
                    const Columns& columns) {
  const LossData data = loss_data(program, y, f, columns);
  const std::size_t outputs = f.shape(0), rows = f.shape(1);
  std::vector<double> loss(rows), slopes(outputs * rows);
  {
    const nb::gil_scoped_release released;
    program.value_and_gradient(data, view(f), loss, {slopes.data(), outputs, rows});
  }
  return to_numpy(std::move(slopes), {outputs, rows});
}

NumbersOut predict(const LossProgram& program, const Matrix& f, const Columns& columns) {
  const LossData data = loss_data(program, std::nullopt, f, columns);
  const std::size_t parts = num_predictions(program), rows = f.shape(1);
  std::vector<double> predicted(parts * rows);
  {
    const nb::gil_scoped_release released;
    program.predict(data, view(f), {predicted.data(), parts, rows});
  }
  return to_numpy(std::move(predicted), {parts, rows});
}

NumbersOut cdf(const LossProgram& program, const Numbers& q, const Matrix& f,
               const Columns& columns) {
  const LossData data = loss_data(program, q, f, columns);
  if (!program.has_cdf()) {
    throw Error(fmt::format("{}: this loss has no line 'cdf(q) = …', so it is no distribution.",
                            program.source().name));
  }
  std::vector<double> probabilities(f.shape(1));
  {
    const nb::gil_scoped_release released;
    program.cdf(data, view(f), data.y, probabilities);
  }
  return to_numpy(std::move(probabilities));
}

using Failure = std::pair<std::size_t, std::string>;
std::optional<Failure> check(const LossProgram& program, const Numbers& y, const Columns& columns) {
  const auto failure = program.check({.y = view(y), .columns = views(program, columns, y.size())});
  return failure ? std::optional<Failure>({failure->row, failure->condition}) : std::nullopt;
}

void bind_program(nb::module_& module) {
  nb::class_<LossProgram>(module, "LossProgram",
                          "A compiled loss. Matrices are [outputs × rows]; columns come in the "
                          "order of `columns`, each as long as the rows.")
      .def_static("compile", &compile_spec, nb::arg("spec"), nb::arg("classes") = 0,
                  nb::call_guard<nb::gil_scoped_release>(),
                  "From a catalogue name with settings or without, a formula, a whole text or "
                  "@FILE. `classes`: how many there are; 0 = none.")
      .def_prop_ro("name", [](const LossProgram& program) { return program.source().name; })
      .def_prop_ro("text", [](const LossProgram& program) { return program.source().text; })
      .def_prop_ro("outputs", &output_names)
      .def_prop_ro("columns", &LossProgram::columns)
      .def_prop_ro("prediction_columns", &LossProgram::prediction_columns)
      .def_prop_ro("distribution_columns", &LossProgram::distribution_columns)
      .def_prop_ro("predictions", &prediction_parts, "Name, size and labels of each.")
      .def_prop_ro("parameters", &parameters_of,
                   "Name, default as written, and value of each; no value if the default is an "
                   "expression.")
      .def_prop_ro("unset_parameters", &LossProgram::unset_parameters)
      .def_prop_ro("uses_classes", &LossProgram::uses_classes)
      .def_prop_ro("has_cdf", &LossProgram::has_cdf)
      .def_prop_ro("is_discrete", &LossProgram::is_discrete)
      .def_prop_ro("has_censoring", &LossProgram::has_censoring)
      .def("value", &value, nb::arg("y"), nb::arg("f"), nb::arg("columns"),
           "The loss of each row; 0 where y is NaN.")
      .def("gradient", &gradient, nb::arg("y"), nb::arg("f"), nb::arg("columns"),
           "Its derivatives in the outputs, [outputs × rows].")
      .def("predict", &predict, nb::arg("f"), nb::arg("columns"),
           "The components of all predictions, [components × rows].")
      .def("cdf", &cdf, nb::arg("q"), nb::arg("f"), nb::arg("columns"),
           "The probability of a response of at most q.")
      .def("check", &check, nb::arg("y"), nb::arg("columns"),
           "Row and condition of the first broken `require`, or None.");
}

void bind_catalogue(nb::module_& module) {
  nb::class_<CatalogueEntry>(module, "CatalogueEntry", "A built-in loss.")
      .def_ro("name", &CatalogueEntry::name)
      .def_ro("aliases", &CatalogueEntry::aliases)
      .def_ro("kind", &CatalogueEntry::kind, "What its responses are: one of loss_kinds().")
      .def_ro("summary", &CatalogueEntry::summary)
      .def_ro("text", &CatalogueEntry::text);
  module.def("loss_catalogue", &loss_catalogue, "Every built-in loss, by name.");
  module.def("loss_kinds", &loss_kinds, "What responses can be, numbers first.");
  module.def(
      "loss_functions",
      [] {
        std::vector<std::tuple<std::string, std::string, int, std::string>> all;
        for (const loss::Function& each : loss::functions())
          all.emplace_back(each.name, loss::kind_name(each.kind), each.arity, each.summary);
        return all;
      },
      "Name, kind (what becomes of vectors: \"elementwise\", \"conditional\", \"min_max\", "
      "\"reduction\", \"vector_map\", \"size\" or \"range\"), number of arguments and summary of "
      "every function of the loss language.");
}

}  // namespace

void bind_loss(nb::module_& module) {
  bind_program(module);
  bind_catalogue(module);
}

}  // namespace softwood::python
