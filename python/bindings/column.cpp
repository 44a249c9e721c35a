#include <cstring>
#include <limits>
#include <memory>
#include <span>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "bindings.h"
#include "column_arrays.h"
#include "data/arrow/ticks.h"
#include "data/table/categories.h"
#include "data/table/convert_column.h"
#include "data/table/matrix_columns.h"
#include "keeper.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;
using Ticks = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Cells that copies of their column share: making a Table copies columns.
template <class T>
Cells<T> shared_cells(std::vector<T> cells) {
  const auto keeper = std::make_shared<const std::vector<T>>(std::move(cells));
  return Cells<T>::borrow(*keeper, keeper);
}

/// The array's cells where they are, if they are aligned.
template <class T, class NumpyArray>
Cells<T> cells_of(NumpyArray array) {
  const std::span<const T> cells(array.data(), array.size());
  if (reinterpret_cast<std::uintptr_t>(cells.data()) % alignof(T) == 0) {
    return Cells<T>::borrow(cells, keep(std::move(array)));
  }
  std::vector<T> copy(cells.size());
  std::memcpy(copy.data(), cells.data(), cells.size_bytes());
  return shared_cells(std::move(copy));
}

Column numeric_column(std::string name, Numbers values) {
  return {.name = std::move(name), .values = cells_of<double>(std::move(values))};
}

Column datetime_column(std::string name, Numbers seconds) {
  return {.name = std::move(name),
          .kind = ColumnKind::datetime,
          .values = cells_of<double>(std::move(seconds)),
          .date_order = "ymd"};
}

Column codes_column(std::string name, Codes codes, const std::vector<std::string>& levels) {
  return categorical_column(std::move(name), cells_of<std::int32_t>(std::move(codes)), levels);
}

/// Without names.
std::vector<Column> matrix_columns(const Matrix& matrix) {
  const nb::gil_scoped_release no_gil;
  std::vector<Column> columns;
  for (std::vector<double>& values :
       columns_of_matrix({matrix.data(), matrix.shape(0), matrix.shape(1)})) {
    columns.push_back({.name = "", .values = shared_cells(std::move(values))});
  }
  return columns;
}

/// Seconds of ticks, NaN for NaT.
Cells<double> seconds_of(const Ticks& ticks, double (*convert)(std::int64_t, std::int64_t),
                         std::int64_t per_second) {
  const nb::gil_scoped_release no_gil;
  std::vector<double> seconds(ticks.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < seconds.size(); ++row) {
    if (ticks.data()[row] != kNoMoment) seconds[row] = convert(ticks.data()[row], per_second);
  }
  return shared_cells(std::move(seconds));
}

Column moments_column(std::string name, const Ticks& ticks, std::int64_t per_second) {
  return {.name = std::move(name),
          .kind = ColumnKind::datetime,
          .values = seconds_of(ticks, &seconds_of_moment, per_second),
          .date_order = "ymd"};
}

Column spans_column(std::string name, const Ticks& ticks, std::int64_t per_second) {
  return {.name = std::move(name), .values = seconds_of(ticks, &seconds_of_span, per_second)};
}

/// A str as UTF-8, which it keeps itself.
std::string_view text_of(nb::handle item, const std::string& column, std::size_t row) {
  if (item.is_none()) return {};
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(item.ptr(), &size);
  if (text != nullptr) return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw Error("row " + std::to_string(row + 1) + ", column '" + column +
              "': neither None nor a text that can be written as UTF-8.");
}

Column texts_column(std::string name, const nb::list& items) {
  LevelIndex levels;
  std::vector<std::int32_t> codes(items.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    codes[row] = levels.add(text_of(items[row], name, row));
  }
  Column column =
      categorical_column(std::move(name), shared_cells(std::move(codes)), levels.texts());
  column.undeclared = true;
  return column;
}

}  // namespace

void bind_column(nb::module_& module) {
  nb::enum_<ColumnKind>(module, "ColumnKind", "What a column holds.")
      .value("numeric", ColumnKind::numeric, "Numbers; NaN is missing.")
      .value("categorical", ColumnKind::categorical, "Texts.")
      .value("datetime", ColumnKind::datetime, "Moments, in UTC.");

  nb::class_<ReadAs>(module, "ReadAs", "How a column is to be read instead of by its looks.")
      .def(nb::init<ColumnKind, std::string>(), nb::arg("kind"), nb::arg("date_order") = "")
      .def_ro("kind", &ReadAs::kind)
      .def_ro("date_order", &ReadAs::date_order, "'ymd', 'dmy' or 'mdy'; '' finds out.");
  nb::implicitly_convertible<ColumnKind, ReadAs>();

  nb::class_<Column>(module, "Column", "One named column of a table.")
      .def_static("numeric", &numeric_column, nb::arg("name"), nb::arg("values"),
                  "Numbers; NaN is missing. The array's memory is shared, not copied.")
      .def_static("datetime", &datetime_column, nb::arg("name"), nb::arg("seconds"),
                  "Seconds since 1970; NaN is missing. The array's memory is shared.")
      .def_static("categorical", &codes_column, nb::arg("name"), nb::arg("codes"),
                  nb::arg("levels"), "Indices into levels; -1 is missing, as is a blank level.")
      .def_static("texts", &texts_column, nb::arg("name"), nb::arg("items"),
                  nb::sig("def texts(name: str, items: list[typing.Any]) -> Column"),
                  "str or None; levels in order of first appearance, blank is missing.")
      .def_static("moments", &moments_column, nb::arg("name"), nb::arg("ticks"),
                  nb::arg("per_second"), "Ticks since 1970 as in datetime64; NaT is missing.")
      .def_static("spans", &spans_column, nb::arg("name"), nb::arg("ticks"), nb::arg("per_second"),
                  "Seconds as numbers from ticks as in timedelta64.")
      .def_static("of_matrix", &matrix_columns, nb::arg("matrix"),
                  "Columns of numbers from a matrix, copied; they have no names yet.")
      .def_ro("name", &Column::name)
      .def_ro("kind", &Column::kind)
      .def_ro("levels", &Column::levels)
      .def_ro("date_order", &Column::date_order)
      .def_prop_ro(
          "codes",
          [](nb::handle_t<Column> self) { return code_array(nb::cast<const Column&>(self), self); },
          nb::sig("def codes(self) -> numpy.typing.NDArray[numpy.int32]"),
          "Of a categorical column: indices into levels, -1 for missing.")
      .def(
          "to_numpy",
          [](nb::handle_t<Column> self) {
            return column_array(nb::cast<const Column&>(self), self);
          },
          nb::sig("def to_numpy(self) -> numpy.typing.NDArray[typing.Any]"),
          "float64 (a read-only view), datetime64[us], or str and None.")
      .def(
          "renamed",
          [](Column column, std::string name) {
            column.name = std::move(name);
            return column;
          },
          nb::arg("name"))
      .def(
          "read_as",
          [](Column column, const ReadAs& kind) { return convert_column(std::move(column), kind); },
          nb::arg("kind"),
          "The column as a model has learned it: texts as numbers or numbers as texts.")
      .def("__len__", &Column::size);
}

}  // namespace softwood::python
