#include "data/arff_reader.h"

#include <fmt/format.h>

#include <limits>

#include "data/arff_header.h"
#include "data/cell_text.h"
#include "data/date_text.h"
#include "data/text_column.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using Kind = ArffAttribute::Kind;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Gathers the cells of one attribute.
class ArffColumn {
 public:
  ArffColumn(ArffAttribute attribute, const ReadAs* wish)
      : attribute_(std::move(attribute)), wish_(wish) {
    if (wish_ == nullptr) return;
    // The user's word goes before the file's: the cells are then read as numbers or kept as texts.
    const bool keeps_levels = attribute_.kind == Kind::nominal || attribute_.kind == Kind::text;
    if (wish_->kind == ColumnKind::numeric) attribute_.kind = Kind::numeric;
    if (wish_->kind == ColumnKind::categorical && !keeps_levels) attribute_.kind = Kind::text;
    if (wish_->kind == ColumnKind::datetime && attribute_.kind != Kind::date) {
      attribute_.kind = Kind::text;
    }
  }

  void add(const ArffToken& cell, const ArffLines& lines) {
    switch (attribute_.kind) {
      case Kind::numeric:
        return values_.push_back(number_in(cell, lines));
      case Kind::date:
        return values_.push_back(date_in(cell, lines));
      case Kind::nominal:
        return codes_.push_back(level_in(cell, lines));
      case Kind::text:
        return codes_.push_back(is_missing(cell) ? -1 : attribute_.levels.add(cell.text));
    }
  }

  /// What a sparse row leaves out.
  ArffToken unwritten() const {
    if (attribute_.kind == Kind::numeric) return {"0"};
    if (attribute_.kind == Kind::nominal && attribute_.levels.size() > 0) {
      return {attribute_.levels.text(0), true};
    }
    return {"?"};
  }

  Column finish() {
    Column column;
    column.name = attribute_.name;
    if (attribute_.kind == Kind::numeric || attribute_.kind == Kind::date) {
      column.values = std::move(values_);
      if (attribute_.kind == Kind::numeric) return column;
      column.kind = ColumnKind::datetime;
      column.date_order = attribute_.date_format ? attribute_.date_format->date_order() : "ymd";
      return column;
    }
    column.kind = ColumnKind::categorical;
    column.codes = std::move(codes_);
    column.levels = attribute_.levels.texts();
    if (wish_ != nullptr && wish_->kind == ColumnKind::datetime) read_dates(column);
    return column;
  }

 private:
  static bool is_missing(const ArffToken& cell) { return !cell.quoted && is_missing_text(cell.text); }

  double number_in(const ArffToken& cell, const ArffLines& lines) const {
    const std::string_view text = trimmed(cell.text);
    if (is_missing_text(text)) return kMissing;
    const std::optional<double> value = parse_number(text);
    if (!value) lines.fail(not_a_number(attribute_.name, text));
    return *value;
  }

  double date_in(const ArffToken& cell, const ArffLines& lines) const {
    if (is_missing(cell)) return kMissing;
    const std::string_view text = trimmed(cell.text);
    const std::optional<double> value =
        attribute_.date_format ? attribute_.date_format->parse(text) : parse_date(text, "ymd");
    if (!value) lines.fail(not_a_date(attribute_.name, text, ""));
    return *value;
  }

  std::int32_t level_in(const ArffToken& cell, const ArffLines& lines) const {
    if (!cell.quoted && cell.text == "?") return -1;
    const std::int32_t level = attribute_.levels.find(cell.text);
    if (level >= 0 || is_missing(cell)) return level;
    lines.fail(fmt::format("column '{}': {} is not among the levels that its @attribute line declares.",
                           attribute_.name, quoted_for_message(cell.text)));
  }

  void read_dates(Column& column) const {
    if (const std::optional<std::size_t> bad_row = turn_into_dates(column, wish_->date_order)) {
      throw Error(fmt::format("row {}: {}", *bad_row + 1,
                              not_a_date(column.name, column.text(*bad_row), wish_->date_order)));
    }
  }

  ArffAttribute attribute_;
  const ReadAs* wish_;
  std::vector<double> values_;
  std::vector<std::int32_t> codes_;
};

/// Reads the lines after @data.
class ArffRows {
 public:
  ArffRows(ArffLines& lines, std::vector<ArffColumn>& columns) : lines_(lines), columns_(columns) {}

  void read() {
    while (lines_.next()) {
      if (lines_.line().starts_with('{')) {
        read_sparse_row(lines_.line());
      } else {
        read_dense_row(lines_.line());
      }
    }
  }

 private:
  [[noreturn]] void refuse_weight() const {
    lines_.fail("instance weights are not read. Put the weights into a column of their own.");
  }

  void read_dense_row(std::string_view line) {
    split_values(line, lines_, values_);
    const ArffToken& last = values_.back();
    if (!last.quoted && last.text.starts_with('{')) refuse_weight();
    if (values_.size() != columns_.size()) {
      lines_.fail(fmt::format("{} values, but the header declares {} attributes.", values_.size(),
                              columns_.size()));
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      columns_[column].add(values_[column], lines_);
    }
  }

  /// {1 3.5, 4 yes}
  void read_sparse_row(std::string_view line) {
    line.remove_prefix(1);
    std::vector<ArffToken> row;
    row.reserve(columns_.size());
    for (const ArffColumn& column : columns_) row.push_back(column.unwritten());
    std::vector<bool> written(columns_.size());
    while (!(line = trimmed(line)).starts_with('}')) {
      const std::size_t column = take_place(line);
      if (written[column]) lines_.fail(fmt::format("attribute {} is written twice.", column));
      written[column] = true;
      row[column] = take_token(line, ",}", lines_);
      if (line.starts_with(',')) line.remove_prefix(1);
      else if (!line.starts_with('}')) lines_.fail("this sparse row does not end with a brace.");
    }
    if (line.size() > 1) refuse_weight();
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      columns_[column].add(row[column], lines_);
    }
  }

  /// The attribute's number, counted from 0.
  std::size_t take_place(std::string_view& line) const {
    const std::string text = take_token(line, " \t,}", lines_).text;
    const std::optional<double> number = parse_number(text);
    if (number) {
      for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (*number == static_cast<double>(column)) return column;
      }
    }
    lines_.fail(fmt::format("{} is no attribute number of this sparse row: they go from 0 to {}.",
                            quoted_for_message(text), columns_.size() - 1));
  }

  ArffLines& lines_;
  std::vector<ArffColumn>& columns_;
  std::vector<ArffToken> values_;
};

}  // namespace

Table read_arff(const FileBytes& file, const ReadOptions& options) {
  ArffLines lines(file);
  std::vector<ArffColumn> columns;
  for (ArffAttribute& attribute : read_arff_header(lines)) {
    const auto wish = options.read_as.find(attribute.name);
    columns.emplace_back(std::move(attribute), wish == options.read_as.end() ? nullptr : &wish->second);
  }
  ArffRows(lines, columns).read();
  std::vector<Column> finished;
  for (ArffColumn& column : columns) finished.push_back(column.finish());
  Table table(std::move(finished));
  table.origin = file.origin();
  return table;
}

}  // namespace softwood
