#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "reading.h"
#include "softwood/table.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;

Table read_file(const std::string& path, bool header, const std::string& delimiter,
                const std::string& decimal, const std::string& thousands,
                const std::map<std::string, ReadAs, std::less<>>& read_as, int threads,
                nb::object on_note, nb::object on_warning) {
  const ReadOptions options{.header = header,
                            .delimiter = one_letter("delimiter", delimiter),
                            .decimal = one_letter("decimal", decimal),
                            .thousands = one_letter("thousands", thousands),
                            .read_as = read_as,
                            .threads = threads,
                            .on_note = text_sink(on_note),
                            .on_warning = text_sink(on_warning)};
  const nb::gil_scoped_release no_gil;
  return read_table(path, options);
}

}  // namespace

void bind_read(nb::module_& module) {
  module.def("read_table", &read_file, nb::arg("path"), nb::kw_only(), nb::arg("header") = true,
             nb::arg("delimiter") = "", nb::arg("decimal") = "", nb::arg("thousands") = "",
             nb::arg("read_as") = std::map<std::string, ReadAs, std::less<>>(),
             nb::arg("threads") = 0, nb::arg("on_note") = nb::none(),
             nb::arg("on_warning") = nb::none(), "Reads CSV or ARFF, gzipped or not.");
}

}  // namespace softwood::python
