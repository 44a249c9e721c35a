#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "train/linear/feature_basis.h"
#include "train/linear/fit_linear.h"
#include "train/linear/penalty_path.h"
#include "train/linear/task_fit.h"
#include "train/linear/team_work.h"
#include "train/linear/unseen_loss.h"

namespace softwood {

/// Tasks that have a response in the same training rows of every member, so that one basis per
/// member serves them all.
using TaskGroup = std::vector<const Task*>;

/// Raw outputs of the largest of them.
std::size_t most_outputs(const TaskGroup& group);

/// Fits the tasks of a group, all members in step: they share their penalties.
class GroupFit {
 public:
  /// All borrowed.
  GroupFit(const TaskGroup& group, std::shared_ptr<const LinearFeatures> features,
           std::span<const LinearSides> members, TeamWork& work);

  /// Puts the tasks' weights and scores into `fit`, which has room for them, and their penalties:
  /// one per task of the group.
  std::vector<double> run(LinearFit& fit);

 private:
  /// One task on its way along the penalties.
  struct Search {
    const Task* task = nullptr;
    std::vector<std::unique_ptr<TaskFit>> fits{};  // per member; none: nothing to learn from
    std::vector<Eigen::MatrixXd> best{};           // per member: weights of the best penalty so far
    bool can_validate = false;
    std::optional<PenaltyPath> path{};
  };

  void make_bases();
  void make_fits();
  bool can_validate(const Search& search) const;
  double largest_bend(const Search& search) const;
  double constant_loss(const Search& search) const;
  bool try_penalties();
  MeanLoss try_penalty(const Search& search, std::size_t member, double penalty);
  LinearPart part_of(const Search& search, std::size_t member) const;
  void finish(Search& search, std::size_t member, LinearFit& fit);

  std::shared_ptr<const LinearFeatures> features_;
  std::span<const LinearSides> members_;
  TeamWork& work_;
  std::function<void()> checkpoint_;
  std::size_t most_rows_;
  std::vector<FeatureBasis> bases_;  // per member
  std::vector<Search> searches_;     // per task
};

}  // namespace softwood
