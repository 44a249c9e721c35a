#include "softwood/table.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "column_arrays.h"
#include "data/table/matrix_columns.h"
#include "data/table/table_preview.h"
#include "softwood/error.h"
#include "table_parts.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;
using Self = nb::handle_t<Table>;

const Table& table_of(nb::handle self) {
  return nb::cast<const Table&>(self);
}

Table make_table(std::vector<Column> columns, std::string origin) {
  Table table(std::move(columns));
  table.origin = std::move(origin);
  return table;
}

/// Copies the numbers.
Table table_of_matrix(const Matrix& matrix, std::vector<std::string> names) {
  const nb::gil_scoped_release no_gil;
  std::vector<std::vector<double>> cells =
      columns_of_matrix({matrix.data(), matrix.shape(0), matrix.shape(1)});
  if (cells.size() != names.size())
    throw Error(
        fmt::format("{} names for {} columns. Give one for each.", names.size(), cells.size()));
  std::vector<Column> columns;
  for (std::size_t i = 0; i < cells.size(); ++i)
    columns.push_back({.name = std::move(names[i]), .values = std::move(cells[i])});
  return Table(std::move(columns));
}

Table drop(Self self, const std::vector<std::string>& names) {
  for (const std::string& name : names) table_of(self).column(name);
  std::vector<Column> left;
  for (Column& column : all_columns(self)) {
    if (std::find(names.begin(), names.end(), column.name) == names.end()) {
      left.push_back(std::move(column));
    }
  }
  return make_table(std::move(left), table_of(self).origin);
}

Table with_columns(Self self, nb::object others) {
  if (!nb::isinstance<Table>(others)) {
    others = nb::module_::import_("softwood.data").attr("as_table")(others);
  }
  std::vector<Column> columns = all_columns(self);
  for (Column& other : all_columns(others)) {
    const auto same = std::find_if(columns.begin(), columns.end(),
                                   [&](const Column& column) { return column.name == other.name; });
    if (same == columns.end()) {
      columns.push_back(std::move(other));
    } else {
      *same = std::move(other);
    }
  }
  return make_table(std::move(columns), table_of(self).origin);
}

nb::dict to_dict(Self self) {
  nb::dict arrays;
  for (const Column& column : table_of(self).columns()) {
    arrays[nb::cast(column.name)] = column_array(column, self);
  }
  return arrays;
}

std::optional<std::pair<std::string, std::size_t>> find_infinite(const Table& table) {
  const nb::gil_scoped_release no_gil;
  for (const Column& column : table.columns()) {
    for (std::size_t row = 0; row < column.values.size(); ++row) {
      if (std::isinf(column.values[row])) return std::pair(column.name, row);
    }
  }
  return std::nullopt;
}

/// What needs pandas or pyarrow is written in Python and loaded when it is asked for.
nb::object convert_by(const char* function, Self self) {
  return nb::module_::import_("softwood.data.frames").attr(function)(self);
}

bool contains(const Table& table, const nb::object& name) {
  return nb::isinstance<nb::str>(name) && table.find(nb::cast<std::string>(name)) != nullptr;
}

void add_shape(nb::class_<Table>& table) {
  table.def_ro("origin", &Table::origin, "Where it came from, for messages.")
      .def_prop_ro("names", &Table::names)
      .def_prop_ro("num_rows", &Table::num_rows)
      .def_prop_ro(
          "shape",
          [](const Table& self) { return std::pair(self.num_rows(), self.columns().size()); })
      .def_prop_ro("columns", [](Self self) { return all_columns(self); })
      .def(
          "column", [](Self self, std::string_view name) { return one_column(self, name); },
          nb::arg("name"), "The column of that name, as a Column.")
      .def(
          "kind", [](const Table& self, std::string_view name) { return self.column(name).kind; },
          nb::arg("name"), "What the column of that name holds.")
      .def("find_infinite", &find_infinite,
           "Column and row of the first infinite number, column by column, or None.")
      .def("__len__", &Table::num_rows, "The number of rows.")
      .def("__contains__", &contains, nb::arg("name"))
      .def(
          "__iter__", [](const Table& self) { return nb::iter(nb::cast(self.names())); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[str]"), "The names.")
      .def("keys", &Table::names, "The names, so that dict(table) is one of columns.")
      .def("__repr__", &preview_text)
      .def("_repr_html_", &preview_html);
}

void add_parts(nb::class_<Table>& table) {
  table
      .def(
          "__getitem__",
          [](Self self, std::string_view name) {
            return column_array(table_of(self).column(name), self);
          },
          nb::sig("def __getitem__(self, key: str) -> numpy.typing.NDArray[typing.Any]"),
          "The column as an array: float64 (a read-only view), datetime64[us], or str and None.")
      .def("__getitem__", &get_part,
           nb::sig("def __getitem__(self, key: slice | list[str] | list[int] | list[bool] | "
                   "numpy.typing.NDArray[typing.Any] | tuple[typing.Any, ...]) -> Table"),
           "A table of some columns (a list of names), of some rows (a slice, an array of their\n"
           "numbers or a mask), or of both: table[rows, names].")
      .def("drop", &drop, nb::arg("names"), "The table without these columns.")
      .def(
          "drop", [](Self self, std::string name) { return drop(self, {std::move(name)}); },
          nb::arg("name"))
      .def("with_columns", &with_columns, nb::arg("columns"),
           "The table with these columns (a mapping, a Table or any table) added, or put in the\n"
           "place of those of the same name.");
}

void add_conversions(nb::class_<Table>& table) {
  table
      .def("to_dict", &to_dict,
           nb::sig("def to_dict(self) -> dict[str, numpy.typing.NDArray[typing.Any]]"),
           "The columns as arrays, by name; see table[name].")
      .def(
          "to_pandas", [](Self self) { return convert_by("to_pandas", self); },
          nb::sig("def to_pandas(self) -> typing.Any"), "A pandas.DataFrame.")
      .def(
          "__array__",
          [](Self self, const nb::object& dtype, const nb::object& copy) {
            return nb::module_::import_("softwood.data.frames").attr("to_array")(self, dtype, copy);
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none(),
          nb::sig("def __array__(self, dtype: typing.Any = None, copy: bool | None = None) -> "
                  "numpy.typing.NDArray[typing.Any]"),
          "[rows × columns]: of numbers if all columns are, else of objects.")
      .def(
          "to_arrow", [](Self self) { return convert_by("to_arrow", self); },
          nb::sig("def to_arrow(self) -> typing.Any"), "A pyarrow.Table.");
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<Table> table(
      module, "Table",
      "Columns of equal length with distinct names. A table never changes; what is made of it\n"
      "shares its memory where it can.");
  table.def(
      "__init__",
      [](Table* self, std::vector<Column> columns, std::string origin) {
        new (self) Table(make_table(std::move(columns), std::move(origin)));
      },
      nb::arg("columns"), nb::arg("origin") = "the table");
  table.def_static("of_matrix", &table_of_matrix, nb::arg("matrix"), nb::arg("names"),
                   "A table of numbers from a matrix [rows × columns], copied.");
  add_shape(table);
  add_parts(table);
  add_conversions(table);
}

}  // namespace softwood::python
