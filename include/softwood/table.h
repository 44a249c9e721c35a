#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "softwood/cells.h"

namespace softwood {

enum class ColumnKind { numeric, categorical, datetime };

/// One named column of a table. Which of `values` and `codes` is filled follows from `kind`.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  /// numeric: the value; datetime: seconds since 1970-01-01 00:00 UTC. NaN = missing.
  Cells<double> values = {};
  /// categorical: index into `levels`, −1 = missing.
  Cells<std::int32_t> codes = {};
  /// categorical: the distinct texts, in order of declaration (ARFF) or first appearance.
  std::vector<std::string> levels = {};
  /// datetime: how the text was read, "ymd", "dmy" or "mdy", so that later files are read alike.
  std::string date_order = {};
  /// categorical: texts of which nobody has said that they are categories. A frame's may still turn
  /// out to be numbers or dates; a file's look like numbers, but nothing tells what 1,234 means.
  bool undeclared = false;

  std::size_t size() const {
    return kind == ColumnKind::categorical ? codes.size() : values.size();
  }
  bool is_missing(std::size_t row) const;
  std::size_t count_missing() const;
  /// The cell as text: a level, a number in its shortest exact form, an ISO date; "" if missing.
  std::string text(std::size_t row) const;
};

/// Columns of equal length with distinct names.
class Table {
 public:
  Table() = default;
  /// Throws Error if names repeat or lengths differ.
  explicit Table(std::vector<Column> columns);

  std::size_t num_rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<std::string> names() const;

  /// The column of that name, or nullptr.
  const Column* find(std::string_view name) const;
  /// The column of that name; otherwise Error with the nearest name: "no column 'agee' in FILE. …".
  const Column& column(std::string_view name) const;

  /// Where the table came from, for messages: a path, "standard input" or "the table".
  std::string origin = "the table";
  /// Rows of `origin` that come before the first, if the table is a part of it; and those that are
  /// not in it at all, counted from 0, ascending (they do not count for `first_row`).
  std::size_t first_row = 0;
  std::vector<std::size_t> left_out = {};
  /// By which messages call a row: counted from 1, as the rows stand in `origin`.
  std::size_t row_number(std::size_t row) const;

 private:
  std::vector<Column> columns_;
  std::map<std::string, std::size_t, std::less<>> places_;  // of a name in columns_
};

/// How a column is to be read instead of inferring its kind. In a numeric one the texts true and
/// false are 1 and 0.
struct ReadAs {
  ColumnKind kind = ColumnKind::numeric;
  std::string date_order = {};  // datetime only; empty = find out
};

/// By the names of columns.
using ColumnKinds = std::map<std::string, ReadAs, std::less<>>;

/// What becomes of a cell that cannot be what its column has to be, and of a row with too few or
/// too many cells.
enum class OnError {
  stop,     ///< an Error names the first one
  missing,  ///< the cell is missing, and so are the cells that a short row lacks
  skip,     ///< the row is left out
};

struct ReadOptions {
  static constexpr std::size_t kMostBytes = 8'000'000'000;
  /// The first line names the columns; otherwise they are called x1, x2, ….
  bool header = true;
  /// '\0' = detect among comma, semicolon, tab and pipe.
  char delimiter = '\0';
  /// How numbers are written, '.' or ','; '\0' = find out from all numbers of the file.
  char decimal = '\0';
  /// What may stand between groups of three digits: '.', ',', '\'', ' ' or '_'; '\0' = find out.
  char thousands = '\0';
  OnError on_error = OnError::stop;
  /// Columns whose kind is given; names that the file does not have are ignored.
  ColumnKinds read_as = {};
  /// Columns of numbers of a large CSV file are deferred (see Cells): each is read from the file
  /// when it is looked at. The file must stay as it is for as long as the table is used. A large
  /// stream, and what is unpacked from gzip, is kept in a temporary file in $TMPDIR or /tmp.
  bool defer_numbers = false;
  /// Of the text of what has no size beforehand (gzip, a pipe, a device), and of the numbers of a
  /// sparse ARFF file: so a small file cannot fill memory or disk. Plain files have no limit.
  std::size_t most_bytes = kMostBytes;
  /// 0 = as many as the machine has.
  int threads = 0;
  /// What was found out (how numbers are written), and what a user should look at (cells that are
  /// no numbers). A sink that throws ends the reading: that is how strictness is made.
  std::function<void(const std::string&)> on_note = {};
  std::function<void(const std::string&)> on_warning = {};
  /// With OnError::skip: each row that is left out, counted from 0, in order.
  std::function<void(std::size_t row)> on_skip = {};
};

/// Reads CSV or ARFF (by name: .arff, .arff.gz; anything else is CSV), gzipped or not (by content);
/// "-" is standard input. docs/files.md tells with examples what is read and how it is decided; in
/// short, for CSV: missing cells are empty, NA, ?, null, N/A, Excel's errors and their like, quoted
/// or not; among numbers and dates also -, ., none. A column is numeric if nearly every cell is a
/// number, else datetime if nearly every cell is a date (year of four digits; 1/2/2004 that could
/// be either is month first, 1.2.2004 day first), else categorical; cells that do not fit are
/// missing, with a warning. How numbers are written is decided once for the whole file. Blank lines
/// are skipped, but in a table of one column they are missing cells, except at the end. Texts that
/// are not UTF-8 are read as Latin-1. Throws Error with file, line and column name.
Table read_table(const std::string& path, const ReadOptions& options = {});

}  // namespace softwood
