#include "data/arff/reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "data/arff/header.h"
#include "data/arff/mistakes.h"
#include "data/text/cell_text.h"
#include "data/text/date_text.h"
#include "data/text/missing_text.h"
#include "data/text/text_column.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using Kind = ArffAttribute::Kind;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Gathers the cells of one attribute.
class ArffColumn {
 public:
  ArffColumn(ArffAttribute attribute, const ReadAs* wish)
      : attribute_(std::move(attribute)),
        wish_(wish),
        own_kind_(attribute_.kind),
        unwritten_(unwritten_in(attribute_)) {
    if (wish_ == nullptr) return;
    // The user's word goes before the file's: the cells are then read as numbers or kept as texts.
    const bool keeps_levels = attribute_.kind == Kind::nominal || attribute_.kind == Kind::text;
    if (wish_->kind == ColumnKind::numeric) attribute_.kind = Kind::numeric;
    if (wish_->kind == ColumnKind::categorical && !keeps_levels) attribute_.kind = Kind::text;
    if (wish_->kind == ColumnKind::datetime && attribute_.kind != Kind::date) {
      attribute_.kind = Kind::text;
    }
  }

  /// Whether a sparse row may leave it out without a word, and so need not come to it.
  bool can_be_left_out() const {
    return attribute_.kind == Kind::numeric ? !unwritten_.quoted : attribute_.kind == own_kind_;
  }

  /// The cell of a row; those of rows before it that have had none were not written.
  void add(const ArffToken& cell, std::size_t row, ArffMistakes& mistakes) {
    fill_to(row);
    switch (attribute_.kind) {
      case Kind::numeric:
        return values_.push_back(number_in(cell, mistakes));
      case Kind::date:
        return values_.push_back(date_in(cell, mistakes));
      case Kind::nominal:
        return codes_.push_back(level_in(cell, mistakes));
      case Kind::text:
        return codes_.push_back(is_missing(cell) ? -1 : attribute_.levels.add(cell.text));
    }
  }

  /// What a sparse row leaves out, of a column that must be asked.
  void add_unwritten(std::size_t row, ArffMistakes& mistakes) { add(unwritten_, row, mistakes); }

  Column finish(const std::string& origin, std::size_t num_rows, ArffMistakes& mistakes) {
    fill_to(num_rows);
    Column column;
    column.name = attribute_.name;
    if (holds_numbers()) {
      column.values = std::move(values_);
      if (attribute_.kind == Kind::numeric) return column;
      column.kind = ColumnKind::datetime;
      column.date_order = attribute_.date_format ? attribute_.date_format->date_order() : "ymd";
      return column;
    }
    column.kind = ColumnKind::categorical;
    column.codes = std::move(codes_);
    column.levels = attribute_.levels.texts();
    if (wish_ != nullptr && wish_->kind == ColumnKind::datetime)
      read_dates(column, origin, mistakes);
    return column;
  }

 private:
  bool holds_numbers() const {
    return attribute_.kind == Kind::numeric || attribute_.kind == Kind::date;
  }

  void fill_to(std::size_t num_rows) {
    const bool is_missing = !unwritten_.quoted && unwritten_.text == "?";
    if (holds_numbers()) {
      if (values_.size() < num_rows) values_.resize(num_rows, is_missing ? kMissing : 0.0);
    } else if (codes_.size() < num_rows) {
      codes_.resize(num_rows, is_missing ? -1 : 0);
    }
  }

  static ArffToken unwritten_in(const ArffAttribute& attribute) {
    if (attribute.kind == Kind::numeric) return {"0"};
    if (attribute.kind != Kind::nominal || attribute.levels.size() == 0) return {"?"};
    return {attribute.levels.text(0), true};
  }

  static bool is_missing(const ArffToken& cell) {
    return !cell.quoted && is_missing_in_arff(cell.text);
  }

  /// "column 'age': 'abc' is not a number", for warnings.
  std::string words(std::string_view cell, const char* wanted) const {
    return fmt::format("column '{}': {} is not {}", attribute_.name, quoted_for_message(cell),
                       wanted);
  }

  double number_in(const ArffToken& cell, ArffMistakes& mistakes) const {
    const std::string_view text = trimmed(cell.text);
    if (is_missing_in_arff(text)) return kMissing;
    const std::optional<double> value =
        wish_ == nullptr ? parse_number(text) : parse_number_or_truth(text);
    if (!value) mistakes.add(not_a_number(attribute_.name, text), words(text, "a number"));
    return value.value_or(kMissing);
  }

  double date_in(const ArffToken& cell, ArffMistakes& mistakes) const {
    if (is_missing(cell)) return kMissing;
    const std::string_view text = trimmed(cell.text);
    const std::optional<double> value =
        attribute_.date_format ? attribute_.date_format->parse(text) : parse_date(text, "ymd");
    if (!value) mistakes.add(not_a_date(attribute_.name, text, ""), words(text, "a date"));
    return value.value_or(kMissing);
  }

  std::int32_t level_in(const ArffToken& cell, ArffMistakes& mistakes) const {
    if (!cell.quoted && cell.text == "?") return -1;
    const std::int32_t level = attribute_.levels.find(cell.text);
    if (level >= 0 || is_missing(cell)) return level;
    const std::string what = words(cell.text, "among the levels that its @attribute line declares");
    mistakes.add(what + ". Declare it, or read on without it (--on-error missing or skip).", what);
    return -1;
  }

  void read_dates(Column& column, const std::string& origin, ArffMistakes& mistakes) const {
    if (mistakes.are_noted()) {
      const Column texts = column;
      for (const std::size_t row : read_dates_leniently(column, wish_->date_order)) {
        mistakes.add({row, fmt::format("row {}, {}", row + 1, words(texts.text(row), "a date"))});
      }
    } else if (const std::optional<std::size_t> bad_row =
                   turn_into_dates(column, wish_->date_order)) {
      throw Error(fmt::format("row {} of {}: {}", *bad_row + 1, origin,
                              not_a_date(column.name, column.text(*bad_row), wish_->date_order)));
    }
  }

  ArffAttribute attribute_;
  const ReadAs* wish_;
  Kind own_kind_;
  ArffToken unwritten_;  // by the file's own kind, whatever the user wishes
  std::vector<double> values_;
  std::vector<std::int32_t> codes_;
};

/// Reads the lines after @data.
class ArffRows {
 public:
  ArffRows(ArffLines& lines, std::vector<ArffColumn>& columns, ArffMistakes& mistakes,
           std::size_t most_bytes)
      : lines_(lines), columns_(columns), mistakes_(mistakes), most_bytes_(most_bytes) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (!columns[column].can_be_left_out()) asked_.push_back(column);
    }
  }

  /// How many there are.
  std::size_t read() {
    while (lines_.next()) {
      if (lines_.line().starts_with('{')) {
        read_sparse_row(lines_.line());
      } else {
        read_dense_row(lines_.line());
      }
      mistakes_.go_to_next_row();
      ++row_;
    }
    return row_;
  }

 private:
  [[noreturn]] void refuse_weight() const {
    lines_.fail("instance weights are not read. Put the weights into a column of their own.");
  }

  void read_dense_row(std::string_view line) {
    split_values(line, lines_, values_);
    const ArffToken& last = values_.back();
    if (!last.quoted && last.text.starts_with('{')) refuse_weight();
    if (values_.size() != columns_.size()) settle_row_length();
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      columns_[column].add(values_[column], row_, mistakes_);
    }
  }

  /// Rows of a few bytes may stand for as many numbers as there are attributes.
  void check_size() const {
    if ((row_ + 1) * columns_.size() <= most_bytes_ / sizeof(double)) return;
    lines_.fail(fmt::format(
        "the numbers of {} attributes, most of which these rows leave out, take more than {:g} GB. "
        "If so much is meant: --most-gigabytes N (in Python most_gigabytes=N).",
        columns_.size(), static_cast<double>(most_bytes_) / 1e9));
  }

  /// What a short row lacks is missing; in a long one nobody knows which value is which.
  void settle_row_length() {
    const std::string what =
        fmt::format("{} value{}, but the header declares {} attributes", values_.size(),
                    values_.size() == 1 ? "" : "s", columns_.size());
    mistakes_.add(what + ". Mend the row, or read on without it (--on-error missing or skip).",
                  what);
    if (values_.size() > columns_.size()) values_.clear();
    values_.resize(columns_.size(), {"?"});
  }

  /// {1 3.5, 4 yes}
  void read_sparse_row(std::string_view line) {
    check_size();
    line.remove_prefix(1);
    values_.resize(columns_.size());
    is_written_.resize(columns_.size());
    written_.clear();
    while (!(line = trimmed(line)).starts_with('}')) take_sparse_value(line);
    if (line.size() > 1) refuse_weight();
    // Not all columns: of hundreds of thousands a row may hold ten.
    std::ranges::sort(written_);
    for (const std::size_t column : written_)
      columns_[column].add(values_[column], row_, mistakes_);
    for (const std::size_t column : asked_) {
      if (!is_written_[column]) columns_[column].add_unwritten(row_, mistakes_);
    }
    for (const std::size_t column : written_) is_written_[column] = false;
  }

  /// "4 yes" and the comma after it.
  void take_sparse_value(std::string_view& line) {
    const std::size_t column = take_place(line);
    if (is_written_[column]) lines_.fail(fmt::format("attribute {} is written twice.", column));
    is_written_[column] = true;
    written_.push_back(column);
    values_[column] = take_token(line, ",}", lines_);
    if (line.starts_with(',')) {
      line.remove_prefix(1);
    } else if (!line.starts_with('}')) {
      lines_.fail("this sparse row does not end with a brace.");
    }
  }

  /// The attribute's number, counted from 0.
  std::size_t take_place(std::string_view& line) const {
    const std::string text = take_token(line, " \t,}", lines_).text;
    const double number = parse_number(text).value_or(-1);
    if (number >= 0 && number < static_cast<double>(columns_.size()) &&
        number == std::floor(number)) {
      return static_cast<std::size_t>(number);
    }
    lines_.fail(fmt::format("{} is no attribute number of this sparse row: they go from 0 to {}.",
                            quoted_for_message(text), columns_.size() - 1));
  }

  ArffLines& lines_;
  std::vector<ArffColumn>& columns_;
  ArffMistakes& mistakes_;
  std::vector<ArffToken> values_;
  std::size_t most_bytes_;
  std::size_t row_ = 0;
  std::vector<std::size_t> asked_;    // columns that need to know of each row that leaves them out
  std::vector<std::size_t> written_;  // columns of a sparse row
  std::vector<bool> is_written_;      // the same, by column
};

}  // namespace

Table read_arff(const FileBytes& file, const ReadOptions& options) {
  ArffLines lines(file);
  std::vector<ArffColumn> columns;
  for (ArffAttribute& attribute : read_arff_header(lines)) {
    const auto wish = options.read_as.find(attribute.name);
    columns.emplace_back(std::move(attribute),
                         wish == options.read_as.end() ? nullptr : &wish->second);
  }
  ArffMistakes mistakes(lines, options.on_error);
  const std::size_t num_rows = ArffRows(lines, columns, mistakes, options.most_bytes).read();
  std::vector<Column> finished;
  for (ArffColumn& column : columns)
    finished.push_back(column.finish(file.origin(), num_rows, mistakes));
  Table table(std::move(finished));
  table.origin = file.origin();
  return settle_mistakes(std::move(table), mistakes.take(), options);
}

}  // namespace softwood
