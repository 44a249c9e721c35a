#include "data/splits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "base/random.h"
#include "data/cell_text.h"
#include "softwood/error.h"

namespace softwood {
namespace {

std::size_t share(std::size_t count, double fraction) {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw Error(
        fmt::format("the validation fraction is {}; it must be between 0 and 1.", fraction));
  }
  return static_cast<std::size_t>(std::lround(fraction * static_cast<double>(count)));
}

/// Numbers equal cells alike; a missing cell is a group of its own. One number per row of `rows`.
std::vector<std::uint32_t> number_groups(std::span<const std::uint32_t> rows, const Column& group) {
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint32_t> groups;
  groups.reserve(rows.size());
  std::uint32_t num_groups = 0;
  for (const std::uint32_t row : rows) {
    std::uint32_t number = num_groups;
    if (!group.is_missing(row)) {
      const std::uint64_t cell = group.kind == ColumnKind::categorical
                                     ? static_cast<std::uint64_t>(group.codes[row])
                                     : std::bit_cast<std::uint64_t>(group.values[row] + 0.0);
      number = known.emplace(cell, num_groups).first->second;
    }
    if (number == num_groups) ++num_groups;
    groups.push_back(number);
  }
  return groups;
}

/// Draws groups at random, each if it brings the number of rows nearer to `wanted`; at least one,
/// and not all.
std::vector<bool> draw_groups(const std::vector<std::size_t>& sizes, std::size_t wanted,
                              std::uint64_t seed) {
  std::vector<std::uint32_t> order(sizes.size());
  for (std::uint32_t group = 0; group < order.size(); ++group) order[group] = group;
  RandomStream(seed, "split by group").shuffle(order);
  std::vector<bool> drawn(sizes.size());
  std::size_t rows = 0, left = sizes.size();
  for (const std::uint32_t group : order) {
    if (rows >= wanted || left == 1) break;
    if (2 * (wanted - rows) < sizes[group]) continue;
    drawn[group] = true;
    rows += sizes[group];
    --left;
  }
  if (rows == 0 && wanted > 0) drawn[order[0]] = true;
  return drawn;
}

bool says_validation(const Column& marks, std::size_t row) {
  if (marks.is_missing(row)) return false;
  if (marks.kind == ColumnKind::numeric) return marks.values[row] != 0;
  static constexpr std::array<std::string_view, 7> kWords = {
      "valid", "validation", "test", "holdout", "true", "yes", "1"};
  const std::string text = lower_case(trimmed(marks.text(row)));
  return std::find(kWords.begin(), kWords.end(), text) != kWords.end();
}

}  // namespace

Split split_at_random(std::span<const std::uint32_t> rows, double fraction, std::uint64_t seed) {
  const std::size_t num_validation = share(rows.size(), fraction);
  std::vector<std::uint32_t> shuffled(rows.begin(), rows.end());
  RandomStream(seed, "split").shuffle(shuffled);
  const auto middle = shuffled.begin() + static_cast<std::ptrdiff_t>(num_validation);
  Split split{{middle, shuffled.end()}, {shuffled.begin(), middle}};
  std::sort(split.training.begin(), split.training.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

Split split_by_group(std::span<const std::uint32_t> rows, const Column& group, double fraction,
                     std::uint64_t seed) {
  const std::size_t wanted = share(rows.size(), fraction);
  const std::vector<std::uint32_t> groups = number_groups(rows, group);
  std::vector<std::size_t> sizes;
  for (const std::uint32_t number : groups) {
    if (number == sizes.size()) sizes.push_back(0);
    ++sizes[number];
  }
  if (sizes.size() < 2 && wanted > 0) {
    throw Error(fmt::format(
        "column '{}' holds a single group: it cannot be on both sides of a split.", group.name));
  }
  const std::vector<bool> drawn = draw_groups(sizes, wanted, seed);
  Split split;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    (drawn[groups[index]] ? split.validation : split.training).push_back(rows[index]);
  }
  std::sort(split.training.begin(), split.training.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

Split split_by_column(std::span<const std::uint32_t> rows, const Column& marks) {
  Split split;
  for (const std::uint32_t row : rows) {
    (says_validation(marks, row) ? split.validation : split.training).push_back(row);
  }
  if (split.training.empty() || split.validation.empty()) {
    throw Error(
        fmt::format("column '{}' marks {} rows as validation rows. Mark some, but not all, "
                    "with 1, true, yes, valid, validation, test or holdout.",
                    marks.name, split.validation.empty() ? "no" : "all"));
  }
  std::sort(split.training.begin(), split.training.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

}  // namespace softwood
