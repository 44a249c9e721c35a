#include "softwood/compare.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "listeners.h"
#include "options.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

HeldOut hold_out_rows(const Table& table, double fraction, std::uint64_t seed,
                      const std::string& keep_together, const std::string& target) {
  nb::gil_scoped_release release;
  return hold_out(
      table,
      {.fraction = fraction, .seed = seed, .keep_together = keep_together, .target = target});
}

/// Calls Python for the table that a model is judged on.
std::function<Table(const Model&)> reader_of(const nb::object& read_test) {
  if (read_test.is_none()) return {};
  return [&read_test](const Model& model) {
    nb::gil_scoped_acquire gil;
    return nb::cast<Table>(read_test(model));
  };
}

/// The comparison, and the exception that ended it early (KeyboardInterrupt).
std::pair<Comparison, nb::object> compare_losses(const Table& table, const std::string& target,
                                                 const std::vector<std::string>& losses,
                                                 const std::vector<std::string>& names,
                                                 nb::dict options, double held_out,
                                                 nb::object read_test, const Table* validation,
                                                 nb::object on_loss, nb::object on_progress,
                                                 nb::object on_note, nb::object on_warning) {
  CompareOptions settled{.target = target,
                         .losses = losses,
                         .names = names,
                         .training = read_options({}, std::move(options)),
                         .held_out = held_out,
                         .read_test = reader_of(read_test),
                         .validation = validation};
  Listeners listeners(std::move(on_progress), nb::none(), std::move(on_note),
                      std::move(on_warning));
  CompareHooks hooks{.training = listeners.hooks()};
  hooks.on_loss = [&](std::size_t, const std::string& name) {
    listeners.go_on([&] {
      on_loss(name);
      return true;
    });
  };
  const auto learn = [&] {
    nb::gil_scoped_release release;
    return compare(table, settled, hooks);
  };
  Comparison comparison = learn();
  return {std::move(comparison), listeners.failure()};
}

}  // namespace

void bind_compare(nb::module_& module) {
  nb::class_<ComparedLoss>(module, "ComparedLoss", "What came of one of the losses compared.")
      .def_ro("loss", &ComparedLoss::loss, "What it is called.")
      .def_ro("chosen", &ComparedLoss::chosen, "By `count`; else empty.")
      .def_ro("failure", &ComparedLoss::failure, "Why there is no model; else empty.")
      .def_ro("evaluation", &ComparedLoss::evaluation, "On the rows held out.")
      .def_ro("nll", &ComparedLoss::nll,
              "Mean negative log-likelihood; None if the loss is not a complete one.")
      .def_ro("is_discrete", &ComparedLoss::is_discrete, "Probabilities, not densities.")
      .def_ro("num_trees", &ComparedLoss::num_trees)
      .def_ro("seconds", &ComparedLoss::seconds, "Of training.")
      .def_ro("model", &ComparedLoss::model);
  nb::class_<Comparison>(module, "Comparison", "Several losses, trained and judged alike.")
      .def_ro("target", &Comparison::target)
      .def_ro("losses", &Comparison::losses, "The best first.")
      .def("text", &Comparison::text, "For people.")
      .def("table", &Comparison::table, "A row per loss.");
  nb::class_<HeldOut>(module, "HeldOut", "Two parts of a table.")
      .def_ro("training", &HeldOut::training)
      .def_ro("test", &HeldOut::test);
  module.def("hold_out", &hold_out_rows, nb::arg("table"), nb::arg("fraction"), nb::arg("seed"),
             nb::arg("keep_together"), nb::arg("target"), "Draws rows at random.");
  module.def("compare", &compare_losses, nb::arg("table"), nb::arg("target"), nb::arg("losses"),
             nb::arg("names"), nb::arg("options"), nb::arg("held_out"), nb::arg("read_test").none(),
             nb::arg("validation").none(), nb::arg("on_loss"), nb::arg("on_progress").none(),
             nb::arg("on_note").none(), nb::arg("on_warning").none(),
             nb::sig("def compare(table: Table, target: str, losses: list[str], names: list[str], "
                     "options: dict[str, typing.Any], held_out: float, "
                     "read_test: collections.abc.Callable[[Model], Table] | None, "
                     "validation: Table | None, on_loss: collections.abc.Callable[[str], None], "
                     "on_progress: collections.abc.Callable[[Progress], bool] | None, "
                     "on_note: collections.abc.Callable[[str], None] | None, "
                     "on_warning: collections.abc.Callable[[str], None] | None"
                     ") -> tuple[Comparison, BaseException | None]"),
             "Trains every loss alike; the second result is the exception that ended it early.");
}

}  // namespace softwood::python
