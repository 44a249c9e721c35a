#include "train/start/greedy_split.h"

#include <algorithm>
#include <cmath>

#include "train/start/greedy_gradients.h"

namespace softwood {
namespace {

/// Below it a gain is rounding.
constexpr double kLeastGain = 1e-9;

double leaf_score(double gradient, double penalised_curvature) {
  // Nothing observed, without a penalty.
  if (!(penalised_curvature > 0)) return 0;
  return gradient * gradient / penalised_curvature;
}

/// Two at the price of one division.
double two_leaf_scores(double gradient_a, double curvature_a, double gradient_b,
                       double curvature_b) {
  const double product = curvature_a * curvature_b;
  if (curvature_a > 0 && product > 0) {
    return (gradient_a * gradient_a * curvature_b + gradient_b * gradient_b * curvature_a) /
           product;
  }
  return leaf_score(gradient_a, curvature_a) + leaf_score(gradient_b, curvature_b);
}

/// A fixed number of floats at a time, loaded before they are stored, becomes vector code.
void add_sums(const float* from, std::size_t width, float* to) {
  for (std::size_t at = 0; at < width; at += RowSums::kVector) {
    float sums[RowSums::kVector];
    for (std::size_t lane = 0; lane < RowSums::kVector; ++lane) {
      sums[lane] = to[at + lane] + from[at + lane];
    }
    for (std::size_t lane = 0; lane < RowSums::kVector; ++lane) to[at + lane] = sums[lane];
  }
}

}  // namespace

SplitFinder::SplitFinder(std::span<const KnotColumn> columns, std::size_t num_outputs,
                         double lambda, double min_rows)
    : columns_(columns),
      num_outputs_(num_outputs),
      width_(RowSums::width(num_outputs)),
      lambda_(lambda),
      min_rows_(min_rows),
      left_(width_) {}

std::optional<KnotSplit> SplitFinder::find(MatrixView<const float> row_sums,
                                           std::span<const std::uint32_t> rows,
                                           std::span<const double> node,
                                           std::span<const std::uint32_t> candidates) {
  std::optional<KnotSplit> best;
  for (const std::uint32_t index : candidates) {
    const KnotColumn& column = columns_[index];
    fill_histogram(column, row_sums, rows);
    order_knots(column);
    const Prefix prefix = best_prefix(column, node);
    if (prefix.gain <= (best ? best->gain : kLeastGain)) continue;
    best = describe(column, prefix, node);
    best->column = index;
  }
  return best;
}

/// Every node counts its own rows: the sibling by subtraction would need the parent's histograms of
/// all columns, which costs as much as is saved when each node draws its own.
void SplitFinder::fill_histogram(const KnotColumn& column, MatrixView<const float> row_sums,
                                 std::span<const std::uint32_t> rows) {
  histogram_.assign(column.num_knots * width_, 0.0F);
  for (const std::uint32_t row : rows) {
    add_sums(row_sums.data + row * width_, width_,
             histogram_.data() + column.knot_of_row[row] * width_);
  }
}

void SplitFinder::order_knots(const KnotColumn& column) {
  order_.clear();
  for (std::uint32_t knot = 0; knot < column.num_knots; ++knot) {
    if (has_rows(knot) && knot != column.missing) order_.push_back(knot);
  }
  if (!column.is_ordered()) order_by_effect();
}

/// By the best leaf value of each knot alone, in the output that has most to say.
void SplitFinder::order_by_effect() {
  const std::size_t output = leading_output();
  const auto effect = [&](std::uint32_t knot) {
    const float* sums = histogram_.data() + knot * width_;
    const double curvature = static_cast<double>(sums[RowSums::curvature(output)]) + lambda_;
    const auto gradient = static_cast<double>(sums[RowSums::gradient(output)]);
    return curvature > 0 ? gradient / curvature : 0;
  };
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return effect(a) < effect(b); });
}

std::size_t SplitFinder::leading_output() const {
  std::vector<double> totals(num_outputs_, 0.0);
  for (const std::uint32_t knot : order_) {
    const float* sums = histogram_.data() + knot * width_;
    for (std::size_t output = 0; output < num_outputs_; ++output) {
      totals[output] += std::abs(static_cast<double>(sums[RowSums::gradient(output)]));
    }
  }
  return static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

SplitFinder::Prefix SplitFinder::best_prefix(const KnotColumn& column,
                                             std::span<const double> node) {
  Prefix best;
  scan(node, nullptr, best);
  if (column.missing && has_rows(*column.missing)) {
    scan(node, histogram_.data() + *column.missing * width_, best);
  } else {
    best.missing_left = 2 * best.left_rows > node[RowSums::kCount];
  }
  return best;
}

/// Tries every prefix of the order; `missing`: sums that go left as well.
void SplitFinder::scan(std::span<const double> node, const float* missing, Prefix& best) {
  const double parent = score(node);
  std::fill(left_.begin(), left_.end(), 0.0);
  if (missing != nullptr) std::copy(missing, missing + width_, left_.begin());
  for (std::size_t length = 1; length <= order_.size(); ++length) {
    const float* sums = histogram_.data() + order_[length - 1] * width_;
    for (std::size_t at = 0; at < width_; ++at) left_[at] += static_cast<double>(sums[at]);
    if (left_[RowSums::kCount] < min_rows_) continue;
    if (node[RowSums::kCount] - left_[RowSums::kCount] < min_rows_) break;
    const double gain = children_score(node) - parent;
    if (gain > best.gain) best = {gain, length, left_[RowSums::kCount], missing != nullptr};
  }
}

/// Σ_outputs G² / (H + λ): twice what the best leaf gains.
double SplitFinder::score(std::span<const double> node) const {
  double total = 0;
  for (std::size_t output = 0; output < num_outputs_; ++output) {
    total +=
        leaf_score(node[RowSums::gradient(output)], node[RowSums::curvature(output)] + lambda_);
  }
  return total;
}

/// The same of left_ and of the rest of the node.
double SplitFinder::children_score(std::span<const double> node) const {
  double total = 0;
  for (std::size_t output = 0; output < num_outputs_; ++output) {
    const std::size_t gradient = RowSums::gradient(output);
    const std::size_t curvature = RowSums::curvature(output);
    total += two_leaf_scores(left_[gradient], left_[curvature] + lambda_,
                             node[gradient] - left_[gradient],
                             node[curvature] - left_[curvature] + lambda_);
  }
  return total;
}

KnotSplit SplitFinder::describe(const KnotColumn& column, const Prefix& prefix,
                                std::span<const double> node) const {
  KnotSplit split;
  split.gain = prefix.gain;
  split.most_rows_left = 2 * prefix.left_rows > node[RowSums::kCount];
  if (!column.is_ordered()) {
    split.left.assign(column.num_knots, split.most_rows_left);
    for (std::size_t at = 0; at < order_.size(); ++at) split.left[order_[at]] = at < prefix.length;
    return split;
  }
  // Halfway through the knots without rows; if only missing is right, all values go left.
  const bool only_missing_right = prefix.length == order_.size();
  const std::size_t first_right = only_missing_right
                                      ? column.num_knots - 1
                                      : (order_[prefix.length - 1] + 1 + order_[prefix.length]) / 2;
  split.threshold = column.starts[first_right - 1];
  split.left.assign(column.num_knots, false);
  std::fill_n(split.left.begin(), first_right, true);
  if (column.missing) {
    split.missing_left = prefix.missing_left;
    split.left[*column.missing] = prefix.missing_left;
  }
  return split;
}

}  // namespace softwood
