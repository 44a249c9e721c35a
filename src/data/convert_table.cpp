#include "data/convert_table.h"

#include <fmt/format.h>

#include "data/convert_column.h"
#include "data/read_mistakes.h"
#include "data/text_column.h"

namespace softwood {
namespace {

/// Converts a column of texts and notes the cells that cannot be.
void convert_leniently(Column& column, const ReadAs& read_as, std::vector<ReadMistake>& mistakes) {
  const Column texts = column;
  const bool to_dates = read_as.kind == ColumnKind::datetime;
  const std::vector<std::size_t> rows =
      to_dates ? read_dates_leniently(column, read_as.date_order) : read_numbers_leniently(column);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    mistakes.push_back({rows[i], ""});
    if (i >= kNamedMistakes) continue;
    mistakes.back().words =
        fmt::format("row {}, column '{}': {} is not a {}", rows[i] + 1, column.name,
                    quoted_for_message(texts.text(rows[i])), to_dates ? "date" : "number");
  }
}

}  // namespace

Table convert_table(Table table, const ReadOptions& options) {
  std::vector<Column> columns = table.columns();
  std::vector<ReadMistake> mistakes;
  for (Column& column : columns) {
    const auto wish = options.read_as.find(column.name);
    if (wish == options.read_as.end()) continue;
    const bool texts_to_values =
        column.kind == ColumnKind::categorical && wish->second.kind != ColumnKind::categorical;
    if (texts_to_values && options.on_error != OnError::stop) {
      convert_leniently(column, wish->second, mistakes);
    } else {
      column = convert_column(std::move(column), wish->second);
    }
  }
  Table converted(std::move(columns));
  converted.origin = table.origin;
  return settle_mistakes(std::move(converted), std::move(mistakes), options);
}

}  // namespace softwood
