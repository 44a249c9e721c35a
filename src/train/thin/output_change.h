#pragma once

#include <vector>

#include "base/thread_team.h"
#include "train/prepare/examples.h"
#include "train/thin/member_thinning.h"

namespace softwood {

/// What a change of the members' trees does to the losses of some rows.
class OutputChange {
 public:
  /// At most so many of the rows are looked at, evenly spread. All borrowed.
  static constexpr std::size_t kMostRows = 768;
  OutputChange(const std::vector<Member>& members, const Tasks& tasks, const Examples& rows,
               ThreadTeam& team);

  /// How much of what can be lost is lost, of the task that loses most: the rise of the mean loss,
  /// in shares of the loss or of what the model has gained on a constant, whichever is less. The
  /// rise is half of the second difference, to f + δ and f − δ: what δ costs on rows that it was
  /// not chosen for, free of chance in its sign. Or, if that is more, the mean square of δ in
  /// shares of the variance of f: rows of another kind than those that were learned do not make it
  /// worthless. `changed`: per member, other numbers of its trees.
  double loss_share(const std::vector<MemberThinning::Result>& changed, ThreadTeam& team) const;

  const ChosenRows& chosen() const { return chosen_; }

 private:
  /// The members' mean of what their trees add up to.
  template <class ValuesOf>
  std::vector<double> mean_of_trees(const ValuesOf& values_of, ThreadTeam& team) const;
  double loss_of(const Task& task, const std::vector<double>& f) const;
  /// Σ (a − b)² over the task's outputs and all rows, in their units.
  double squared_distance(const Task& task, const std::vector<double>& a,
                          const std::vector<double>& b) const;

  const std::vector<Member>& members_;
  const Tasks& tasks_;
  Examples rows_;
  ChosenRows chosen_;
  std::vector<double> trees_, f_;      // of the members as they are
  std::vector<double> losses_, most_;  // per task: the mean loss, and what 1 is in loss_share()
  std::vector<double> spreads_;        // per task: squared distance of f from its mean
};

}  // namespace softwood
