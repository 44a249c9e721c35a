#include "cli/data_source.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/talk.h"
#include "data/file/file_kind_words.h"
#include "softwood/error.h"

namespace softwood::cli {
namespace {

const std::map<std::string, OnError> kOnError = {
    {"stop", OnError::stop}, {"missing", OnError::missing}, {"skip", OnError::skip}};

char delimiter_named(const std::string& name) {
  if (name.empty()) return '\0';
  if (name == "tab" || name == "\\t") return '\t';
  if (name.size() == 1) return name[0];
  throw Error(fmt::format("delimiter '{}' must be one character or 'tab'.", name));
}

char separator_named(const std::string& option, const std::string& name) {
  if (name == "space") return ' ';
  if (name.size() <= 1) return name.empty() ? '\0' : name[0];
  throw Error(fmt::format("{} '{}' must be one character.", option, name));
}

std::size_t bytes_of(double gigabytes) {
  if (!(gigabytes > 0 && gigabytes <= 1e9))
    throw Error(fmt::format("--most-gigabytes {}: it must be above 0.", gigabytes));
  return static_cast<std::size_t>(gigabytes * 1e9);
}

/// What the user wishes goes before what is found; `of_model` is what a model has to have.
void read_as_asked(const char* option, const std::vector<std::string>& names, ColumnKind kind,
                   const ColumnKinds& of_model, ColumnKinds& kinds) {
  for (const std::string& name : names) {
    const auto known = of_model.find(name);
    if (known == of_model.end()) {
      kinds[name] = {kind, {}};
    } else if (known->second.kind != kind) {
      throw Error(
          fmt::format("{} {}: the model to start from reads this column in another way: leave it "
                      "out, or train a new model.",
                      option, name));
    }
  }
}

}  // namespace

void DataSource::add_options(CLI::App& verb, bool with_kinds) {
  verb.add_option("DATA", path, "CSV or ARFF file, gzipped or not; - is standard input")
      ->option_text(" ");
  verb.add_option("--table", table,
                  "Of a database, workbook or archive with several: the table, sheet or file to "
                  "read;\nor DATA is written FILE::TABLE")
      ->option_text("NAME")
      ->group("Columns");
  verb.add_flag("--no-header", no_header, "The first line is data; columns are called x1, x2, …")
      ->group("Columns");
  verb.add_option("--delimiter", delimiter, "Instead of detecting it: one character, or tab")
      ->option_text("C")
      ->group("Columns");
  verb.add_option("--decimal", decimal,
                  "How numbers are written, . or , instead of finding out from all of them")
      ->option_text("C")
      ->group("Columns");
  verb.add_option("--thousands", thousands,
                  "What separates thousands: . , ' _ or space, instead of finding out")
      ->option_text("C")
      ->group("Columns");
  verb.add_flag("--strict", strict, "What looks wrong in the table is an error, not a warning")
      ->group("Columns");
  verb.add_option("--on-error", on_error,
                  "A cell that is no number or date where one is needed, a row with too few or too "
                  "many\ncells: stop, count it as missing, or skip the row [stop]")
      ->transform(CLI::CheckedTransformer(kOnError))
      ->option_text("missing|skip")
      ->group("Columns");
  verb.add_option("--most-gigabytes", most_gigabytes,
                  "How much text a gzip file, a pipe or a device may hold, and what the numbers of "
                  "a sparse\nARFF file may take [8]")
      ->option_text("GB")
      ->group("Columns");
  if (!with_kinds) return;
  const auto add = [&](const char* name, std::vector<std::string>& names, const char* help) {
    verb.add_option(name, names, help)->delimiter(',')->option_text("A,B")->group("Columns");
  };
  add("--categorical", categorical, "Read these columns as categories, whatever they look like");
  add("--numeric", numeric, "Read these columns as numbers; a cell that is none is an error");
  add("--datetime", datetime, "Read these columns as dates or times");
}

Table DataSource::read(const std::string& file, int threads, const ColumnKinds& kinds,
                       std::vector<std::size_t>* skipped) const {
  ReadOptions options;
  options.header = !no_header;
  options.delimiter = delimiter_named(delimiter);
  options.decimal = separator_named("--decimal", decimal);
  options.thousands = separator_named("--thousands", thousands);
  if (!quiet) {
    options.on_note = [](const std::string& text) { talk_line("note: " + text); };
    options.on_warning = [](const std::string& text) { talk_line("warning: " + text); };
  }
  if (strict) options.on_warning = fail_strictly;
  options.defer_numbers = defer_numbers;
  options.on_error = on_error;
  options.most_bytes = bytes_of(most_gigabytes);
  if (skipped != nullptr) options.on_skip = [&](std::size_t row) { skipped->push_back(row); };
  options.threads = threads;
  options.read_as = kinds;
  read_as_asked("--categorical", categorical, ColumnKind::categorical, kinds, options.read_as);
  read_as_asked("--numeric", numeric, ColumnKind::numeric, kinds, options.read_as);
  read_as_asked("--datetime", datetime, ColumnKind::datetime, kinds, options.read_as);
  const Table read = read_file(file, options);
  for (const auto* names : {&categorical, &numeric, &datetime}) {
    for (const std::string& name : *names) read.column(name);
  }
  return read;
}

Table DataSource::read_file(const std::string& file, const ReadOptions& options) const {
  NamedTable named = split_table_name(file);
  if (named.table.empty()) named.table = table;
  const FileKind kind = find_file_kind(named.path);
  if (read_foreign && is_read_by_python(kind)) {
    return read_foreign({named.path, kind, named.table}, options);
  }
  if (kind == FileKind::text && !named.table.empty() && std::filesystem::exists(named.path)) {
    throw Error(fmt::format("'{}' is a text file, one table without a name: leave out '{}'.",
                            named.path, named.table));
  }
  return read_table(named.path, options);
}

NamedTable split_table_name(const std::string& file) {
  const std::size_t colons = file.rfind("::");
  if (colons == std::string::npos || std::filesystem::exists(file)) return {file, ""};
  return {file.substr(0, colons), file.substr(colons + 2)};
}

void fail_strictly(const std::string& warning) {
  throw Error(warning + " (--strict)");
}

void fail_on_standard_output() {
  if (errno == EPIPE) throw ClosedPipe();
  throw Error(fmt::format("cannot write to standard output: {}.", std::strerror(errno)));
}

TextOutput::TextOutput(const std::string& path) {
  if (!path.empty() && path != "-") file_.emplace(path);
}

void TextOutput::write(const std::string& text) {
  if (file_) {
    file_->write(text);
  } else if (std::fflush(stdout) != 0 || !write_all(STDOUT_FILENO, text)) {
    fail_on_standard_output();
  }
}

void TextOutput::commit() {
  if (file_) file_->commit();
}

void write_output(const std::string& path, const std::string& text) {
  TextOutput output(path);
  output.write(text);
  output.commit();
}

}  // namespace softwood::cli
