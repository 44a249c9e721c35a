#include "data/table/categories.h"

#include <algorithm>

#include <fmt/format.h>

#include "data/text/cell_text.h"
#include "softwood/error.h"

namespace softwood {
namespace {

void check_codes(std::span<const std::int32_t> codes, std::size_t num_levels,
                 std::string_view column_name) {
  const auto is_wrong = [&](std::int32_t code) {
    return code < -1 || (code >= 0 && static_cast<std::size_t>(code) >= num_levels);
  };
  const auto found = std::find_if(codes.begin(), codes.end(), is_wrong);
  if (found == codes.end()) return;
  throw Error(
      fmt::format("column '{}': row {} has the code {}, but its {} levels have the codes 0 … and "
                  "-1 is missing.",
                  column_name, found - codes.begin() + 1, *found, num_levels));
}

bool changes_nothing(std::span<const std::int32_t> numbers) {
  for (std::size_t code = 0; code < numbers.size(); ++code) {
    if (numbers[code] != static_cast<std::int32_t>(code)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::int32_t> add_categories(LevelIndex& levels, std::span<const std::string> texts) {
  std::vector<std::int32_t> numbers;
  numbers.reserve(texts.size());
  for (const std::string& text : texts) {
    numbers.push_back(trimmed(text).empty() ? -1 : levels.add(as_utf8(text)));
  }
  return numbers;
}

Cells<std::int32_t> renumber(Cells<std::int32_t> codes, std::span<const std::int32_t> numbers,
                             std::string_view column_name) {
  check_codes(codes, numbers.size(), column_name);
  if (changes_nothing(numbers)) return codes;
  for (std::int32_t& code : codes) {
    if (code >= 0) code = numbers[static_cast<std::size_t>(code)];
  }
  return codes;
}

Column categorical_column(std::string name, Cells<std::int32_t> codes,
                          std::span<const std::string> texts) {
  LevelIndex levels;
  const std::vector<std::int32_t> numbers = add_categories(levels, texts);
  Column column{.name = std::move(name), .kind = ColumnKind::categorical};
  column.codes = renumber(std::move(codes), numbers, column.name);
  column.levels = levels.texts();
  return column;
}

}  // namespace softwood
