#include "data/table/settle_frame.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "data/file/read_mistakes.h"
#include "data/table/categories.h"
#include "data/table/convert_column.h"
#include "data/text/cell_text.h"
#include "data/text/missing_text.h"
#include "data/text/number_style.h"
#include "data/text/text_column.h"
#include "data/text/text_kind.h"

namespace softwood {
namespace {

/// The first number whose text says that the point is the decimal sign.
std::optional<ShownCell> find_fraction(const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    if (column.kind != ColumnKind::numeric) continue;
    for (std::size_t row = 0; row < column.size(); ++row) {
      const double value = column.values[row];
      if (!std::isfinite(value) || value == std::floor(value)) continue;
      const std::string text = number_text(value);
      if (reading_of(text) == TextReading::point) return ShownCell{row, text, column.name};
    }
  }
  return std::nullopt;
}

/// Levels that mean missing in a file mean it here.
void forget_missing(Column& column) {
  std::vector<std::string> levels = column.levels;
  bool any = false;
  for (std::string& level : levels) {
    if (!is_missing_text(trimmed(level))) continue;
    level.clear();
    any = true;
  }
  if (!any) return;
  column = categorical_column(column.name, std::move(column.codes), levels);
  column.undeclared = true;
}

class FrameSettler {
 public:
  FrameSettler(std::vector<Column>& columns, const ReadOptions& options, bool looks_at_texts)
      : columns_(columns), options_(options), looks_(looks_at_texts) {
    check_separators(options);
  }

  std::vector<ReadMistake> run() {
    std::vector<TextCandidate> candidates;
    std::vector<const Column*> texts;
    for (Column& column : columns_) {
      if (looks_ && column.undeclared) forget_missing(column);
      if (!is_unread(column) && !must_be_number(column)) continue;
      candidates.push_back({&column, tally_texts(column, options_.thousands)});
      if (is_unread(column)) texts.push_back(&column);
    }
    StyleChoice choice =
        choose_number_style(options_, candidates, [&] { return find_fraction(columns_); });
    const std::optional<Remark> total = find_total_row(texts);
    TextKinds kinds(choice.style);
    std::size_t next = 0;
    for (Column& column : columns_) {
      const bool is_candidate = next < candidates.size() && candidates[next].column == &column;
      settle(column, is_candidate ? &candidates[next++].tally : nullptr, choice.style, kinds);
    }
    for (Remark& remark : kinds.remarks()) choice.remarks.push_back(std::move(remark));
    if (total) choice.remarks.push_back(*total);
    tell_remarks(choice.remarks, options_, numbered_rows);
    return std::move(mistakes_);
  }

 private:
  const ReadAs* wish_of(const Column& column) const {
    const auto found = options_.read_as.find(column.name);
    return found == options_.read_as.end() ? nullptr : &found->second;
  }
  bool is_unread(const Column& column) const {
    return looks_ && column.undeclared && wish_of(column) == nullptr;
  }
  bool must_be_number(const Column& column) const {
    const ReadAs* wish = wish_of(column);
    return column.kind == ColumnKind::categorical && wish != nullptr &&
           wish->kind == ColumnKind::numeric;
  }

  void settle(Column& column, const TextTally* tally, const NumberStyle& style, TextKinds& kinds) {
    if (const ReadAs* wish = wish_of(column)) {
      obey(*wish, column, tally, style);
      column.undeclared = false;
    } else if (is_unread(column) && column.levels.empty() && column.size() > 0) {
      turn_into_numbers(column);  // nothing but missing cells, as in a file
      column.undeclared = false;
    } else if (is_unread(column)) {
      kinds.settle(column, *tally);
    } else {
      column.undeclared = false;
    }
  }

  void obey(const ReadAs& wish, Column& column, const TextTally* tally, const NumberStyle& style) {
    const bool may_fail =
        column.kind == ColumnKind::categorical && wish.kind != ColumnKind::categorical;
    const bool unclear =
        tally != nullptr && !style.is_settled && tally->of(TextReading::either) > 0;
    if (may_fail && !unclear && options_.on_error != OnError::stop) {
      convert_leniently(wish, column, style);
    } else {
      column = convert_column(std::move(column), wish, style);
    }
  }

  /// Converts a column of texts and notes the cells that cannot be.
  void convert_leniently(const ReadAs& wish, Column& column, const NumberStyle& style) {
    const Column texts = column;
    const bool to_dates = wish.kind == ColumnKind::datetime;
    const std::vector<std::size_t> rows = to_dates ? read_dates_leniently(column, wish.date_order)
                                                   : read_numbers_leniently(column, style);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      mistakes_.push_back({rows[i], ""});
      if (i >= kNamedMistakes) continue;
      mistakes_.back().words =
          fmt::format("row {}, column '{}': {} is not a {}", rows[i] + 1, column.name,
                      quoted_for_message(texts.text(rows[i])), to_dates ? "date" : "number");
    }
  }

  std::vector<Column>& columns_;
  const ReadOptions& options_;
  const bool looks_;
  std::vector<ReadMistake> mistakes_;
};

}  // namespace

Table settle_frame(std::vector<Column> columns, const ReadOptions& options, bool looks_at_texts,
                   std::string origin) {
  std::vector<ReadMistake> mistakes = FrameSettler(columns, options, looks_at_texts).run();
  Table table(std::move(columns));
  table.origin = std::move(origin);
  return settle_mistakes(std::move(table), std::move(mistakes), options);
}

}  // namespace softwood
