#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "data/file/file_kind_words.h"
#include "data/file/read_table.h"
#include "data/file/text_limit.h"
#include "data/table/settle_frame.h"
#include "softwood/error.h"
#include "softwood/table.h"

namespace softwood::python {
namespace {

namespace nb = nanobind;
using ReadAsMap = std::map<std::string, ReadAs, std::less<>>;
using Listener = std::function<void(const std::string&)>;

char character(const char* option, const std::string& text) {
  if (text.size() > 1) {
    throw Error(std::string(option) + " '" + text + "' must be one character, or '' to detect it.");
  }
  return text.empty() ? '\0' : text[0];
}

OnError on_error_named(const std::string& name) {
  if (name == "stop") return OnError::stop;
  if (name == "missing") return OnError::missing;
  if (name == "skip") return OnError::skip;
  throw Error("on_error: '" + name + "' is none of 'stop', 'missing' and 'skip'.");
}

ReadOptions make_options(bool header, const std::string& delimiter, const std::string& decimal,
                         const std::string& thousands, ReadAsMap read_as,
                         const std::string& on_error, double most_gigabytes, int threads,
                         Listener on_note, Listener on_warning) {
  if (!(most_gigabytes > 0 && most_gigabytes <= 1e9))
    throw Error("most_gigabytes must be above 0.");
  return {.header = header,
          .delimiter = character("delimiter", delimiter),
          .decimal = character("decimal", decimal),
          .thousands = character("thousands", thousands),
          .on_error = on_error_named(on_error),
          .read_as = std::move(read_as),
          .most_bytes = static_cast<std::size_t>(most_gigabytes * 1e9),
          .threads = threads,
          .on_note = std::move(on_note),
          .on_warning = std::move(on_warning)};
}

Table read_file(const std::string& path, const ReadOptions& options) {
  const nb::gil_scoped_release no_gil;
  return read_table(path, options);
}

Table read_bytes(const nb::bytes& content, const std::string& name, const ReadOptions& options) {
  const std::string_view bytes(content.c_str(), content.size());
  const nb::gil_scoped_release no_gil;
  return read_table_bytes(bytes, name, options);
}

Table settle(std::vector<Column> columns, const ReadOptions& options, bool looks_at_texts,
             std::string origin) {
  const nb::gil_scoped_release no_gil;
  return settle_frame(std::move(columns), options, looks_at_texts, std::move(origin));
}

std::string_view kind_of_bytes(const nb::bytes& content) {
  const std::string_view bytes(content.c_str(), content.size());
  return file_kind_name(find_kind_of_bytes(bytes, bytes));
}

}  // namespace

void bind_read(nb::module_& module) {
  nb::class_<ReadOptions>(module, "ReadOptions", "How a table is read.")
      .def(
          "__init__",
          [](ReadOptions* self, bool header, const std::string& delimiter,
             const std::string& decimal, const std::string& thousands, ReadAsMap read_as,
             const std::string& on_error, double most_gigabytes, int threads, Listener on_note,
             Listener on_warning) {
            new (self) ReadOptions(
                make_options(header, delimiter, decimal, thousands, std::move(read_as), on_error,
                             most_gigabytes, threads, std::move(on_note), std::move(on_warning)));
          },
          nb::kw_only(), nb::arg("header") = true, nb::arg("delimiter") = "",
          nb::arg("decimal") = "", nb::arg("thousands") = "", nb::arg("read_as") = ReadAsMap(),
          nb::arg("on_error") = "stop", nb::arg("most_gigabytes") = ReadOptions::kMostBytes / 1e9,
          nb::arg("threads") = 0, nb::arg("on_note").none() = nb::none(),
          nb::arg("on_warning").none() = nb::none())
      .def_ro("header", &ReadOptions::header)
      .def_ro("read_as", &ReadOptions::read_as)
      .def_prop_ro(
          "stops", [](const ReadOptions& self) { return self.on_error == OnError::stop; },
          "At the first mistake.")
      .def(
          "check_size",
          [](const ReadOptions& self, const std::string& origin, std::size_t num_bytes) {
            TextLimit(origin, self.most_bytes).check(num_bytes);
          },
          nb::arg("origin"), nb::arg("num_bytes"),
          "Raises softwood.Error if so much must not be unpacked.")
      .def("note", [](const ReadOptions& self, const std::string& text) {
        if (self.on_note) self.on_note(text);
      });
  module.def("read_table", &read_file, nb::arg("path"), nb::arg("options"),
             "Reads CSV or ARFF, gzipped or not.");
  module.def("read_bytes", &read_bytes, nb::arg("content"), nb::arg("name"), nb::arg("options"),
             "Reads the content of a CSV or ARFF file.");
  module.def(
      "settle_frame", &settle, nb::arg("columns"), nb::arg("options"), nb::arg("looks_at_texts"),
      nb::arg("origin"),
      "A table of these columns: those of the options' read_as are converted; texts of which\n"
      "nobody has said what they are become numbers, dates or categories as in a CSV file.");
  module.def(
      "file_kind", [](const std::string& path) { return file_kind_name(find_file_kind(path)); },
      nb::arg("path"), "What a file holds, by its content: 'text', 'parquet', 'excel', ….");
  module.def("kind_of_bytes", &kind_of_bytes, nb::arg("content"));
}

}  // namespace softwood::python
