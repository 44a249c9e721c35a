#include "data/text/number_style.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/text/cell_text.h"
#include "data/text/text_column.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kNamesShown = 5;

std::string name_of(char separator) {
  switch (separator) {
    case '.':
      return "point";
    case ',':
      return "comma";
    case '\'':
      return "apostrophe";
    case '_':
      return "underscore";
    default:
      return "space";
  }
}

/// "'a', 'b', …" of the columns that voted so.
class Voters {
 public:
  void add(const TextCandidate& candidate) { all_.push_back(&candidate); }
  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }

  ShownCell first(TextReading reading) const {
    const TextCandidate& candidate = *all_.front();
    return shown_level(*candidate.column, candidate.tally.find(reading));
  }
  std::string names() const {
    std::vector<std::string> names;
    for (std::size_t index = 0; index < std::min(size(), kNamesShown); ++index) {
      names.push_back(fmt::format("'{}'", all_[index]->column->name));
    }
    return fmt::format("{}{}", fmt::join(names, ", "), size() > kNamesShown ? ", …" : "");
  }

 private:
  std::vector<const TextCandidate*> all_;
};

Remark told_decimal_comma(const Voters& comma) {
  ShownCell example = comma.first(TextReading::comma);
  return {.before = "numbers are written like ",
          .cells = {std::move(example)},
          .after = fmt::format(": the comma is the decimal separator, found in {} column{}",
                               comma.size(), comma.size() == 1 ? "" : "s")};
}

Remark told_contradiction(const ShownCell& point, const ShownCell& comma, const Voters& left) {
  const bool several = left.size() > 1;
  return {
      .is_warning = true,
      .before = "the decimal separators contradict each other: ",
      .cells = {point, comma},
      .after = fmt::format("; {} {} left as {}: --decimal , or --decimal . decides", left.names(),
                           several ? "are" : "is", several ? "categories" : "a category")};
}

Remark told_unclear(const Voters& unclear) {
  ShownCell example = unclear.first(TextReading::either);
  const std::string_view text = trimmed(example.text);
  const auto value = [&](char decimal) {
    const auto number = read_written_number(text, {.decimal = decimal});
    return number ? number_text(number->value) : "";
  };
  // "1,234": with the comma as decimal sign a little more than one.
  const bool has_comma = text.find(',') != std::string_view::npos;
  const char sign = has_comma ? ',' : '.';
  const std::string as_decimal = value(sign), as_thousands = value(has_comma ? '.' : ',');
  return {.is_warning = true,
          .before = "nothing in the table tells what the " + name_of(sign) + " in ",
          .cells = {std::move(example)},
          .after = fmt::format(
              " means: --decimal {0} reads {1}, --thousands {0} reads {2}; until then {3} {4}",
              sign, as_decimal, as_thousands, unclear.names(),
              unclear.size() > 1 ? "are categories" : "is a category")};
}

}  // namespace

void check_separators(const ReadOptions& options) {
  const auto require = [](char given, std::string_view known, std::string_view option,
                          std::string_view names) {
    if (given == '\0' || known.find(given) != std::string_view::npos) return;
    throw Error(fmt::format("{} is '{}'; it must be one of {}.", option, given, names));
  };
  require(options.decimal, ".,", "decimal", ". and ,");
  require(options.thousands, ".,' _", "thousands", ". , ' _ and a space");
  if (options.decimal != '\0' && options.decimal == options.thousands) {
    throw Error(
        fmt::format("decimal and thousands are both '{}'; they must differ.", options.decimal));
  }
}

NumberStyle given_style(const ReadOptions& options) {
  NumberStyle style{.thousands = options.thousands};
  if (options.decimal != '\0') {
    style.decimal = options.decimal;
  } else if (options.thousands == '.') {
    style.decimal = ',';
  } else {
    style.is_settled = options.thousands == ',';
  }
  return style;
}

SeparatorVote vote_of(const TextTally& tally) {
  const bool point = tally.is_number('.'), comma = tally.is_number(',');
  if (!point && !comma) {
    return tally.is_number_by_turns() ? SeparatorVote::both : SeparatorVote::none;
  }
  if (point != comma) return point ? SeparatorVote::point : SeparatorVote::comma;
  const bool has_point = tally.of(TextReading::point) > 0;
  const bool has_comma = tally.of(TextReading::comma) > 0;
  if (has_point && has_comma) return SeparatorVote::both;
  if (has_point || has_comma) return has_point ? SeparatorVote::point : SeparatorVote::comma;
  return tally.of(TextReading::either) > 0 ? SeparatorVote::unclear : SeparatorVote::none;
}

StyleChoice choose_number_style(const ReadOptions& options,
                                std::span<const TextCandidate> candidates,
                                const std::function<std::optional<ShownCell>()>& find_point) {
  StyleChoice choice{.style = given_style(options), .remarks = {}};
  if (choice.style.is_settled) return choice;
  choice.style.is_settled = true;
  Voters point, comma, unclear, left;
  for (const TextCandidate& candidate : candidates) {
    const SeparatorVote vote = vote_of(candidate.tally);
    if (vote == SeparatorVote::point || vote == SeparatorVote::both) point.add(candidate);
    if (vote == SeparatorVote::comma || vote == SeparatorVote::both) comma.add(candidate);
    if (vote == SeparatorVote::unclear) unclear.add(candidate);
    if (vote != SeparatorVote::point && vote != SeparatorVote::none) left.add(candidate);
  }
  if (left.empty()) return choice;
  std::optional<ShownCell> point_cell = find_point();
  if (!point_cell && !point.empty()) point_cell = point.first(TextReading::point);
  if (point_cell && comma.empty()) return choice;
  if (comma.empty()) {
    choice.style.is_settled = false;
    choice.remarks.push_back(told_unclear(unclear));
  } else if (point_cell) {
    choice.style.is_settled = false;
    choice.remarks.push_back(
        told_contradiction(*point_cell, comma.first(TextReading::comma), left));
  } else {
    choice.style.decimal = ',';
    choice.remarks.push_back(told_decimal_comma(comma));
  }
  return choice;
}

}  // namespace softwood
