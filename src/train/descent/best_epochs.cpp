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
                       const BestEpochRules& rules)
    : starting_losses_(std::move(starting_losses)),
      shares_(std::move(shares)),
      rules_(rules),
      state_{.tasks =
                 std::vector<Best>(shares_.size(), {.loss = kInfinity, .loss_together = kInfinity}),
             .least_together = kInfinity} {}

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
  // Who waits for gains (patience) is not put off by what is only as good.
  bool is_less = total < state_.least_together;
  const bool is_gain = total < state_.least_together + rules_.tolerance * possible_gain();
  if (is_gain) {
    state_.least_together = std::min(total, state_.least_together);
    state_.together = snapshot();
    for (std::size_t task = 0; task < losses.size(); ++task) {
      state_.tasks[task].loss_together = losses[task];
    }
  }
  for (std::size_t task = 0; task < losses.size(); ++task) {
    const bool is_better =
        rules_.one_for_all ? is_gain && std::isfinite(losses[task]) : is_good(task, losses[task]);
    if (!is_better) continue;
    is_less = is_less || losses[task] < state_.tasks[task].loss;
    state_.tasks[task].loss = rules_.one_for_all && rules_.tolerance == 0
                                  ? losses[task]
                                  : std::min(losses[task], state_.tasks[task].loss);
    state_.tasks[task].snapshot = snapshot();
  }
  if (is_less) state_.latest_gain = epoch;
}

/// The least so far, or as good as that.
bool BestEpochs::is_good(std::size_t task, double loss) const {
  const double least = state_.tasks[task].loss;
  if (!std::isfinite(least) || rules_.tolerance == 0) return loss < least;
  const double worth = softwood::possible_gain(starting_losses_[task], least);
  return loss < least + rules_.tolerance * std::max(0.0, worth);
}

void BestEpochs::observe_unseen(const std::function<Snapshot()>& take) {
  state_.together = std::make_shared<const Snapshot>(take());
  state_.latest_gain = state_.together->epoch;
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
    const bool known = std::isfinite(state_.tasks[task].loss);
    total += shares_[task] * (known ? state_.tasks[task].loss : starting_losses_[task]);
  }
  return total;
}

double BestEpochs::possible_gain() const {
  double total = 0;
  for (std::size_t task = 0; task < shares_.size(); ++task) {
    if (shares_[task] == 0 || !std::isfinite(state_.tasks[task].loss)) continue;
    total += shares_[task] * std::max(0.0, softwood::possible_gain(starting_losses_[task],
                                                                   state_.tasks[task].loss));
  }
  return total;
}

bool BestEpochs::prefers_its_own(std::size_t task) const {
  const Best& best = state_.tasks[task];
  if (!state_.together || !std::isfinite(best.loss_together)) return true;
  const double worth = softwood::possible_gain(starting_losses_[task], best.loss);
  return best.loss_together - best.loss > (kWorthOwnTrees + rules_.tolerance) * worth;
}

const Snapshot* BestEpochs::of(std::size_t task) const {
  if (std::isnan(starting_losses_[task])) return state_.together.get();  // nobody can tell its best
  const Best& best = state_.tasks[task];
  return best.snapshot && !prefers_its_own(task) ? state_.together.get() : best.snapshot.get();
}

}  // namespace softwood
