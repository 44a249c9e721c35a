#include "softwood/model.h"

#include <algorithm>

#include <fmt/format.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "model/distribution/distribution_columns.h"
#include "model/model_access.h"
#include "model/predict.h"
#include "softwood/explain.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;
using WithoutGil = nb::call_guard<nb::gil_scoped_release>;

nb::dict task_info(const ModelParts& parts, const Task& task) {
  const LossProgram& program = task.program;
  nb::dict info;
  info["target"] = task.target;
  info["loss"] = program.source().name;
  info["text"] = program.source().text;
  info["labels"] = task.labels;
  info["is_classifier"] = task.is_classifier();
  info["has_distribution"] = has_distribution(task);
  info["first_prediction"] = first_prediction_names(task);
  info["target_is_numeric"] = task.target_kind == ColumnKind::numeric;
  nb::list outputs;
  for (std::size_t output = 0; output < task.num_outputs(); ++output)
    outputs.append(nb::make_tuple(program.outputs()[output].name,
                                  mean_offset(parts, task.first_output + output),
                                  task.units.unit[output]));
  info["outputs"] = outputs;
  return info;
}

nb::list tasks_of(const Model& model) {
  nb::list tasks;
  for (const Task& task : ModelAccess::parts(model).tasks)
    tasks.append(task_info(ModelAccess::parts(model), task));
  return tasks;
}

std::vector<std::string> features_of(const Model& model) {
  std::vector<std::string> names;
  for (const EncodedColumn& column : ModelAccess::parts(model).encoder.columns()) {
    if (names.empty() || names.back() != column.source) names.push_back(column.source);
  }
  return names;
}

std::map<std::string, ReadAs> read_as(const Model& model, ColumnsFor purpose) {
  const auto columns = model.read_as(purpose);
  return {columns.begin(), columns.end()};
}

/// Nothing is to be converted: every column that the model reads is there and of the kind by which
/// it is read.
bool reads_as_it_is(const Model& model, const Table& table, ColumnsFor purpose) {
  for (const auto& [name, wanted] : model.read_as(purpose)) {
    const Column* column = table.find(name);
    if (column == nullptr || column->kind != wanted.kind || column->undeclared) return false;
  }
  return true;
}

Table predict(const Model& model, const Table& table, std::vector<double> quantiles,
              std::vector<double> intervals, std::vector<double> prob_above, int samples,
              std::uint64_t seed, bool moments, int threads, const nb::object& on_note) {
  const auto tell = [&](const std::string& text) {
    const nb::gil_scoped_acquire gil;
    on_note(text);
  };
  const nb::gil_scoped_release release;
  return model
      .predict(table, PredictOptions{.quantiles = std::move(quantiles),
                                     .intervals = std::move(intervals),
                                     .prob_above = std::move(prob_above),
                                     .samples = samples,
                                     .seed = seed,
                                     .moments = moments,
                                     .threads = threads,
                                     .on_note = tell})
      .table();
}

/// Works without the GIL; the numbers go to NumPy.
template <class Question>
Array<double> ask(const Question& question) {
  std::vector<double> answer;
  {
    nb::gil_scoped_release release;
    answer = question();
  }
  return to_numpy(std::move(answer));
}

/// "y (huber), 442 rows", then a line per metric.
std::string preview(const Evaluation& each) {
  std::string text = fmt::format("{} ({}), {} rows", each.task, each.loss, each.num_rows);
  if (each.num_rows < each.num_table_rows)
    text += fmt::format(" of {} have a response", each.num_table_rows);
  std::size_t width = 0;
  for (const auto& [name, value] : each.metrics) width = std::max(width, name.size());
  for (const auto& [name, value] : each.metrics)
    text += fmt::format("\n  {:<{}}  {:.6g}", name, width, value);
  return text;
}

void bind_evaluation(nb::module_& module) {
  using Bin = Evaluation::CalibrationBin;
  nb::class_<Bin>(module, "CalibrationBin", "A tenth of the rows, by what was predicted.")
      .def_ro("num_rows", &Bin::num_rows)
      .def_ro("predicted", &Bin::predicted, "Mean prediction.")
      .def_ro("observed", &Bin::observed, "Mean response.");
  nb::class_<Evaluation>(module, "Evaluation", "One task's figures on some rows.")
      .def_ro("task", &Evaluation::task)
      .def_ro("loss", &Evaluation::loss)
      .def_ro("num_rows", &Evaluation::num_rows, "Rows with a response.")
      .def_ro("num_table_rows", &Evaluation::num_table_rows, "Rows with one or without.")
      .def_prop_ro(
          "metrics",
          [](const Evaluation& each) {
            nb::dict metrics;
            for (const auto& [name, value] : each.metrics) metrics[name.c_str()] = value;
            return metrics;
          },
          nb::sig("def metrics(self) -> dict[str, float]"), "loss, rmse, …, as fit for the task.")
      .def_ro("calibration", &Evaluation::calibration)
      .def_ro("class_calibration", &Evaluation::class_calibration,
              "Of more than two classes: each class's probability against its share.")
      .def_ro("pit_histogram", &Evaluation::pit_histogram,
              "Shares of the responses in the tenths of their own predicted distributions.")
      .def("__repr__", &preview);
}

void bind_distribution(nb::module_& module) {
  using Distribution = PredictedDistribution;
  nb::class_<Distribution>(module, "Distribution",
                           "Each row's predicted distribution of one task's response.")
      .def_prop_ro("target", &Distribution::target)
      .def_prop_ro("num_rows", &Distribution::num_rows)
      .def_prop_ro("is_discrete", &Distribution::is_discrete)
      .def("mean", [](const Distribution& each) { return ask([&] { return each.mean(); }); })
      .def("variance",
           [](const Distribution& each) { return ask([&] { return each.variance(); }); })
      .def(
          "quantile",
          [](const Distribution& each, double p) { return ask([&] { return each.quantile(p); }); },
          nb::arg("p"))
      .def(
          "interval",
          [](const Distribution& each, double level) {
            Distribution::Interval found;
            {
              nb::gil_scoped_release release;
              found = each.interval(level);
            }
            return std::pair(to_numpy(std::move(found.lower)), to_numpy(std::move(found.upper)));
          },
          nb::arg("level"))
      .def(
          "cdf",
          [](const Distribution& each, Numbers q) {
            return ask([&] { return each.cdf({q.data(), q.size()}); });
          },
          nb::arg("q"))
      .def(
          "samples",
          [](const Distribution& each, std::uint64_t seed, std::size_t count) {
            std::vector<double> draws;
            {
              nb::gil_scoped_release release;
              draws = each.samples(seed, count);
            }
            return to_numpy(std::move(draws), {each.num_rows(), count});
          },
          nb::arg("seed"), nb::arg("count"), "[rows × count]");
}

}  // namespace

void bind_model(nb::module_& module) {
  bind_evaluation(module);
  bind_distribution(module);
  nb::enum_<ColumnsFor>(module, "ColumnsFor", "What a table is read for.")
      .value("predictions", ColumnsFor::predictions)
      .value("distributions", ColumnsFor::distributions)
      .value("evaluation", ColumnsFor::evaluation);
  nb::class_<Model>(module, "Model", "A trained model. Immutable; threads may share it.")
      .def("save", &Model::save, nb::arg("path"), WithoutGil())
      .def_static("load", &Model::load, nb::arg("path"), WithoutGil())
      .def("to_bytes",
           [](const Model& model) {
             const std::string bytes = model.to_bytes();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def_static(
          "from_bytes",
          [](nb::bytes bytes) {
            return Model::from_bytes({bytes.c_str(), bytes.size()});
          },
          nb::arg("bytes"))
      .def("predict", &predict, nb::arg("table"), nb::kw_only(), nb::arg("quantiles"),
           nb::arg("intervals"), nb::arg("prob_above"), nb::arg("samples"), nb::arg("seed"),
           nb::arg("moments"), nb::arg("threads"), nb::arg("on_note"))
      .def(
          "predict_out_of_fold",
          [](const Model& model, const Table& table, int threads) {
            return model.predict_out_of_fold(table, threads).table();
          },
          nb::arg("table"), nb::arg("threads"), WithoutGil())
      .def("evaluate", &Model::evaluate, nb::arg("table"), nb::arg("threads"), WithoutGil())
      .def("distribution", &Model::distribution, nb::arg("table"), nb::arg("target"),
           nb::arg("threads"), WithoutGil())
      .def("history", &Model::history)
      .def("describe", &Model::describe)
      .def("read_as", &read_as, nb::arg("purpose"), "How every column that it needs is to be read.")
      .def("reads_as_it_is", &reads_as_it_is, nb::arg("table"), nb::arg("purpose"),
           "Whether the table has all columns that it needs, of their kinds.")
      .def_prop_ro("features", &features_of, "The columns that the trees read.")
      .def_prop_ro("num_members", &num_members)
      .def_prop_ro(
          "nodes_visited",
          [](const Model& model) { return mean_nodes_visited(ModelAccess::parts(model)); },
          "Splits that a row reaches, by level; empty unless the trees' step is smooth.")
      .def_prop_ro("num_trees", [](const Model& model) { return num_trees(model); })
      .def_prop_ro("best_epochs",
                   [](const Model& model) {
                     std::vector<int> epochs;
                     for (const Member& member : ModelAccess::parts(model).members)
                       epochs.push_back(member.best_epoch);
                     return epochs;
                   })
      .def_prop_ro(
          "validation_losses",
          [](const Model& model) { return mean_validation_losses(ModelAccess::parts(model)); })
      .def_prop_ro("tasks", &tasks_of, nb::sig("def tasks(self) -> list[dict[str, typing.Any]]"));
}

}  // namespace softwood::python
