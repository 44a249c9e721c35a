#pragma once

#include <string>
#include <utility>

#include <nanobind/nanobind.h>

#include "softwood/train.h"

namespace softwood::python {

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

  /// Calls Python; false if it, or something before it, has failed or says stop.
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
  nb::object on_progress_, on_epoch_, on_note_, on_warning_;
  nb::object failure_ = nb::none();
};

}  // namespace softwood::python
