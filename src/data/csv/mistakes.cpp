#include "data/csv/mistakes.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/csv/cells.h"
#include "data/csv/texts.h"
#include "data/text/text_column.h"

namespace softwood {

void CsvMistakes::add(std::size_t column, const std::vector<std::size_t>& rows,
                      const char* wanted) {
  for (const std::size_t row : rows) cells_.push_back({row, column, wanted});
}

std::vector<ReadMistake> CsvMistakes::in_words() const {
  std::vector<ReadMistake> mistakes;
  for (const RaggedRow& row : mended_.rows()) {
    mistakes.push_back({row.row, mistakes.size() < kNamedMistakes ? row.words(source_) : ""});
  }
  std::vector<BadCell> cells = cells_;
  std::sort(cells.begin(), cells.end(), [](const BadCell& a, const BadCell& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  // To find a cell or its line takes a walk through the file: only for those that are named.
  for (std::size_t i = 0; i < cells.size(); ++i) {
    mistakes.push_back({cells[i].row, i < kNamedMistakes ? words(cells[i]) : ""});
  }
  return mistakes;
}

std::string CsvMistakes::words(const BadCell& cell) const {
  const char* place = find_cell(source_, cell.row, cell.column);
  const std::size_t line = source_.line_of(place);
  std::string scratch;
  const std::string_view text = read_cell(source_, place).text(scratch);
  return fmt::format("line {}, column '{}': {} is not a {}", line, source_.names[cell.column],
                     quoted_for_message(as_utf8(text)), cell.wanted);
}

}  // namespace softwood
