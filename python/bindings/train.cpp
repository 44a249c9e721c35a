#include "softwood/train.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "options.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

/// Calls Python from whichever thread trains. The first exception ends the training and waits:
/// what was learned until then is still made a model. Only a warning's exception goes on at once.
class Listeners {
 public:
  Listeners(nb::object on_progress, nb::object on_epoch, nb::object on_note, nb::object on_warning)
      : on_progress_(std::move(on_progress)),
        on_epoch_(std::move(on_epoch)),
        on_note_(std::move(on_note)),
        on_warning_(std::move(on_warning)) {}

  Hooks hooks() {
    return {.should_stop =
                [this] {
                  return !go_on([] {
                    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
                    return true;
                  });
                },
            .on_progress =
                [this](const Progress& progress) {
                  return go_on([&] {
                    // Ctrl-C; only the main thread can tell, others see it through go_on().
                    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
                    return on_progress_.is_none() || !nb::cast<bool>(on_progress_(progress));
                  });
                },
            .on_epoch =
                [this](const Progress& progress, const EpochResult& result) {
                  return go_on([&] {
                    return on_epoch_.is_none() || !nb::cast<bool>(on_epoch_(progress, result));
                  });
                },
            .on_note =
                [this](const std::string& text) {
                  go_on([&] {
                    if (!on_note_.is_none()) on_note_(text);
                    return true;
                  });
                },
            .on_warning =
                [this](const std::string& text) {
                  nb::gil_scoped_acquire gil;
                  if (!on_warning_.is_none()) on_warning_(text);
                }};
  }

  /// What ended the training, or None.
  nb::object failure() const { return failure_; }
  /// For a training that ended before there was a model: what Python said goes before what the
  /// library says of it.
  void raise_failure() const {
    if (failure_.is_none()) return;
    PyErr_SetObject(failure_.type().ptr(), failure_.ptr());
    throw nb::python_error();
  }

 private:
  template <class Call>
  bool go_on(const Call& call) {
    nb::gil_scoped_acquire gil;
    if (!failure_.is_none()) return false;
    try {
      return call();
    } catch (nb::python_error& error) {
      failure_ = nb::borrow(error.value());
      return false;
    }
  }

  nb::object on_progress_, on_epoch_, on_note_, on_warning_;
  nb::object failure_ = nb::none();
};

/// The model, and the exception that ended the training early (KeyboardInterrupt, a callback's).
std::pair<Model, nb::object> train_model(const Table& table, const Table* validation,
                                         nb::list tasks, nb::dict options, nb::object on_progress,
                                         nb::object on_epoch, nb::object on_note,
                                         nb::object on_warning) {
  const TrainOptions settled = read_options(std::move(tasks), std::move(options));
  Listeners listeners(std::move(on_progress), std::move(on_epoch), std::move(on_note),
                      std::move(on_warning));
  const Hooks hooks = listeners.hooks();
  const auto learn = [&] {
    nb::gil_scoped_release release;
    return validation == nullptr ? train(table, settled, hooks)
                                 : train(table, *validation, settled, hooks);
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
             nb::arg("tasks"), nb::arg("options"), nb::arg("on_progress").none(),
             nb::arg("on_epoch").none(), nb::arg("on_note").none(), nb::arg("on_warning").none(),
             nb::sig("def train(table: Table, validation: Table | None, "
                     "tasks: list[dict[str, typing.Any]], options: dict[str, typing.Any], "
                     "on_progress: collections.abc.Callable[[Progress], bool] | None, "
                     "on_epoch: collections.abc.Callable[[Progress, EpochResult], bool] | None, "
                     "on_note: collections.abc.Callable[[str], None] | None, "
                     "on_warning: collections.abc.Callable[[str], None] | None"
                     ") -> tuple[Model, BaseException | None]"),
             "Learns a model; hooks return True to stop. The second result is the exception that "
             "ended the training early.");
}

}  // namespace softwood::python
