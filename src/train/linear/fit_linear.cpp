#include "train/linear/fit_linear.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "train/linear/group_fit.h"

namespace softwood {
namespace {

constexpr std::size_t kMostFeatures = 3000;
constexpr double kMostWork = 3e11;
constexpr std::size_t kMostCells = 10'000'000;
constexpr std::size_t kCheapOutputs = 5;
constexpr std::size_t kAlwaysRows = 5000;

using Members = std::span<const LinearSides>;

bool have_same_rows(const Task& one, const Task& other, Members members) {
  return std::ranges::all_of(members, [&](const LinearSides& sides) {
    return std::ranges::equal(responses_of(one, *sides.training).y,
                              responses_of(other, *sides.training).y,
                              [](double a, double b) { return std::isnan(a) == std::isnan(b); });
  });
}

std::vector<TaskGroup> group_tasks(const Tasks& tasks, Members members) {
  std::vector<TaskGroup> groups;
  for (const Task& task : tasks) {
    const auto found = std::ranges::find_if(
        groups, [&](const TaskGroup& group) { return have_same_rows(*group[0], task, members); });
    if (found != groups.end()) {
      found->push_back(&task);
    } else {
      groups.push_back({&task});
    }
  }
  return groups;
}

/// Features of a member that vary are too many, or the bases of all members are too much work.
bool is_too_much(const std::vector<TaskGroup>& groups, const LinearFeatures& features,
                 Members members) {
  double work = 0;
  for (const LinearSides& sides : members) {
    const Examples& training = *sides.training;
    const Responses everywhere{.y = std::vector<double>(training.size()), .columns = {}};
    const LearnedRows rows = learned_rows(training, everywhere, most_rows(features.size(), 1));
    const std::size_t varying = varying_features(features, training, rows).features.size();
    if (varying > kMostFeatures) return true;
    for (const TaskGroup& group : groups) {
      const std::size_t most = most_rows(features.size(), most_outputs(group));
      work += basis_work(std::min(training.size(), most), varying);
    }
  }
  return work > kMostWork;
}

}  // namespace

std::size_t most_rows(std::size_t num_features, std::size_t num_outputs) {
  const std::size_t cells = kMostCells * kCheapOutputs / std::max(num_outputs, kCheapOutputs);
  return std::max(cells / std::max<std::size_t>(num_features, 1), kAlwaysRows);
}

LinearFit fit_linear(const Tasks& tasks, const Encoder& encoder, Members members, ThreadTeam& team,
                     const std::function<void()>& stop_check) {
  const auto features = std::make_shared<const LinearFeatures>(encoder.columns());
  const std::vector<TaskGroup> groups = group_tasks(tasks, members);
  LinearFit fit;
  if (is_too_much(groups, *features, members)) return fit;
  for (const LinearSides& sides : members) {
    fit.members.emplace_back(features, tasks.num_outputs());
    fit.scores.emplace_back(tasks.num_outputs() * sides.validation->size());
    fit.training_scores.emplace_back(tasks.num_outputs() * sides.training->size());
  }
  fit.penalties.resize(tasks.size());
  TeamWork work(team, stop_check);
  for (const TaskGroup& group : groups) {
    const std::vector<double> penalties = GroupFit(group, features, members, work).run(fit);
    for (std::size_t i = 0; i < group.size(); ++i)
      fit.penalties[static_cast<std::size_t>(group[i] - &tasks.front())] = penalties[i];
  }
  return fit;
}

}  // namespace softwood
