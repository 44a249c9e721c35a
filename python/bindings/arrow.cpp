#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "data/arrow/reader.h"
#include "data/arrow/writer.h"
#include "keeper.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;
using ReadAsMap = std::map<std::string, ReadAs, std::less<>>;
constexpr const char* kStreamName = "arrow_array_stream";

/// `source`: a PyCapsule, or anything that gives one by __arrow_c_stream__.
ArrowArrayStream* stream_of(nb::object& source) {
  if (nb::hasattr(source, "__arrow_c_stream__")) source = source.attr("__arrow_c_stream__")();
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(source.ptr(), kStreamName));
  if (stream == nullptr) throw nb::python_error();
  if (stream->release == nullptr) {
    throw Error("this Arrow stream has been read before. Ask its source for a new one.");
  }
  return stream;
}

Table from_arrow(nb::object source, const ReadOptions* options,
                 const std::vector<std::string>& names, bool looks_at_texts) {
  ArrowArrayStream* stream = stream_of(source);
  const nb::gil_scoped_release no_gil;
  return read_arrow(stream, options == nullptr ? ReadOptions() : *options, names, looks_at_texts);
}

Column column_from_arrow(nb::object source, const std::string& name, const ReadAsMap& read_as) {
  ArrowArrayStream* stream = stream_of(source);
  const nb::gil_scoped_release no_gil;
  return std::move(read_arrow_columns(stream, read_as, {name}).at(0));
}

/// Frees the stream, and releases it if nobody took it over.
void drop_stream(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, kStreamName));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

/// The protocol lets us disregard a schema that is asked for: the receiver casts.
nb::object to_stream(nb::handle_t<Table> self, const nb::object& /*requested_schema*/) {
  const std::shared_ptr<const void> keeper = keep(nb::borrow(self));
  auto stream = std::make_unique<ArrowArrayStream>();
  write_arrow({keeper, &nb::cast<const Table&>(self)}, stream.get());
  PyObject* capsule = PyCapsule_New(stream.get(), kStreamName, &drop_stream);
  if (capsule == nullptr) throw nb::python_error();
  stream.release();
  return nb::steal(capsule);
}

}  // namespace

void bind_arrow(nb::module_&) {
  nb::borrow<nb::class_<Column>>(nb::type<Column>())
      .def_static("from_arrow", &column_from_arrow, nb::arg("source"), nb::arg("name"),
                  nb::arg("read_as") = ReadAsMap(),
                  "A column from an Arrow stream of one; its texts are not looked at yet.");
  nb::borrow<nb::class_<Table>>(nb::type<Table>())
      .def_static(
          "from_arrow", &from_arrow, nb::arg("source"), nb::arg("options").none() = nb::none(),
          nb::arg("names") = std::vector<std::string>(), nb::arg("looks_at_texts") = false,
          "A table from an Arrow stream: a PyCapsule, or what has __arrow_c_stream__. Doubles\n"
          "and codes without nulls are shared, not copied.")
      .def("__arrow_c_stream__", &to_stream, nb::arg("requested_schema") = nb::none(),
           "A PyCapsule of an Arrow stream that shares the table's memory, for polars, pyarrow, …");
}

}  // namespace softwood::python
