#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "train/descent/group_run.h"

namespace softwood {

/// How groups are added.
struct BlendRules {
  bool one_group = false;  ///< of those that learn the same tasks only the best is kept
  bool is_wary = false;    ///< see BlendPrior
  /// Per task and part, the weights that pull, with the strength of so many rows; empty: equal
  /// ones, with the usual strength.
  std::vector<std::vector<double>> usual = {};
  double pull_rows = 0;
};

/// What would be saved if training ended now: each task takes from each group the epoch that is
/// best for it, and adds them with the weights that fit the validation rows. The linear part, if
/// there is one, is one more group, the last, which is what it is in every epoch. Everything is
/// borrowed.
class KeptGroups {
 public:
  using Groups = std::vector<std::unique_ptr<GroupRun>>;

  /// `linear`: what the linear part makes of the validation rows, g [outputs × rows]; none: there
  /// is no such part.
  KeptGroups(const Groups& groups, const Tasks& tasks, const Examples& validation,
             std::optional<std::span<const double>> linear, const BlendRules& rules);

  /// After an epoch of the groups. Finding weights may take as long as a tenth of an epoch, so what
  /// got better is added with the weights that it had, mostly: they are found anew when there are
  /// twice as many epochs, other groups, no gain, or a rest.
  void update(int epoch, ThreadTeam& team);
  /// Finds the weights that update() has put off. This is what is saved.
  void settle(ThreadTeam& team);

  /// 0: the group has no say in the task.
  double weight(std::size_t group, const Task& task) const {
    return state_.choices[task.index_in_model].weights[group];
  }
  /// Throws Error if a task's validation loss was never finite.
  void expect_sound() const;
  /// The last epoch that anything of it comes from.
  int best_epoch() const;
  /// Per task; NaN: not finite so far, or no such response. Empty without validation rows.
  const std::vector<double>& losses() const { return state_.losses; }
  /// The same of the groups as they are after the last epoch of each, with the same weights.
  std::vector<double> losses_now() const;

  static constexpr int kNotKept = -1;
  static constexpr int kNoEpoch = 0;  ///< of the linear part

  /// What a task takes, and how its weights were found.
  struct Choice {
    std::vector<int> epochs;      ///< per group; kNotKept: it takes no part
    std::vector<double> weights;  ///< per group
    int weighed_at = 0;           ///< the epoch in which the weights were found
    bool is_settled = true;       ///< they were found for these epochs
    bool is_due = false;          ///< they are to be found anew

    bool is_empty() const;
    bool takes_from(const std::vector<int>& others) const;
  };
  struct State {
    std::vector<Choice> choices;  ///< per task
    std::vector<double> losses;
  };
  const State& state() const { return state_; }
  void set_state(State state) { state_ = std::move(state); }

 private:
  std::size_t num_parts() const { return groups_.size() + (linear_ ? 1 : 0); }
  bool is_linear(std::size_t part) const { return part == groups_.size(); }
  bool learns(std::size_t part, const Task& task) const;
  /// No part learns it, as where a model is trained on that had no use for trees there: it keeps
  /// its constant.
  bool stays_constant(const Task& task) const;
  void weigh_what_is_due(int epoch, ThreadTeam& team);
  std::vector<double> weights_for(const Task& task) const;
  void find_losses();
  bool is_outdone(std::size_t group) const;
  std::vector<int> epochs_for(const Task& task) const;
  std::vector<double> weights_now(const Task& task) const;
  std::span<const double> last_scores(std::size_t part, const Task& task) const;
  std::span<const double> best_scores(std::size_t part, const Task& task) const;
  std::span<const double> linear_scores(const Task& task) const;

  const Groups& groups_;
  const Tasks& tasks_;
  const Examples& validation_;
  const std::optional<std::span<const double>> linear_;
  const BlendRules rules_;
  State state_;
};

}  // namespace softwood
