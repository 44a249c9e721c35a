#include "table_parts.h"

#include <string>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "data/table/table_rows.h"
#include "keeper.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;
using RowNumbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

const Table& table_of(nb::handle self) {
  return nb::cast<const Table&>(self);
}

Table table_like(std::vector<Column> columns, const Table& table) {
  Table result(std::move(columns));
  result.origin = table.origin;
  return result;
}

Table get_slice(nb::handle self, std::size_t first, std::size_t count) {
  const std::shared_ptr<const void> keeper = keep(nb::borrow(self));
  std::vector<Column> columns;
  for (const Column& column : table_of(self).columns()) {
    columns.push_back(view_rows(column, first, count, keeper));
  }
  return table_like(std::move(columns), table_of(self));
}

/// NumPy knows what slices, masks and negative numbers mean.
Table get_rows(nb::handle self, nb::handle key) {
  const Table& table = table_of(self);
  if (nb::isinstance<nb::slice>(key)) {
    const auto [start, stop, step, count] = nb::borrow<nb::slice>(key).compute(table.num_rows());
    if (step == 1) return get_slice(self, static_cast<std::size_t>(start), count);
  }
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object index = nb::isinstance<nb::list>(key) && nb::len(key) == 0
                               ? nb::object(nb::slice(0, 0, 1))
                               : nb::borrow(key);
  const nb::object rows = numpy.attr("arange")(table.num_rows(), nb::arg("dtype") = "int64")[index];
  RowNumbers numbers;
  if (!nb::try_cast(rows, numbers)) {
    throw Error(
        "table[…] takes a name, a list of names, or rows as a slice, an array of their "
        "numbers or a mask; for one row write table[n:n + 1].");
  }
  const nb::gil_scoped_release no_gil;
  return select_rows(table, {numbers.data(), numbers.size()});
}

/// As in pandas, an empty list is one of names.
bool holds_names(nb::handle key) {
  return nb::isinstance<nb::list>(key) && (nb::len(key) == 0 || nb::isinstance<nb::str>(key[0]));
}

Table get_columns(nb::handle self, nb::handle names) {
  std::vector<Column> columns;
  for (const nb::handle name : names) {
    columns.push_back(one_column(self, nb::cast<std::string>(name)));
  }
  return table_like(std::move(columns), table_of(self));
}

/// (rows, …), (rows, :) or (rows, names).
Table get_rows_and_columns(nb::handle self, nb::tuple key) {
  if (key.size() == 2 && holds_names(key[1])) {
    return get_rows(nb::cast(get_columns(self, key[1])), key[0]);
  }
  const bool all_columns =
      key.size() == 2 && (key[1].is(nb::handle(Py_Ellipsis)) ||
                          key[1].equal(nb::slice(nb::none(), nb::none(), nb::none())));
  if (key.size() != 1 && !all_columns) {
    throw Error("table[rows, columns]: the columns are a list of names, '...' or ':'.");
  }
  return get_rows(self, key[0]);
}

}  // namespace

std::vector<Column> all_columns(nb::handle table) {
  const std::shared_ptr<const void> keeper = keep(nb::borrow(table));
  std::vector<Column> columns;
  for (const Column& column : table_of(table).columns()) {
    columns.push_back(view_rows(column, 0, column.size(), keeper));
  }
  return columns;
}

Column one_column(nb::handle table, std::string_view name) {
  const Column& column = table_of(table).column(name);
  return view_rows(column, 0, column.size(), keep(nb::borrow(table)));
}

Table get_part(nb::handle_t<Table> table, nb::object key) {
  if (nb::isinstance<nb::tuple>(key))
    return get_rows_and_columns(table, nb::borrow<nb::tuple>(key));
  return holds_names(key) ? get_columns(table, key) : get_rows(table, key);
}

}  // namespace softwood::python
