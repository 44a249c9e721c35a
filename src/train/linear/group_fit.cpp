#include "train/linear/group_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace softwood {

using Eigen::Index;
using Eigen::MatrixXd;

std::size_t most_outputs(const TaskGroup& group) {
  std::size_t most = 1;
  for (const Task* task : group) most = std::max(most, task->num_outputs());
  return most;
}

GroupFit::GroupFit(const TaskGroup& group, std::shared_ptr<const LinearFeatures> features,
                   std::span<const LinearSides> members, TeamWork& work)
    : features_(std::move(features)),
      members_(members),
      work_(work),
      checkpoint_([&work] { work.checkpoint(); }),
      most_rows_(most_rows(features_->size(), most_outputs(group))),
      bases_(members.size()) {
  for (const Task* task : group) {
    Search& search = searches_.emplace_back();
    search.task = task;
    search.fits.resize(members.size());
    search.best.resize(members.size());
  }
}

std::vector<double> GroupFit::run(LinearFit& fit) {
  make_bases();
  make_fits();
  for (Search& search : searches_) {
    search.can_validate = can_validate(search);
    search.path.emplace(largest_bend(search), constant_loss(search));
  }
  while (try_penalties()) {
  }
  work_.for_each(searches_.size() * members_.size(), [&](std::size_t item) {
    finish(searches_[item / members_.size()], item % members_.size(), fit);
  });
  std::vector<double> penalties;
  for (const Search& search : searches_)
    penalties.push_back(search.path->best().value_or(std::numeric_limits<double>::infinity()));
  return penalties;
}

void GroupFit::make_bases() {
  work_.for_each(members_.size(), [&](std::size_t member) {
    work_.checkpoint();
    const Examples& training = *members_[member].training;
    const LearnedRows rows =
        learned_rows(training, responses_of(*searches_[0].task, training), most_rows_);
    if (rows.size() > 0) bases_[member] = make_feature_basis(*features_, training, rows);
  });
}

void GroupFit::make_fits() {
  work_.for_each(searches_.size() * members_.size(), [&](std::size_t item) {
    work_.checkpoint();
    Search& search = searches_[item / members_.size()];
    const std::size_t member = item % members_.size();
    const Examples& training = *members_[member].training;
    const Responses& responses = responses_of(*search.task, training);
    LearnedRows rows = learned_rows(training, responses, most_rows_);
    if (rows.size() == 0) return;
    search.fits[member] =
        make_task_fit({*search.task, responses, std::move(rows)}, bases_[member], checkpoint_);
    search.best[member] = search.fits[member]->weights();
  });
}

/// Some member that learns the task has validation rows with a response.
bool GroupFit::can_validate(const Search& search) const {
  for (std::size_t member = 0; member < members_.size(); ++member) {
    const Examples& examples = *members_[member].validation;
    const std::vector<double>& y = responses_of(*search.task, examples).y;
    for (std::size_t row = 0; row < y.size() && search.fits[member]; ++row) {
      if (!std::isnan(y[row]) && examples.weight(row) > 0) return true;
    }
  }
  return false;
}

/// Of all members, about.
double GroupFit::largest_bend(const Search& search) const {
  double curvature = 0, spread = 0, count = 0;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    if (!search.fits[member]) continue;
    curvature += search.fits[member]->curvature();
    if (bases_[member].size() > 0) spread = std::max(spread, bases_[member].spreads.maxCoeff());
    ++count;
  }
  return curvature / std::max(count, 1.0) * spread;
}

/// Of functions that are 0 everywhere, as they are before the first penalty. That is the loss of
/// the best constants of all rows; those of other rows only would lose about one loss scale per
/// output and row.
double GroupFit::constant_loss(const Search& search) const {
  MeanLoss all;
  for (std::size_t member = 0; member < members_.size(); ++member) {
    if (!search.fits[member]) continue;
    const LearnedRows& rows = search.fits[member]->rows();
    const auto outputs = static_cast<Index>(search.task->num_outputs());
    all.add(
        search.can_validate
            ? validation_loss(*search.task, part_of(search, member), *members_[member].validation)
            : loss_at(*search.task, *members_[member].training, rows,
                      MatrixXd::Zero(static_cast<Index>(rows.size()), outputs)));
  }
  const Task& task = *search.task;
  return all.value() + task.units.loss_scale * static_cast<double>(task.num_outputs()) / all.weight;
}

/// The next penalty of every task that wants one; false if none does.
bool GroupFit::try_penalties() {
  std::vector<Search*> active;
  for (Search& search : searches_) {
    if (search.path->next()) active.push_back(&search);
  }
  std::vector<MeanLoss> losses(active.size() * members_.size());
  work_.for_each(losses.size(), [&](std::size_t item) {
    const Search& search = *active[item / members_.size()];
    losses[item] = try_penalty(search, item % members_.size(), *search.path->next());
  });
  for (std::size_t i = 0; i < active.size(); ++i) {
    MeanLoss all;
    for (std::size_t member = 0; member < members_.size(); ++member)
      all.add(losses[i * members_.size() + member]);
    if (!active[i]->path->add(all.value())) continue;
    for (std::size_t member = 0; member < members_.size(); ++member) {
      if (active[i]->fits[member]) active[i]->best[member] = active[i]->fits[member]->weights();
    }
  }
  return !active.empty();
}

/// The member's loss on rows that it has not learned from.
MeanLoss GroupFit::try_penalty(const Search& search, std::size_t member, double penalty) {
  work_.checkpoint();
  if (!search.fits[member]) return {};
  TaskFit& fit = *search.fits[member];
  fit.solve(penalty, Precision::enough_to_compare);
  if (search.can_validate)
    return validation_loss(*search.task, part_of(search, member), *members_[member].validation);
  return loss_at(*search.task, *members_[member].training, fit.rows(), fit.leave_one_out(penalty));
}

LinearPart GroupFit::part_of(const Search& search, std::size_t member) const {
  return part_in_basis(features_, bases_[member], search.fits[member]->weights());
}

/// The best penalty's solution in full precision, put into the member's part and scores.
void GroupFit::finish(Search& search, std::size_t member, LinearFit& fit) {
  work_.checkpoint();
  const std::optional<double> penalty = search.path->best();
  if (!penalty || !search.fits[member]) return;
  TaskFit& own = *search.fits[member];
  own.start_from(search.best[member]);
  own.solve(*penalty, Precision::full);
  const Task& task = *search.task;
  const LinearPart part = part_of(search, member);
  fit.members[member].put(part, task.first_output);
  const auto add_sums = [&](const Examples& examples, std::vector<double>& scores) {
    const MatrixView<double> g(scores.data() + task.first_output * examples.size(),
                               task.num_outputs(), examples.size());
    part.add_sums(examples.positions, examples.rows, g);
    return g;
  };
  add_sums(*members_[member].validation, fit.scores[member]);
  const MatrixView<double> g = add_sums(*members_[member].training, fit.training_scores[member]);
  const MatrixXd left_out = own.leave_one_out(*penalty);
  for (Index k = 0; k < left_out.cols(); ++k) {
    for (Index i = 0; i < left_out.rows(); ++i)
      g(static_cast<std::size_t>(k), own.rows().places[static_cast<std::size_t>(i)]) =
          left_out(i, k);
  }
}

}  // namespace softwood
