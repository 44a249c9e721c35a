#include "softwood/table.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

Column numeric_column(std::string name, Numbers values, ColumnKind kind) {
  return {.name = std::move(name),
          .kind = kind,
          .values = std::vector<double>(values.data(), values.data() + values.size())};
}

Column categorical_column(std::string name, Codes codes, std::vector<std::string> levels) {
  const auto num_levels = static_cast<std::int32_t>(levels.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes(row) < -1 || codes(row) >= num_levels) {
      throw Error("column '" + name + "': a code outside its levels in row " + std::to_string(row) +
                  ".");
    }
  }
  return {.name = std::move(name),
          .kind = ColumnKind::categorical,
          .codes = std::vector<std::int32_t>(codes.data(), codes.data() + codes.size()),
          .levels = std::move(levels)};
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::enum_<ColumnKind>(module, "ColumnKind")
      .value("numeric", ColumnKind::numeric)
      .value("categorical", ColumnKind::categorical)
      .value("datetime", ColumnKind::datetime);

  nb::class_<Column>(module, "Column", "One named column of a table.")
      .def_static(
          "numeric",
          [](std::string name, Numbers values) {
            return numeric_column(std::move(name), values, ColumnKind::numeric);
          },
          nb::arg("name"), nb::arg("values"), "Numbers; NaN is missing.")
      .def_static(
          "datetime",
          [](std::string name, Numbers seconds) {
            return numeric_column(std::move(name), seconds, ColumnKind::datetime);
          },
          nb::arg("name"), nb::arg("seconds"), "Seconds since 1970; NaN is missing.")
      .def_static("categorical", &categorical_column, nb::arg("name"), nb::arg("codes"),
                  nb::arg("levels"), "Indices into levels; -1 is missing.")
      .def_ro("name", &Column::name)
      .def_ro("kind", &Column::kind)
      .def_ro("levels", &Column::levels)
      .def("__len__", &Column::size);

  nb::class_<Table>(module, "Table", "Columns of equal length with distinct names.")
      .def(nb::init<std::vector<Column>>(), nb::arg("columns"))
      .def_prop_ro("names", &Table::names)
      .def_prop_ro("num_rows", &Table::num_rows);
}

}  // namespace softwood::python
