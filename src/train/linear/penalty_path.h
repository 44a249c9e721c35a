#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace softwood {

/// A geometric grid of penalties, from one that leaves next to nothing of the weights to one that
/// hardly touches them, and how well each did.
class PenaltyPath {
 public:
  /// `largest_bend`: of the loss along the features' widest direction (curvature · spread).
  /// `constant_loss`: of weights that are all 0, which a penalty must do better than.
  PenaltyPath(double largest_bend, double constant_loss);

  /// The one to be tried next; none: enough is known.
  std::optional<double> next() const;
  /// Its loss on rows that were not learned from; true if it is the least so far.
  bool add(double loss);

  /// Of the least loss; nothing if weights of 0 do as well.
  std::optional<double> best() const;

 private:
  bool is_settled() const;
  bool has_risen() const;

  double largest_;
  double constant_loss_;
  std::vector<double> losses_{};  // one per penalty tried
  std::size_t best_ = 0;          // among them
};

}  // namespace softwood
