#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "data/encoder/encoder.h"

namespace softwood {

/// An encoded column as the greedy start sees it: each of its rows stands at one of a few knots,
/// and a split says which knots go left.
struct KnotColumn {
  std::size_t num_knots = 0;
  std::vector<std::uint32_t> knot_of_row;

  /// curve, linear: knots ascend, and knot k ≥ 1 begins at position starts[k − 1]. Empty for
  /// levels.
  std::vector<float> starts{};
  /// curve: the knot of rows without a value, the last; it has no place in the order.
  std::optional<std::uint32_t> missing{};
  /// levels: the level of each knot, ascending; levels without a row have no knot.
  std::vector<std::uint32_t> levels{};

  bool is_ordered() const { return levels.empty(); }
};

/// `positions`: the column's, of all rows; `rows`: the ones to take. A curve has a knot per edge
/// and one for missing; a linear column at most 33, between quantiles of these rows.
KnotColumn make_knot_column(const EncodedColumn& column, std::span<const float> positions,
                            std::span<const std::uint32_t> rows);

}  // namespace softwood
