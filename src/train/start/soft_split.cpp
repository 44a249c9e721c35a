#include "train/start/soft_split.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "tree/tree_place.h"

namespace softwood {
namespace {

/// Scores far from the threshold: rows go left with probability 0.98.
constexpr double kSure = 4;

/// The score rises over this many bins on each side of the threshold: a sixteenth of a fine scale,
/// the next value on a short one.
double ramp_bins(std::size_t num_knots) {
  return std::clamp(static_cast<double>(num_knots) / 16, 1.0, 8.0);
}

/// One split's parameters of one column: parameter i at weights[i · kLanes].
struct SplitWeights {
  float* weights;
  float* bias;
};

/// Increments of a curve that falls from +4 to −4 over a few bins around the threshold, and the
/// value of a missing cell, if training rows have one. Features are centred (ColumnBasis), which
/// the bias makes up for.
void write_curve(const ColumnBasis& basis, const HardSplit& split, SplitWeights to) {
  const std::size_t missing = basis.num_knots - 1;
  const double ramp = ramp_bins(basis.num_knots);
  // Rows at the threshold go right, those one edge below left: the middle is between.
  const double middle = static_cast<double>(split.threshold) - 0.5;
  const bool all_left = middle >= static_cast<double>(missing - 1);
  const auto value = [&](std::size_t edge) {
    const double left = all_left ? ramp : middle - static_cast<double>(edge);
    return kSure * std::clamp(left / ramp, -1.0, 1.0);
  };
  double centre = 0;
  for (std::size_t edge = 1; edge < missing; ++edge) {
    const double increment = value(edge) - value(edge - 1);
    to.weights[edge * kLanes] = static_cast<float>(increment);
    centre += increment * basis.mean[edge];
  }
  double of_missing = 0;
  if (basis.mean[missing] > 0) {
    of_missing = (split.missing_left ? kSure : -kSure) - value(0) - centre;
    to.weights[missing * kLanes] = static_cast<float>(of_missing);
  }
  *to.bias = static_cast<float>(value(0) + centre + of_missing * basis.mean[missing]);
}

/// Levels that no training row has stay at 0: nothing would ever correct them.
void write_levels(const ColumnBasis& basis, const HardSplit& split, SplitWeights to) {
  double centre = 0;
  for (std::size_t level = 0; level < basis.num_knots; ++level) {
    centre += basis.mean[level] * (split.left[level] ? kSure : -kSure);
  }
  for (std::size_t level = 0; level < basis.num_knots; ++level) {
    if (basis.mean[level] == 0) continue;
    to.weights[level * kLanes] = static_cast<float>((split.left[level] ? kSure : -kSure) - centre);
  }
  *to.bias = static_cast<float>(centre);
}

/// ±4 two standard deviations from the threshold.
void write_linear(const HardSplit& split, SplitWeights to) {
  to.weights[0] = static_cast<float>(-kSure / 2);
  *to.bias = static_cast<float>(kSure / 2) * split.threshold;
}

void write_split(const ColumnBasis& basis, const HardSplit& split, SplitWeights to) {
  switch (basis.kind) {
    case ColumnBasis::Kind::curve:
      return write_curve(basis, split, to);
    case ColumnBasis::Kind::levels:
      return write_levels(basis, split, to);
    case ColumnBasis::Kind::linear:
      return write_linear(split, to);
  }
}

}  // namespace

void soften_tree(const Ensemble& ensemble, std::size_t bundle_index, std::size_t tree,
                 const HardTree& hard, std::span<const std::uint32_t> finest,
                 std::span<float> parameters) {
  const EnsembleShape& shape = ensemble.shape();
  const Bundle& bundle = shape.bundles[bundle_index];
  const TreePlace place(ensemble, bundle_index, tree);
  assert(hard.splits.size() == shape.num_splits_per_tree());
  for (std::size_t i = 0; i < hard.splits.size(); ++i) {
    if (!hard.splits[i]) continue;
    const std::uint32_t column = finest[hard.splits[i]->column];
    const auto in_bundle = static_cast<std::size_t>(
        std::lower_bound(bundle.columns.begin(), bundle.columns.end(), column) -
        bundle.columns.begin());
    write_split(shape.columns[column], *hard.splits[i],
                {&parameters[place.first_knot(i, in_bundle)], &parameters[place.bias(i)]});
  }
  const std::size_t num_values = shape.num_leaves_per_tree() * bundle.num_outputs;
  assert(hard.leaves.size() == num_values);
  for (std::size_t i = 0; i < num_values; ++i) {
    parameters[place.leaf(0) + i] = static_cast<float>(hard.leaves[i]);
  }
}

HardSplit random_split(std::uint32_t column, const ColumnBasis& basis,
                       const std::function<double()>& draw) {
  HardSplit split;
  split.column = column;
  switch (basis.kind) {
    case ColumnBasis::Kind::curve:
      split.threshold = static_cast<float>(draw() * static_cast<double>(basis.num_knots - 2));
      split.missing_left = draw() < 0.5;
      break;
    case ColumnBasis::Kind::levels:
      for (std::size_t level = 0; level < basis.num_knots; ++level) {
        split.left.push_back(draw() < 0.5);
      }
      break;
    case ColumnBasis::Kind::linear:
      split.threshold = static_cast<float>(4 * draw() - 2);
      break;
  }
  return split;
}

}  // namespace softwood
