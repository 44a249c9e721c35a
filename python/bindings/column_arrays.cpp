#include "column_arrays.h"

#include "arrays.h"
#include "data/arrow/ticks.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

template <class T>
nb::object view_of(const Cells<T>& cells, nb::handle owner) {
  return nb::cast(Array<const T>(cells.data(), {cells.size()}, owner));
}

nb::object moments_of(const Column& column) {
  std::vector<std::int64_t> ticks;
  ticks.reserve(column.size());
  {
    const nb::gil_scoped_release no_gil;
    for (const double seconds : column.values) ticks.push_back(microseconds_of(seconds));
  }
  return nb::cast(to_numpy(std::move(ticks))).attr("view")("datetime64[us]");
}

nb::object texts_of(const Column& column, nb::handle owner) {
  nb::list levels;
  for (const std::string& level : column.levels) {
    levels.append(nb::str(level.c_str(), level.size()));
  }
  // The code −1 takes the last one.
  levels.append(nb::none());
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object texts = numpy.attr("array")(levels, "object");
  return texts.attr("take")(code_array(column, owner));
}

}  // namespace

nb::object code_array(const Column& column, nb::handle owner) {
  return view_of(column.codes, owner);
}

nb::object value_array(const Column& column, nb::handle owner) {
  return view_of(column.values, owner);
}

nb::object column_array(const Column& column, nb::handle owner) {
  switch (column.kind) {
    case ColumnKind::numeric:
      return value_array(column, owner);
    case ColumnKind::datetime:
      return moments_of(column);
    case ColumnKind::categorical:
      break;
  }
  return texts_of(column, owner);
}

}  // namespace softwood::python
