#include "data/text/text_kind.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/text/cell_text.h"
#include "data/text/date_text.h"
#include "data/text/missing_text.h"
#include "data/text/text_column.h"

namespace softwood {
namespace {

constexpr std::size_t kStraysShown = 3;

using LevelNumbers = std::vector<std::optional<WrittenNumber>>;

LevelNumbers read_levels(const Column& column, const TextTally& tally, const NumberStyle& style) {
  LevelNumbers numbers(column.levels.size());
  for (std::size_t level = 0; level < numbers.size(); ++level) {
    if (tally.readings[level] == TextReading::missing) continue;
    numbers[level] = read_written_number(trimmed(column.levels[level]), style);
  }
  return numbers;
}

template <class Condition>
std::optional<std::size_t> find_level(const LevelNumbers& numbers, const Condition& condition) {
  for (std::size_t level = 0; level < numbers.size(); ++level) {
    if (numbers[level] && condition(*numbers[level])) return level;
  }
  return std::nullopt;
}

std::set<std::string_view> currencies_of(const LevelNumbers& numbers) {
  std::set<std::string_view> currencies;
  for (const auto& number : numbers) {
    if (number && !number->currency.empty()) currencies.insert(number->currency);
  }
  return currencies;
}

ShownCell without_column(ShownCell cell) {
  cell.column.clear();
  return cell;
}

/// Percent signs are dropped; where some cells have one and others none, that is worth a look.
std::optional<Remark> told_percent(const Column& column, const LevelNumbers& numbers) {
  const auto with = find_level(numbers, [](const WrittenNumber& n) { return n.has_percent; });
  if (!with) return std::nullopt;
  const auto without = find_level(numbers, [](const WrittenNumber& n) { return !n.has_percent; });
  Remark remark{.is_warning = without.has_value(),
                .before = fmt::format("column '{}': percent signs are dropped, ", column.name),
                .cells = {without_column(shown_level(column, *with))},
                .after = fmt::format(" is {}", number_text(numbers[*with]->value))};
  if (without) {
    remark.after += fmt::format("; other cells, such as {}, have none",
                                quoted_for_message(column.levels[*without]));
  }
  return remark;
}

Remark told_currencies(const Column& column, const std::set<std::string_view>& currencies) {
  if (currencies.size() == 1) {
    return {.before = fmt::format("column '{}': the currency {} is dropped", column.name,
                                  *currencies.begin())};
  }
  return {.is_warning = true,
          .before = fmt::format("column '{}' holds amounts in several currencies ({}) and is left "
                                "as categories: convert them to one",
                                column.name, fmt::join(currencies, ", "))};
}

bool is_date(std::string_view text) {
  return parse_date(text, "ymd") || parse_date(text, "dmy") || parse_date(text, "mdy");
}

}  // namespace

/// The decimal sign by which the column is one of numbers, if it is.
std::optional<char> TextKinds::decimal_of(const TextTally& tally) const {
  const SeparatorVote vote = vote_of(tally);
  if (!style_.is_settled) {
    const bool readable =
        vote == SeparatorVote::point || (vote == SeparatorVote::none && tally.is_number('.'));
    return readable ? std::optional('.') : std::nullopt;
  }
  const char other = style_.decimal == '.' ? ',' : '.';
  if (tally.is_number(style_.decimal)) return style_.decimal;
  if (tally.is_number(other)) return other;
  return std::nullopt;
}

void TextKinds::settle(Column& column, const TextTally& tally) {
  column.undeclared = false;
  if (try_numbers(column, tally) || try_dates(column, tally)) return;
  const SeparatorVote vote = vote_of(tally);
  column.undeclared = !style_.is_settled && vote != SeparatorVote::none;
}

bool TextKinds::try_numbers(Column& column, const TextTally& tally) {
  const std::optional<char> decimal = decimal_of(tally);
  if (!decimal) return false;
  NumberStyle style = style_;
  if (*decimal != style_.decimal) {
    style = {.decimal = *decimal};
    const bool by_point = *decimal == '.';
    remarks_.push_back(
        {.is_warning = true,
         .before = fmt::format("column '{}' is read with the decimal {}, unlike the others: ",
                               column.name, by_point ? "point" : "comma"),
         .cells = {without_column(shown_level(
             column, tally.find(by_point ? TextReading::point : TextReading::comma)))}});
  }
  const LevelNumbers numbers = read_levels(column, tally, style);
  const std::set<std::string_view> currencies = currencies_of(numbers);
  if (!currencies.empty()) remarks_.push_back(told_currencies(column, currencies));
  if (currencies.size() > 1) return false;
  if (auto remark = told_percent(column, numbers)) remarks_.push_back(std::move(*remark));
  if (const auto level = find_level(
          numbers, [](const WrittenNumber& number) { return number.thousands != '\0'; })) {
    if (num_grouped_++ == 0) {
      grouped_ = shown_level(column, *level);
      thousands_ = numbers[*level]->thousands;
    }
  }
  std::vector<bool> is_stray(numbers.size());
  for (std::size_t level = 0; level < numbers.size(); ++level) {
    is_stray[level] = !numbers[level] && tally.readings[level] != TextReading::missing;
  }
  tell_strays(column, is_stray, "numbers");
  turn_into_values(column, [&](std::size_t level) {
    return numbers[level] ? numbers[level]->value : std::numeric_limits<double>::quiet_NaN();
  });
  column.kind = ColumnKind::numeric;
  return true;
}

bool TextKinds::try_dates(Column& column, const TextTally& tally) {
  std::vector<bool> is_stray(column.levels.size());
  std::vector<std::string> dates;
  std::size_t cells = 0, strays = 0;
  for (std::size_t level = 0; level < column.levels.size(); ++level) {
    const std::string_view text = trimmed(column.levels[level]);
    if (is_missing_text(text) || is_missing_among_values(text)) continue;
    cells += tally.counts[level];
    if (is_date(text)) {
      dates.push_back(column.levels[level]);
    } else {
      is_stray[level] = true;
      strays += tally.counts[level];
      if (strays > 1 && strays > column.size() / kCellsPerStray) return false;
    }
  }
  const std::string order = find_date_order(dates);
  if (order.empty() || !are_strays(strays, cells, kCellsPerStray)) return false;
  tell_strays(column, is_stray, "dates");
  turn_into_values(column, [&](std::size_t level) {
    return parse_date(trimmed(column.levels[level]), order)
        .value_or(std::numeric_limits<double>::quiet_NaN());
  });
  column.kind = ColumnKind::datetime;
  column.date_order = order;
  return true;
}

void TextKinds::tell_strays(const Column& texts, const std::vector<bool>& is_stray,
                            const char* kind) {
  Remark remark{.is_warning = true};
  std::size_t strays = 0, cells = 0;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    if (texts.is_missing(row)) continue;
    ++cells;
    const auto level = static_cast<std::size_t>(texts.codes[row]);
    if (!is_stray[level]) continue;
    if (strays++ < kStraysShown) remark.cells.push_back({.row = row, .text = texts.levels[level]});
  }
  if (strays == 0) return;
  remark.before = fmt::format(
      "column '{}': {} of {} cells {} {} and count{} as missing: ", texts.name, strays, cells,
      strays == 1 ? "is" : "are",
      strays == 1 ? fmt::format("no {}",
                                std::string_view(kind).substr(0, std::string_view(kind).size() - 1))
                  : fmt::format("no {}", kind),
      strays == 1 ? "s" : "");
  remark.after = fmt::format("{}; --categorical {} reads the column as categories",
                             strays > kStraysShown ? ", …" : "", texts.name);
  remarks_.push_back(std::move(remark));
}

std::vector<Remark> TextKinds::remarks() const {
  std::vector<Remark> all;
  const char* const name = thousands_ == ','    ? "comma"
                           : thousands_ == '.'  ? "point"
                           : thousands_ == '\'' ? "apostrophe"
                           : thousands_ == '_'  ? "underscore"
                                                : "space";
  if (num_grouped_ > 0) {
    all.push_back({.before = "numbers are written like ",
                   .cells = {grouped_},
                   .after = fmt::format(": the {} separates thousands, found in {} column{}", name,
                                        num_grouped_, num_grouped_ == 1 ? "" : "s")});
  }
  all.insert(all.end(), remarks_.begin(), remarks_.end());
  return all;
}

}  // namespace softwood
