#include "data/text/remark.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "data/text/text_column.h"

namespace softwood {
namespace {

using NameOfRow = std::map<std::size_t, std::string>;

NameOfRow name_rows(const std::vector<Remark>& remarks, const RowNames& row_names) {
  NameOfRow names;
  for (const Remark& remark : remarks) {
    for (const ShownCell& cell : remark.cells) names.try_emplace(cell.row);
  }
  std::vector<std::size_t> rows;
  for (const auto& [row, name] : names) rows.push_back(row);
  const std::vector<std::string> found = row_names(rows);
  for (std::size_t index = 0; index < rows.size(); ++index) names[rows[index]] = found[index];
  return names;
}

std::string text_of(const Remark& remark, const NameOfRow& names) {
  std::string text = remark.before;
  for (const ShownCell& cell : remark.cells) {
    if (&cell != &remark.cells.front())
      text += &cell == &remark.cells.back() && !cell.column.empty() ? " and " : ", ";
    text += quoted_for_message(cell.text);
    if (!cell.column.empty()) text += fmt::format(" in column '{}'", cell.column);
    text += fmt::format(" ({})", names.at(cell.row));
  }
  return text + remark.after;
}

}  // namespace

void tell_remarks(const std::vector<Remark>& remarks, const ReadOptions& options,
                  const RowNames& row_names) {
  if (remarks.empty() || (!options.on_note && !options.on_warning)) return;
  const NameOfRow names = name_rows(remarks, row_names);
  for (const Remark& remark : remarks) {
    const auto& sink = remark.is_warning ? options.on_warning : options.on_note;
    if (sink) sink(text_of(remark, names));
  }
}

std::vector<std::string> numbered_rows(std::span<const std::size_t> rows) {
  std::vector<std::string> names;
  for (const std::size_t row : rows) names.push_back(fmt::format("row {}", row + 1));
  return names;
}

ShownCell shown_level(const Column& column, std::size_t level) {
  const auto code = static_cast<std::int32_t>(level);
  const auto found = std::find(column.codes.begin(), column.codes.end(), code);
  return {.row = static_cast<std::size_t>(found - column.codes.begin()),
          .text = column.levels[level],
          .column = column.name};
}

}  // namespace softwood
