#include "train/warm/old_groups.h"

#include <algorithm>

#include "train/warm/parameters_of_curves.h"

namespace softwood {
namespace {

OldGroup all_trees(const Member& member, const Tasks& tasks) {
  OldGroup all{.group = {.is_narrow = true,
                         .learns_rest = member.linear.has_value(),
                         .num_trees = member.ensemble.shape().num_trees()},
               .task = {},
               .bundles = {},
               .weights = std::vector<double>(tasks.size(), 1.0)};
  for (std::size_t bundle = 0; bundle < member.ensemble.shape().bundles.size(); ++bundle)
    all.bundles.push_back(bundle);
  return all;
}

OldGroup described(const GroupRecord& record) {
  OldGroup group{.group = {.is_narrow = record.kind == GroupKind::narrow,
                           .is_private = record.is_private,
                           .learns_rest = record.learns_rest,
                           .num_trees = 0},
                 .task = {},
                 .bundles = {},
                 .weights = {}};
  for (std::size_t task = 0; task < record.shares.size(); ++task) {
    group.weights.push_back(record.shares[task].weight);
    if (record.is_private && record.shares[task].takes_part) group.task = task;
  }
  return group;
}

void unweigh_leaves(const Ensemble& ensemble, const OldGroup& group, const Tasks& own,
                    std::span<float> values) {
  for (const Task& task : own) {
    const double weight = group.weights[task.index_in_model];
    if (weight != 0)
      scale_leaves(ensemble, task.first_output, task.num_outputs(), 1 / weight, values);
  }
}

}  // namespace

bool tells_groups(const MemberRecord& record) {
  return !record.groups.empty() &&
         std::ranges::none_of(record.groups,
                              [](const GroupRecord& group) { return group.was_added; });
}

std::vector<OldGroup> old_groups(const Member& member, const Tasks& tasks) {
  const MemberRecord& record = member.record;
  std::vector<OldGroup> groups;
  if (!tells_groups(record)) {
    if (!member.ensemble.shape().bundles.empty()) groups.push_back(all_trees(member, tasks));
    return groups;
  }
  for (std::size_t index = 0; index < record.groups.size(); ++index) {
    OldGroup group = described(record.groups[index]);
    for (std::size_t bundle = 0; bundle < record.group_of_bundle.size(); ++bundle) {
      if (record.group_of_bundle[bundle] != index) continue;
      group.bundles.push_back(bundle);
      group.group.num_trees += member.ensemble.shape().bundles[bundle].num_trees;
    }
    if (!group.bundles.empty()) groups.push_back(std::move(group));
  }
  return groups;
}

InitialTrees trees_of(const OldGroup& group, const Member& member, const Tasks& tasks,
                      const Tasks& own, const std::vector<ColumnBasis>& columns) {
  EnsembleShape shape = member.ensemble.shape();
  shape.columns = columns;
  shape.num_outputs = own.num_outputs();
  shape.bundles.clear();
  const std::size_t shift = group.task ? tasks[*group.task].first_output : 0;
  AlignedVector<float> values;
  for (const std::size_t index : group.bundles) {
    Bundle& bundle = shape.bundles.emplace_back(member.ensemble.shape().bundles[index]);
    bundle.first_output -= shift;
    const BundleLayout& layout = member.ensemble.layout(index);
    values.insert(values.end(), member.values.begin() + static_cast<std::ptrdiff_t>(layout.begin()),
                  member.values.begin() + static_cast<std::ptrdiff_t>(layout.end()));
  }
  InitialTrees trees{Ensemble(std::move(shape)), {}};
  trees.parameters = trees.ensemble.make_buffer();
  parameters_of_curves(trees.ensemble, values, trees.parameters);
  unweigh_leaves(trees.ensemble, group, own, trees.parameters);
  return trees;
}

std::optional<LinearPart> old_linear_part(const Member& member, const Tasks& tasks) {
  std::optional<LinearPart> part = member.linear;
  if (!part || !tells_groups(member.record)) return part;
  for (const Task& task : tasks) {
    double weight = 0;  // by itself, and under the groups that add to it
    for (const GroupRecord& group : member.record.groups) {
      if (group.kind == GroupKind::linear || group.learns_rest)
        weight += group.shares[task.index_in_model].weight;
    }
    if (weight != 0) part->scale(task.first_output, task.num_outputs(), 1 / weight);
  }
  return part;
}

}  // namespace softwood
