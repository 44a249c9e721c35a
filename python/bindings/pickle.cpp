#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "column_arrays.h"
#include "softwood/table.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

/// How a column is put into words that Column's own constructors take back. Arrays are NumPy's, so
/// a pickle of protocol 5 need not copy them and joblib can map them into memory.
nb::tuple column_state(const Column& column, nb::handle owner) {
  const nb::object name = nb::cast(column.name);
  if (column.kind == ColumnKind::categorical) {
    return nb::make_tuple("categorical", name, code_array(column, owner), nb::cast(column.levels));
  }
  return nb::make_tuple(column.kind == ColumnKind::numeric ? "numeric" : "datetime", name,
                        value_array(column, owner));
}

nb::tuple table_state(nb::handle_t<Table> self) {
  const Table& table = nb::cast<const Table&>(self);
  nb::list columns;
  for (const Column& column : table.columns()) columns.append(column_state(column, self));
  return nb::make_tuple(table.origin, columns);
}

/// Of any protocol: that of old ones, which skops asks for, does not know our types by itself.
nb::tuple reduce_table(nb::handle_t<Table> self) {
  return nb::make_tuple(nb::module_::import_("copyreg").attr("__newobj__"),
                        nb::make_tuple(nb::type<Table>()), table_state(self));
}

void restore_table(Table& self, const nb::tuple& state) {
  std::vector<Column> columns;
  for (const nb::handle each : nb::borrow<nb::list>(state[1])) {
    const nb::tuple parts = nb::borrow<nb::tuple>(each);
    const nb::object make = nb::type<Column>().attr(parts[0]);
    columns.push_back(nb::cast<Column>(parts.size() == 4 ? make(parts[1], parts[2], parts[3])
                                                         : make(parts[1], parts[2])));
  }
  new (&self) Table(std::move(columns));
  self.origin = nb::cast<std::string>(state[0]);
}

}  // namespace

void bind_pickle(nb::module_&) {
  nb::borrow<nb::class_<Table>>(nb::type<Table>())
      .def("__reduce__", &reduce_table, nb::sig("def __reduce__(self) -> tuple[typing.Any, ...]"))
      .def("__getstate__", &table_state,
           nb::sig("def __getstate__(self) -> tuple[str, list[tuple[typing.Any, ...]]]"))
      .def("__setstate__", &restore_table,
           nb::sig("def __setstate__(self, state: tuple[str, list[tuple[typing.Any, ...]]]) -> "
                   "None"));
}

}  // namespace softwood::python
