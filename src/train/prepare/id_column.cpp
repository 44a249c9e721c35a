#include "train/prepare/id_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace softwood {
namespace {

/// Fewer rows count up by chance, or are times.
constexpr std::size_t kFewestRows = 20;

/// "CustomerId", "IDpol" and "Unnamed: 0" as {customer, id}, {id, pol} and {unnamed, 0}.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char before = '\0';
  for (const char letter : name) {
    const bool upper = letter >= 'A' && letter <= 'Z';
    const bool is_lower = letter >= 'a' && letter <= 'z';
    const bool other_word = (upper && before >= 'a' && before <= 'z') ||
                            (is_lower && words.back() == "id" && before == 'D');
    const bool is_part = upper || is_lower || (letter >= '0' && letter <= '9') ||
                         static_cast<unsigned char>(letter) >= 0x80;
    if ((other_word || !is_part) && !words.back().empty()) words.emplace_back();
    if (is_part) words.back() += upper ? static_cast<char>(letter - 'A' + 'a') : letter;
    before = letter;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

template <std::size_t N>
bool has_any(const std::vector<std::string>& words, const std::array<std::string_view, N>& known) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  });
}

bool is_called_id(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 14> kIds = {
      "id",  "ids",   "idx",   "index",  "uid",      "guid",      "uuid",
      "key", "rowid", "rowno", "rownum", "rownames", "rownumber", "unnamed"};
  return has_any(words, kIds);
}

bool is_called_time(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 22> kTimes = {
      "t",     "time",   "year",   "yr",     "month", "week", "day",    "date",
      "hour",  "minute", "min",    "second", "sec",   "step", "period", "quarter",
      "epoch", "cycle",  "season", "wave",   "age",   "tick"};
  return has_any(words, kTimes);
}

bool counts_up(const std::vector<double>& values) {
  if (values[0] != 0 && values[0] != 1) return false;
  for (std::size_t row = 1; row < values.size(); ++row) {
    if (values[row] != values[row - 1] + 1) return false;
  }
  return true;
}

/// Whole numbers, of which at most one in twenty has been there before.
bool hardly_repeat(std::vector<double> values) {
  const bool whole = std::all_of(values.begin(), values.end(), [](double value) {
    return std::isfinite(value) && value == std::floor(value);
  });
  if (!whole) return false;
  std::sort(values.begin(), values.end());
  const auto different = std::unique(values.begin(), values.end()) - values.begin();
  return 20 * static_cast<std::size_t>(different) >= 19 * values.size();
}

}  // namespace

std::optional<std::string> looks_like_id(const Column& column) {
  if (column.kind != ColumnKind::numeric || column.size() < kFewestRows) return std::nullopt;
  const std::vector<std::string> words = words_of(column.name);
  const std::vector<double> values = column.values.to_vector();
  if (!is_called_time(words) && counts_up(values)) {
    return "it counts the rows";
  }
  if (is_called_id(words) && hardly_repeat(values)) return "whole numbers, hardly two alike";
  return std::nullopt;
}

}  // namespace softwood
