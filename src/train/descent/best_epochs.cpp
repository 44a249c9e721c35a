#include "train/descent/best_epochs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "train/descent/cycle_rule.h"

namespace softwood {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Trees of another epoch are trees to store and to look up: so much of what a task can gain pays
/// for them.
constexpr double kWorthOwnTrees = 0.04;

}  // namespace

BestEpochs::BestEpochs(std::vector<double> starting_losses, std::vector<double> shares,
                       bool one_for_all)
    : starting_losses_(std::move(starting_losses)),
      shares_(std::move(shares)),
      one_for_all_(one_for_all),
      best_(shares_.size(), {.loss = kInfinity, .loss_together = kInfinity}),
      least_together_(kInfinity) {}

void BestEpochs::observe(int epoch, const std::vector<double>& losses,
                         const std::function<Snapshot()>& take) {
  double total = 0;
  for (std::size_t task = 0; task < losses.size(); ++task) {
    if (shares_[task] > 0) total += shares_[task] * losses[task];
  }
  std::shared_ptr<const Snapshot> now;
  const auto snapshot = [&] {
    if (!now) now = std::make_shared<const Snapshot>(take());
    return now;
  };
  const bool is_gain = total < least_together_;
  if (is_gain) {
    least_together_ = total;
    together_ = snapshot();
    for (std::size_t task = 0; task < losses.size(); ++task) {
      best_[task].loss_together = losses[task];
    }
  }
  for (std::size_t task = 0; task < losses.size(); ++task) {
    const bool is_better =
        one_for_all_ ? is_gain && std::isfinite(losses[task]) : losses[task] < best_[task].loss;
    if (!is_better) continue;
    best_[task].loss = losses[task];
    best_[task].snapshot = snapshot();
  }
  if (now) latest_gain_ = epoch;
}

void BestEpochs::observe_unseen(const std::function<Snapshot()>& take) {
  together_ = std::make_shared<const Snapshot>(take());
  latest_gain_ = together_->epoch;
}

double BestEpochs::starting_total() const {
  double total = 0;
  for (std::size_t task = 0; task < shares_.size(); ++task) {
    if (shares_[task] > 0) total += shares_[task] * starting_losses_[task];
  }
  return total;
}

double BestEpochs::best_total() const {
  double total = 0;
  for (std::size_t task = 0; task < shares_.size(); ++task) {
    if (shares_[task] == 0) continue;
    const bool known = std::isfinite(best_[task].loss);
    total += shares_[task] * (known ? best_[task].loss : starting_losses_[task]);
  }
  return total;
}

double BestEpochs::possible_gain() const {
  double total = 0;
  for (std::size_t task = 0; task < shares_.size(); ++task) {
    if (shares_[task] == 0 || !std::isfinite(best_[task].loss)) continue;
    total += shares_[task] * std::max(0.0, softwood::possible_gain(starting_losses_[task], best_[task].loss));
  }
  return total;
}

bool BestEpochs::prefers_its_own(std::size_t task) const {
  const Best& best = best_[task];
  if (!together_ || !std::isfinite(best.loss_together)) return true;
  const double worth = softwood::possible_gain(starting_losses_[task], best.loss);
  return best.loss_together - best.loss > kWorthOwnTrees * worth;
}

const Snapshot* BestEpochs::of(std::size_t task) const {
  if (std::isnan(starting_losses_[task])) return together_.get();  // nobody can tell its best
  const Best& best = best_[task];
  return best.snapshot && !prefers_its_own(task) ? together_.get() : best.snapshot.get();
}

}  // namespace softwood
