#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "softwood/error.h"
#include "softwood/table.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

char delimiter_of(const std::string& text) {
  if (text.size() > 1) {
    throw Error("delimiter '" + text + "' must be one character, or '' to detect it.");
  }
  return text.empty() ? '\0' : text[0];
}

Table read_file(const std::string& path, bool header, const std::string& delimiter,
                const std::map<std::string, ReadAs, std::less<>>& read_as, int threads) {
  const ReadOptions options{.header = header,
                            .delimiter = delimiter_of(delimiter),
                            .read_as = read_as,
                            .threads = threads};
  const nb::gil_scoped_release no_gil;
  return read_table(path, options);
}

}  // namespace

void bind_read(nb::module_& module) {
  module.def("read_table", &read_file, nb::arg("path"), nb::kw_only(), nb::arg("header") = true,
             nb::arg("delimiter") = "",
             nb::arg("read_as") = std::map<std::string, ReadAs, std::less<>>(),
             nb::arg("threads") = 0, "Reads CSV or ARFF, gzipped or not.");
}

}  // namespace softwood::python
