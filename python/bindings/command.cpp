#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "cli/run_command.h"
#include "data/file/file_kind_words.h"
#include "softwood/error.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

/// Paths are bytes: what names files need not be UTF-8.
nb::bytes as_bytes(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}

/// Asks Python to read a file; what Python says of a failure is the user's message.
Table ask_python(const nb::object& reader, const cli::ForeignFile& file,
                 const ReadOptions& options) {
  const nb::gil_scoped_acquire gil;
  try {
    return nb::cast<Table>(reader(as_bytes(file.path), file_kind_name(file.kind), file.table,
                                  nb::cast(options, nb::rv_policy::copy)));
  } catch (nb::python_error& failure) {
    const nb::object words = nb::str(failure.value()).attr("encode")("utf-8", "backslashreplace");
    throw Error(nb::cast<nb::bytes>(words).c_str());
  }
}

int run(const std::vector<nb::bytes>& arguments, const nb::object& reader) {
  std::vector<const char*> argv;
  for (const nb::bytes& argument : arguments) argv.push_back(argument.c_str());
  const auto read_foreign = [&](const cli::ForeignFile& file, const ReadOptions& options) {
    return ask_python(reader, file, options);
  };
  const nb::gil_scoped_release no_gil;
  return cli::run_command(static_cast<int>(argv.size()), argv.data(), read_foreign);
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("run_command", &run, nb::arg("arguments"), nb::arg("read_foreign"),
             nb::sig("def run_command(arguments: list[bytes], read_foreign: "
                     "collections.abc.Callable[[bytes, str, str, ReadOptions], Table]) -> int"),
             "The softwood command: its exit code.");
}

}  // namespace softwood::python
