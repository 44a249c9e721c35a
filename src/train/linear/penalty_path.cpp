#include "train/linear/penalty_path.h"

#include <cmath>

namespace softwood {
namespace {

constexpr std::size_t kMostPenalties = 13;
constexpr double kFirst = 30;     // times the largest bend
constexpr double kRatio = 0.251;  // of neighbours: 10^-0.6
/// Parts of the best gain over the first penalty: changes that are none, and a clear rise.
constexpr double kSame = 1e-3;
constexpr double kClearly = 0.05;

}  // namespace

PenaltyPath::PenaltyPath(double largest_bend, double constant_loss)
    : largest_(std::isfinite(largest_bend) && largest_bend > 0 ? largest_bend : 1.0),
      constant_loss_(std::isfinite(constant_loss) ? constant_loss
                                                  : std::numeric_limits<double>::infinity()) {}

std::optional<double> PenaltyPath::next() const {
  if (losses_.size() == kMostPenalties || is_settled() || has_risen()) return std::nullopt;
  return largest_ * kFirst * std::pow(kRatio, static_cast<double>(losses_.size()));
}

bool PenaltyPath::add(double loss) {
  if (!std::isfinite(loss)) loss = std::numeric_limits<double>::infinity();
  losses_.push_back(loss);
  const bool is_best = losses_.size() == 1 || loss < losses_[best_];
  if (is_best) best_ = losses_.size() - 1;
  return is_best && std::isfinite(loss);
}

std::optional<double> PenaltyPath::best() const {
  if (losses_.empty() || !(losses_[best_] < constant_loss_)) return std::nullopt;
  return largest_ * kFirst * std::pow(kRatio, static_cast<double>(best_));
}

/// Two penalties in turn that change nothing: so will smaller ones.
bool PenaltyPath::is_settled() const {
  if (losses_.size() < 6) return false;
  const double gain = losses_[0] - losses_[best_];
  const auto same = [&](std::size_t i) {
    return std::abs(losses_[i] - losses_[i - 1]) < kSame * gain;
  };
  return same(losses_.size() - 1) && same(losses_.size() - 2);
}

/// Two rises in turn, to clearly more than the least.
bool PenaltyPath::has_risen() const {
  const std::size_t count = losses_.size();
  if (count < best_ + 3) return false;
  const double gain = losses_[0] - losses_[best_];
  return losses_[count - 1] > losses_[count - 2] && losses_[count - 2] > losses_[best_] &&
         losses_[count - 1] - losses_[best_] > kClearly * gain;
}

}  // namespace softwood
