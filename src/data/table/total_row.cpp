#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "data/text/cell_text.h"
#include "data/text/text_kind.h"

namespace softwood {
namespace {

constexpr std::array<std::string_view, 19> kTotals = {
    "total",  "totals",    "grand total", "total general", "sum",   "sums",  "summe",
    "gesamt", "insgesamt", "gesamtsumme", "somme",         "suma",  "somma", "totale",
    "totaal", "totalt",    "totaux",      "overall",       "ogółem"};

/// "Total", "TOTAL:", "Grand Total", "Total (n = 12)".
bool is_total(std::string_view text) {
  std::string word = lower_case(trimmed(text));
  word = word.substr(0, word.find_first_of(":(="));
  const std::string_view bare = trimmed(word);
  return std::find(kTotals.begin(), kTotals.end(), bare) != kTotals.end();
}

}  // namespace

std::optional<Remark> find_total_row(const std::vector<const Column*>& texts) {
  for (const Column* column : texts) {
    if (column->size() < 3 || column->codes.back() < 0) continue;
    const std::int32_t code = column->codes.back();
    const std::string& text = column->levels[static_cast<std::size_t>(code)];
    if (!is_total(text) || std::count(column->codes.begin(), column->codes.end(), code) > 1)
      continue;
    return Remark{.is_warning = true,
                  .before = "the last row looks like the sum of the others: ",
                  .cells = {{column->size() - 1, text, column->name}},
                  .after = "; remove it, or it counts like any other row"};
  }
  return std::nullopt;
}

}  // namespace softwood
