#include "train/start/prepared_group.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

#include "softwood/error.h"
#include "train/start/column_bases.h"
#include "train/start/greedy_start.h"

namespace softwood {
namespace {

/// Of a narrow tree at most: it splits each of its columns once.
double weights_per_split(const Settings& settings, const GroupSettings& group,
                         const FeatureSpace& space) {
  std::vector<double> weights(space.num_sources, 0.0);
  for (const ColumnBasis& column : space.columns) {
    double& own = weights[column.source.value()];
    const auto parameters = static_cast<double>(column.num_parameters());
    own = group.is_narrow ? std::max(own, parameters) : (own == 0 ? parameters : own);
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 1.0);
  if (!group.is_narrow) return total;
  const auto columns = static_cast<double>(space.num_sources);
  const double trees = static_cast<double>(narrow_trees_per_bundle(settings.depth));
  return total * std::min(1.0, trees * (std::ldexp(1.0, settings.depth) - 1) / columns);
}

/// How often a group's trees are there.
std::size_t num_copies(const Settings& settings, const GroupSettings& group, const Tasks& tasks) {
  if (settings.separate_components) {
    return tasks.num_outputs();
  }
  return group.is_private || settings.couples_tasks ? tasks.size() : 1;
}

/// Training keeps eight numbers per weight (parameters, gradients, moments, averages, curves).
/// Better to say that they do not fit than to be ended by the system.
void check_memory(const Settings& settings, const FeatureSpace& space, const Tasks& tasks) {
  double num_trees = 0, weights = 0;
  for (const GroupSettings& group : settings.groups) {
    const auto trees = static_cast<double>(group.num_trees * num_copies(settings, group, tasks));
    num_trees += trees;
    weights += std::ldexp(trees, settings.depth) * weights_per_split(settings, group, space);
  }
  const double needed = weights * 8 * sizeof(float);
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (needed <= 0.8 * there) return;
  throw Error(
      fmt::format("{} trees of depth {} on {} columns need {:.0f} GB to train, and the machine has "
                  "{:.0f}. Use fewer --trees, a smaller --depth, fewer --bins or columns.",
                  num_trees, settings.depth, space.num_sources, needed / 1e9, there / 1e9));
}

InitialTrees initial_trees(const Settings& settings, const FeatureSpace& space,
                           const Encoder& encoder, const Tasks& tasks, const Examples& training,
                           std::size_t index, const std::function<void()>& stop_check) {
  const GroupSettings& group = settings.groups[index];
  if (!group.is_narrow) {
    std::size_t first_tree = 0;
    for (std::size_t before = 0; before < index; ++before) {
      first_tree += settings.groups[before].num_trees;
    }
    return initial_wide_trees(settings, group, space, first_tree);
  }
  if (settings.columns_per_tree > 0) {
    return initial_narrow_trees(settings, space, random_trees(settings, group, space, index));
  }
  const GreedyOptions greedy = {.num_trees = group.num_trees, .depth = settings.depth};
  return initial_narrow_trees(settings, space,
                              grow_greedy_trees(tasks, encoder.columns(), training, greedy,
                                                settings.seed, index, stop_check));
}

/// The outputs that have splits of their own: every one, or those of each task.
std::vector<OutputRange> ranges_of(const Settings& settings, const Tasks& tasks) {
  std::vector<OutputRange> ranges;
  for (const Task& task : tasks) {
    if (!settings.separate_components) {
      ranges.push_back({task.first_output, task.num_outputs()});
      continue;
    }
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      ranges.push_back({task.first_output + output, 1});
    }
  }
  return ranges;
}

PreparedGroup prepare_group(Settings settings, std::size_t index, FeatureSpace space,
                            const Encoder& encoder, Tasks tasks, const Examples& training,
                            const std::function<void()>& stop_check) {
  space.num_outputs = tasks.num_outputs();
  InitialTrees initial =
      initial_trees(settings, space, encoder, tasks, training, index, stop_check);
  if (settings.couples_tasks || settings.separate_components) {
    const std::vector<OutputRange> ranges = ranges_of(settings, tasks);
    initial = repeat_for_outputs(initial, ranges);
    if (settings.couples_tasks) initial.num_coupled = ranges.size();
  }
  const GroupSettings group = settings.groups[index];
  return {std::move(settings), group, std::move(tasks), std::move(initial)};
}

/// Trees that see more columns than there are rows find some by chance: the more columns a row has
/// to tell apart, the harder wide splits are held back.
void hold_back_wide_trees(Settings& settings, std::size_t num_columns, std::size_t num_rows) {
  constexpr double kDecayOfAsMany = 3;  // columns as rows
  const double ratio = static_cast<double>(num_columns) / static_cast<double>(num_rows);
  const double decay = kDecayOfAsMany * std::min(1.0, ratio * ratio);
  for (GroupSettings& group : settings.groups) {
    if (!group.is_narrow) group.decay = std::max(group.decay, decay);
  }
}

/// Of trees that were counted, each of the outputs that have their own gets its part.
void share_among_outputs(Settings& settings, const Tasks& tasks) {
  if (!settings.counts_trees || !settings.separate_components) return;
  const std::size_t num_outputs = ranges_of(settings, tasks).size();
  for (GroupSettings& group : settings.groups) {
    const std::size_t trees = group.num_trees * tasks.size();
    if (trees < num_outputs) {
      throw Error(fmt::format(
          "trees leaves {} to a group, too few for {} outputs that have their own: use more "
          "--trees, or leave out --components separate.",
          trees, num_outputs));
    }
    group.num_trees = trees / num_outputs;
  }
}

std::size_t count_responses(const Examples& examples, const Task& task) {
  const std::vector<double>& y = examples.responses[task.index_in_model].y;
  return static_cast<std::size_t>(
      std::count_if(y.begin(), y.end(), [](double value) { return !std::isnan(value); }));
}

/// What the options mean for the rows of one response.
Settings private_settings(const Settings& settings, const TrainOptions& options,
                          const MemberExamples& examples, const Tasks& alone) {
  Settings own = settings_for_private_group(
      options, settings, count_responses(examples.first, alone[0]), examples.validates);
  if (&examples.whole != &examples.first)
    keep_steps(own, count_responses(examples.whole, alone[0]));
  share_among_outputs(own, alone);
  return own;
}

}  // namespace

std::vector<PreparedGroup> prepare_groups(Settings settings, const Preparation& preparation,
                                          const MemberExamples& examples,
                                          const std::function<void()>& stop_check) {
  const Tasks& tasks = preparation.tasks;
  share_among_outputs(settings, tasks);
  const Encoder& encoder = preparation.encoder;
  const bool holds_back = preparation.splits.size() > 1 && !preparation.options.decay;
  if (holds_back) hold_back_wide_trees(settings, encoder.columns().size(), examples.first.size());
  const FeatureSpace space = {.columns = column_bases(encoder, examples.whole.chosen()),
                              .num_sources = encoder.columns().size(),
                              .num_outputs = 0};
  check_memory(settings, space, tasks);
  std::vector<PreparedGroup> groups;
  for (std::size_t index = 0; index < settings.groups.size(); ++index) {
    const Examples& training = settings.groups[index].learns_rest ? *examples.rest : examples.whole;
    if (!settings.groups[index].is_private || tasks.size() == 1) {
      groups.push_back(prepare_group(settings, index, space, encoder, tasks, training, stop_check));
      continue;
    }
    for (const Task& task : tasks) {
      const Tasks alone = tasks.only(task.index_in_model);
      Settings own = private_settings(settings, preparation.options, examples, alone);
      if (holds_back) hold_back_wide_trees(own, encoder.columns().size(), examples.first.size());
      groups.push_back(prepare_group(own, index, space, encoder, alone, training, stop_check));
    }
  }
  return groups;
}

}  // namespace softwood
