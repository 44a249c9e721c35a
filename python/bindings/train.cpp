#include "softwood/train.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "listeners.h"
#include "options.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

CheckpointOptions read_checkpoint(const nb::dict& given) {
  CheckpointOptions options;
  if (given.contains("path")) options.path = nb::cast<std::string>(given["path"]);
  if (given.contains("every_epochs")) options.every_epochs = nb::cast<int>(given["every_epochs"]);
  if (given.contains("every_minutes"))
    options.every_minutes = nb::cast<double>(given["every_minutes"]);
  if (given.contains("resume")) options.resume = nb::cast<bool>(given["resume"]);
  return options;
}

/// The model, and the exception that ended the training early (KeyboardInterrupt, a callback's).
std::pair<Model, nb::object> train_model(const Table& table, const Table* validation,
                                         nb::list tasks, nb::dict options, const Model* start_from,
                                         int add_trees, nb::dict checkpoint, nb::object on_progress,
                                         nb::object on_epoch, nb::object on_note,
                                         nb::object on_warning) {
  const TrainOptions settled = read_options(std::move(tasks), std::move(options));
  const TrainingInput input{.table = &table,
                            .validation = validation,
                            .start_from = start_from,
                            .add_trees = add_trees,
                            .checkpoint = read_checkpoint(checkpoint)};
  Listeners listeners(std::move(on_progress), std::move(on_epoch), std::move(on_note),
                      std::move(on_warning));
  const Hooks hooks = listeners.hooks();
  const auto learn = [&] {
    nb::gil_scoped_release release;
    return train(input, settled, hooks);
  };
  try {
    Model model = learn();
    return {std::move(model), listeners.failure()};
  } catch (...) {
    listeners.raise_failure();
    throw;
  }
}

}  // namespace

void bind_train(nb::module_& module) {
  nb::class_<Progress>(module, "Progress", "Where training stands.")
      .def_ro("epoch", &Progress::epoch)
      .def_ro("epochs", &Progress::epochs, "At most.")
      .def_ro("member", &Progress::member)
      .def_ro("members", &Progress::members)
      .def_ro("fraction", &Progress::fraction, "Of all steps.")
      .def_ro("rows_per_second", &Progress::rows_per_second)
      .def_ro("seconds", &Progress::seconds)
      .def_ro("seconds_left", &Progress::seconds_left);
  nb::class_<EpochResult>(module, "EpochResult", "Losses after an epoch, one per task.")
      .def_ro("member", &EpochResult::member)
      .def_ro("epoch", &EpochResult::epoch)
      .def_ro("learning_rate", &EpochResult::learning_rate)
      .def_ro("training_loss", &EpochResult::training_loss)
      .def_ro("validation_loss", &EpochResult::validation_loss)
      .def_ro("best_validation_loss", &EpochResult::best_validation_loss,
              "Of the model that would be saved now.")
      .def_ro("best_epoch", &EpochResult::best_epoch,
              "The last one that the model that would be saved now has trees of.")
      .def_ro("best", &EpochResult::best, "It is this one.")
      .def_ro("seconds", &EpochResult::seconds)
      .def_prop_ro("text", &epoch_text, "The losses in a line, for people.");
  module.def("train", &train_model, nb::arg("table"), nb::arg("validation").none(),
             nb::arg("tasks"), nb::arg("options"), nb::arg("start_from").none(),
             nb::arg("add_trees"), nb::arg("checkpoint"), nb::arg("on_progress").none(),
             nb::arg("on_epoch").none(), nb::arg("on_note").none(), nb::arg("on_warning").none(),
             nb::sig("def train(table: Table, validation: Table | None, "
                     "tasks: list[dict[str, typing.Any]], options: dict[str, typing.Any], "
                     "start_from: Model | None, add_trees: int, "
                     "checkpoint: dict[str, typing.Any], "
                     "on_progress: collections.abc.Callable[[Progress], bool] | None, "
                     "on_epoch: collections.abc.Callable[[Progress, EpochResult], bool] | None, "
                     "on_note: collections.abc.Callable[[str], None] | None, "
                     "on_warning: collections.abc.Callable[[str], None] | None"
                     ") -> tuple[Model, BaseException | None]"),
             "Learns a model; hooks return True to stop. The second result is the exception that "
             "ended the training early.");
}

}  // namespace softwood::python
