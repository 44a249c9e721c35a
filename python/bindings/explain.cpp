#include "softwood/explain.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

void bind_importances(nb::module_& module) {
  nb::class_<Importances>(module, "Importances")
      .def_ro("columns", &Importances::columns)
      .def_ro("tasks", &Importances::tasks)
      .def_ro("shares", &Importances::shares);
  module.def(
      "importances",
      [](const Model& model, const Table& table, std::size_t max_rows, std::uint64_t seed,
         int threads) {
        return importances(model, table, {.max_rows = max_rows, .seed = seed, .threads = threads});
      },
      nb::arg("model"), nb::arg("table"), nb::arg("max_rows") = ImportanceOptions().max_rows,
      nb::arg("seed") = 0, nb::arg("threads") = 0, nb::call_guard<nb::gil_scoped_release>(),
      "Shares of the predictions' variance that rest on each column, per task.");
}

void bind_curve(nb::module_& module) {
  nb::enum_<ColumnCurve::Kind>(module, "CurveKind")
      .value("curve", ColumnCurve::Kind::curve)
      .value("levels", ColumnCurve::Kind::levels)
      .value("linear", ColumnCurve::Kind::linear);
  nb::class_<ColumnCurve>(module, "ColumnCurve", "What one column adds to the score of a split.")
      .def_ro("column", &ColumnCurve::column)
      .def_ro("part", &ColumnCurve::part)
      .def_ro("kind", &ColumnCurve::kind)
      .def_prop_ro(
          "edges", [](const ColumnCurve& curve) { return to_numpy(curve.edges); },
          nb::rv_policy::automatic)
      .def_ro("levels", &ColumnCurve::levels)
      .def_prop_ro(
          "values", [](const ColumnCurve& curve) { return to_numpy(curve.values); },
          nb::rv_policy::automatic)
      .def_ro("slope", &ColumnCurve::slope)
      .def_ro("centre", &ColumnCurve::centre)
      .def_ro("other", &ColumnCurve::other)
      .def_ro("missing", &ColumnCurve::missing)
      .def_ro("strength", &ColumnCurve::strength);
}

void bind_tree_view(nb::module_& module) {
  nb::class_<TreeView> view(module, "TreeView", "Everything there is to know about one tree.");
  nb::class_<TreeView::Output>(view, "Output")
      .def_ro("task", &TreeView::Output::task)
      .def_ro("name", &TreeView::Output::name)
      .def_ro("label", &TreeView::Output::label)
      .def_ro("offset", &TreeView::Output::offset);
  nb::class_<TreeView::Split>(view, "Split")
      .def_ro("bias", &TreeView::Split::bias)
      .def_ro("columns", &TreeView::Split::columns)
      .def_ro("share", &TreeView::Split::share);
  nb::class_<TreeView::Leaf>(view, "Leaf")
      .def_prop_ro(
          "values", [](const TreeView::Leaf& leaf) { return to_numpy(leaf.values); },
          nb::rv_policy::automatic)
      .def_ro("share", &TreeView::Leaf::share);
  view.def_ro("member", &TreeView::member)
      .def_ro("index", &TreeView::index)
      .def_ro("depth", &TreeView::depth)
      .def_ro("activation", &TreeView::activation)
      .def_ro("gamma", &TreeView::gamma)
      .def_ro("outputs", &TreeView::outputs)
      .def_ro("splits", &TreeView::splits)
      .def_ro("leaves", &TreeView::leaves);
}

}  // namespace

void bind_explain(nb::module_& module) {
  bind_importances(module);
  bind_curve(module);
  bind_tree_view(module);
  module.def("num_members", &num_members, nb::arg("model"));
  module.def("num_trees", &num_trees, nb::arg("model"), nb::arg("member") = 0);
  module.def(
      "tree_view",
      [](const Model& model, std::size_t tree, std::size_t member, const Table* table) {
        return table == nullptr ? tree_view(model, tree, member)
                                : tree_view(model, *table, tree, member);
      },
      nb::arg("model"), nb::arg("tree"), nb::arg("member") = 0,
      nb::arg("table").none() = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
      "One tree; with a table also how its rows pass through it.");
}

}  // namespace softwood::python
