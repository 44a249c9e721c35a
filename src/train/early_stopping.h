#pragma once

#include <cmath>
#include <limits>

namespace softwood {

/// Remembers the least validation loss and how long ago it was.
class EarlyStopping {
 public:
  /// `patience`: epochs without gain before should_stop(); 0 = never.
  explicit EarlyStopping(int patience) : patience_(patience) {}

  /// True if `loss` is the least so far. NaN never is.
  bool observe(int epoch, double loss) {
    if (!(loss < best_loss_)) return false;
    best_loss_ = loss;
    best_epoch_ = epoch;
    return true;
  }
  bool should_stop(int epoch) const { return patience_ > 0 && epoch - best_epoch_ >= patience_; }
  int best_epoch() const { return best_epoch_; }
  double best_loss() const { return best_loss_; }

 private:
  int patience_;
  int best_epoch_ = 0;
  double best_loss_ = std::numeric_limits<double>::infinity();
};

}  // namespace softwood
