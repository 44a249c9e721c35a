#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/views.h"
#include "train/start/greedy_knots.h"

namespace softwood {

/// A split of some rows, in terms of knots.
struct KnotSplit {
  double gain = 0;
  std::uint32_t column = 0;
  std::vector<bool> left{};     ///< [knot]
  float threshold = 0;          ///< curve, linear
  bool missing_left = false;    ///< curve
  bool most_rows_left = false;  ///< where to send what was not seen
};

/// Finds the best split of some rows by histograms over knots: sums over the rows of each knot, and
/// then every threshold, or every level in the order of its own best leaf value, is tried.
class SplitFinder {
 public:
  /// `columns`: borrowed. `min_rows`: of each child.
  SplitFinder(std::span<const KnotColumn> columns, std::size_t num_outputs, double lambda,
              double min_rows);

  /// `row_sums` [rows × RowSums::width] of all rows; `node`: their sum over `rows`. None if no
  /// split by one of `candidates` (columns, ascending) gains anything.
  std::optional<KnotSplit> find(MatrixView<const float> row_sums,
                                std::span<const std::uint32_t> rows, std::span<const double> node,
                                std::span<const std::uint32_t> candidates);

 private:
  /// The first knots of the order go left.
  struct Prefix {
    double gain = 0;
    std::size_t length = 0;
    double left_rows = 0;
    bool missing_left = false;
  };

  void fill_histogram(const KnotColumn& column, MatrixView<const float> row_sums,
                      std::span<const std::uint32_t> rows);
  void order_knots(const KnotColumn& column);
  void order_by_effect();
  std::size_t leading_output() const;
  Prefix best_prefix(const KnotColumn& column, std::span<const double> node);
  void scan(std::span<const double> node, const float* missing, Prefix& best);
  double score(std::span<const double> node) const;
  double children_score(std::span<const double> node) const;
  KnotSplit describe(const KnotColumn& column, const Prefix& prefix,
                     std::span<const double> node) const;

  bool has_rows(std::size_t knot) const { return histogram_[knot * width_] > 0; }

  std::span<const KnotColumn> columns_;
  std::size_t num_outputs_;
  std::size_t width_;
  double lambda_;
  double min_rows_;
  std::vector<float> histogram_;      // [knot × width] of the column in hand
  std::vector<std::uint32_t> order_;  // its knots that have rows, without missing
  std::vector<double> left_;          // sums of the left child in hand
};

}  // namespace softwood
