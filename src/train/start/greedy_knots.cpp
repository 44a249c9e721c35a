#include "train/start/greedy_knots.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace softwood {
namespace {

constexpr std::size_t kMaxLinearThresholds = 32;

std::vector<float> distinct(std::vector<float> sorted) {
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// All values but the least, or as many quantiles: where a new knot begins.
std::vector<float> linear_cuts(const std::vector<float>& sorted) {
  std::vector<float> values = distinct(sorted);
  if (values.size() > kMaxLinearThresholds + 1) {
    values = {sorted.front()};
    for (std::size_t part = 1; part <= kMaxLinearThresholds; ++part) {
      values.push_back(sorted[part * sorted.size() / (kMaxLinearThresholds + 1)]);
    }
    values = distinct(values);
  }
  values.erase(values.begin());
  return values;
}

/// Halfway from the next lower value to each cut, so that a soft split there favours neither.
std::vector<float> linear_starts(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  std::vector<float> starts;
  for (const float cut : linear_cuts(values)) {
    const float below = *(std::lower_bound(values.begin(), values.end(), cut) - 1);
    const float middle = std::midpoint(below, cut);
    starts.push_back(middle > below ? middle : cut);
  }
  return starts;
}

std::vector<float> at_rows(std::span<const float> positions, std::span<const std::uint32_t> rows) {
  std::vector<float> chosen;
  chosen.reserve(rows.size());
  for (const std::uint32_t row : rows) chosen.push_back(positions[row]);
  return chosen;
}

KnotColumn curve_knots(const EncodedColumn& column, const std::vector<float>& positions) {
  const std::size_t missing = column.edges.size();
  KnotColumn knots{.num_knots = missing + 1,
                   .knot_of_row = {positions.begin(), positions.end()},
                   .starts = std::vector<float>(missing),
                   .missing = static_cast<std::uint32_t>(missing)};
  std::iota(knots.starts.begin(), knots.starts.end(), 1.0F);
  return knots;
}

KnotColumn linear_knots(const std::vector<float>& positions) {
  KnotColumn knots;
  knots.starts = linear_starts(positions);
  knots.num_knots = knots.starts.size() + 1;
  for (const float position : positions) {
    const auto above = std::upper_bound(knots.starts.begin(), knots.starts.end(), position);
    knots.knot_of_row.push_back(static_cast<std::uint32_t>(above - knots.starts.begin()));
  }
  return knots;
}

KnotColumn level_knots(const std::vector<float>& positions) {
  KnotColumn knots;
  knots.levels.assign(positions.begin(), positions.end());
  std::vector<std::uint32_t>& levels = knots.levels;
  std::sort(levels.begin(), levels.end());
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  knots.num_knots = levels.size();
  for (const float position : positions) {
    const auto place =
        std::lower_bound(levels.begin(), levels.end(), static_cast<std::uint32_t>(position));
    knots.knot_of_row.push_back(static_cast<std::uint32_t>(place - levels.begin()));
  }
  return knots;
}

}  // namespace

KnotColumn make_knot_column(const EncodedColumn& column, std::span<const float> positions,
                            std::span<const std::uint32_t> rows) {
  assert(!rows.empty());
  const std::vector<float> chosen = at_rows(positions, rows);
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      return curve_knots(column, chosen);
    case EncodedColumn::Kind::linear:
      return linear_knots(chosen);
    default:
      return level_knots(chosen);
  }
}

}  // namespace softwood
