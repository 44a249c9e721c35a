#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "base/atomic_file.h"
#include "cli/foreign_reader.h"
#include "softwood/table.h"

namespace softwood::cli {

/// The options with which every verb reads a table.
struct DataSource {
  std::string path;
  std::string table;  ///< of a file that holds several
  bool no_header = false;
  std::string delimiter, decimal, thousands;
  double most_gigabytes = ReadOptions::kMostBytes / 1e9;
  bool strict = false;         ///< warnings are errors
  bool quiet = false;          ///< neither notes nor warnings
  bool defer_numbers = false;  ///< see ReadOptions
  OnError on_error = OnError::stop;
  std::vector<std::string> categorical, numeric, datetime;
  ForeignReader read_foreign;

  /// `with_kinds`: also --categorical, --numeric, --datetime.
  void add_options(CLI::App& verb, bool with_kinds);
  /// `file`: a path, or PATH::TABLE. `kinds`: what the model says of its columns; `skipped` takes
  /// the rows that --on-error skip leaves out. Throws Error if a named column is not in the file.
  Table read(const std::string& file, int threads, const ColumnKinds& kinds = {},
             std::vector<std::size_t>* skipped = nullptr) const;

 private:
  Table read_file(const std::string& file, const ReadOptions& options) const;
};

/// "study.db::visits" as a path and a table, unless there is a file of just that name.
struct NamedTable {
  std::string path, table;
};
NamedTable split_table_name(const std::string& file);

/// A warning that --strict does not let pass.
[[noreturn]] void fail_strictly(const std::string& warning);

/// Who read standard output wants no more: the end, without a word.
struct ClosedPipe {};
/// By errno: throws ClosedPipe, or Error.
[[noreturn]] void fail_on_standard_output();

/// Text that comes piece by piece, to a file that appears whole or not at all (see AtomicFile), or
/// to standard output for "-" or "".
class TextOutput {
 public:
  explicit TextOutput(const std::string& path);
  void write(const std::string& text);
  /// When all is written.
  void commit();

 private:
  std::optional<AtomicFile> file_;
};

/// Writes `text` as a whole.
void write_output(const std::string& path, const std::string& text);

}  // namespace softwood::cli
