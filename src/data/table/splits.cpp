#include "data/table/splits.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "base/random.h"
#include "data/text/cell_text.h"
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

/// One split per fold from the fold of each row.
std::vector<Split> splits_from_folds(std::span<const std::uint32_t> rows,
                                     const std::vector<std::uint32_t>& folds, std::size_t count) {
  std::vector<Split> splits(count);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    for (std::size_t fold = 0; fold < count; ++fold) {
      (folds[index] == fold ? splits[fold].validation : splits[fold].training)
          .push_back(rows[index]);
    }
  }
  return splits;
}

std::vector<std::uint32_t> shuffled_numbers(std::size_t count, std::uint64_t seed,
                                            const char* purpose = "folds") {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  RandomStream(seed, purpose).shuffle(order);
  return order;
}

}  // namespace

Split split_at_random(std::span<const std::uint32_t> rows, double fraction, std::uint64_t seed) {
  const std::size_t num_validation = share(rows.size(), fraction);
  const std::vector<std::uint32_t> order = shuffled_numbers(rows.size(), seed, "split");
  std::vector<bool> validates(rows.size());
  for (std::size_t place = 0; place < num_validation; ++place) validates[order[place]] = true;
  Split split;
  for (std::size_t index = 0; index < rows.size(); ++index)
    (validates[index] ? split.validation : split.training).push_back(rows[index]);
  return split;
}

std::size_t count_groups(std::span<const std::uint32_t> rows, const Column& group) {
  const std::vector<std::uint32_t> groups = number_groups(rows, group);
  return groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end());
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
  return split;
}

std::vector<Split> split_into_folds(std::span<const std::uint32_t> rows, std::size_t count,
                                    std::uint64_t seed) {
  if (rows.size() < count) {
    throw Error(fmt::format("{} rows cannot be dealt into {} folds.", rows.size(), count));
  }
  const std::vector<std::uint32_t> order = shuffled_numbers(rows.size(), seed);
  std::vector<std::uint32_t> folds(rows.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    folds[order[place]] = static_cast<std::uint32_t>(place % count);
  }
  return splits_from_folds(rows, folds, count);
}

std::vector<Split> split_groups_into_folds(std::span<const std::uint32_t> rows, const Column& group,
                                           std::size_t count, std::uint64_t seed) {
  const std::vector<std::uint32_t> groups = number_groups(rows, group);
  std::vector<std::size_t> sizes;
  for (const std::uint32_t number : groups) {
    if (number == sizes.size()) sizes.push_back(0);
    ++sizes[number];
  }
  if (sizes.size() < count) {
    throw Error(fmt::format("column '{}' holds {} groups, too few for {} folds.", group.name,
                            sizes.size(), count));
  }
  // Large groups first, each to the fold with the fewest rows; equals in random order.
  std::vector<std::uint32_t> order = shuffled_numbers(sizes.size(), seed);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::size_t> filled(count, 0);
  std::vector<std::uint32_t> fold_of(sizes.size());
  for (const std::uint32_t number : order) {
    const auto least = std::min_element(filled.begin(), filled.end());
    fold_of[number] = static_cast<std::uint32_t>(least - filled.begin());
    *least += sizes[number];
  }
  std::vector<std::uint32_t> folds;
  for (const std::uint32_t number : groups) folds.push_back(fold_of[number]);
  return splits_from_folds(rows, folds, count);
}

std::vector<Split> split_by_fold_column(std::span<const std::uint32_t> rows, const Column& folds) {
  constexpr std::size_t kMostFolds = 100;
  // Numbers and dates in their order, texts in the alphabet's.
  using Value = std::pair<double, std::string>;
  const auto value_at = [&](std::uint32_t row) {
    return folds.kind == ColumnKind::categorical ? Value(0, folds.text(row))
                                                 : Value(folds.values[row], "");
  };
  std::map<Value, std::uint32_t> numbers;
  for (const std::uint32_t row : rows) {
    if (folds.is_missing(row)) {
      throw Error(
          fmt::format("data row {}: the fold in column '{}' is missing.", row + 1, folds.name));
    }
    numbers.emplace(value_at(row), 0U);
    if (numbers.size() > kMostFolds) break;
  }
  if (numbers.size() < 2 || numbers.size() > kMostFolds) {
    throw Error(fmt::format("column '{}' names {} folds; there must be 2 to {}.", folds.name,
                            numbers.size() < 2 ? "fewer than two" : "too many", kMostFolds));
  }
  std::uint32_t next = 0;
  for (auto& [value, number] : numbers) number = next++;
  std::vector<std::uint32_t> fold_of_row;
  for (const std::uint32_t row : rows) fold_of_row.push_back(numbers.at(value_at(row)));
  return splits_from_folds(rows, fold_of_row, numbers.size());
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
  return split;
}

}  // namespace softwood
