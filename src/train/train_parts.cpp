#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "base/random.h"
#include "base/simd_target.h"
#include "base/thread_team.h"
#include "softwood/error.h"
#include "train/column_bases.h"
#include "train/greedy_start.h"
#include "train/member_hooks.h"
#include "train/model_parts.h"
#include "train/planting.h"
#include "train/preparation.h"
#include "train/trainer.h"

namespace softwood {
namespace {

/// Of a narrow tree at most: it splits each of its columns once.
double weights_per_split(const Settings& settings, const GroupSettings& group,
                         const Ground& ground) {
  std::vector<double> weights(ground.num_sources, 0.0);
  for (const ColumnBasis& column : ground.columns) {
    double& own = weights[column.source.value()];
    const auto parameters = static_cast<double>(column.num_parameters());
    own = group.is_narrow ? std::max(own, parameters) : (own == 0 ? parameters : own);
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 1.0);
  if (!group.is_narrow) return total;
  const auto columns = static_cast<double>(ground.num_sources);
  const double trees = static_cast<double>(narrow_trees_per_bundle(settings.depth));
  return total * std::min(1.0, trees * (std::ldexp(1.0, settings.depth) - 1) / columns);
}

/// Training keeps eight numbers per weight (parameters, gradients, moments, averages, curves).
/// Better to say that they do not fit than to be ended by the system.
void check_memory(const Settings& settings, const Ground& ground) {
  double num_trees = 0, weights = 0;
  for (const GroupSettings& group : settings.groups) {
    const auto trees = static_cast<double>(group.num_trees);
    num_trees += trees;
    weights += std::ldexp(trees, settings.depth) * weights_per_split(settings, group, ground);
  }
  const double needed = weights * 8 * sizeof(float);
  const double there =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  if (needed <= 0.8 * there) return;
  throw Error(
      fmt::format("{} trees of depth {} on {} columns need {:.0f} GB to train, and the machine has "
                  "{:.0f}. Use fewer --trees, a smaller --depth, fewer --bins or columns.",
                  num_trees, settings.depth, ground.num_sources, needed / 1e9, there / 1e9));
}

Plant plant_group(const Settings& settings, const Ground& ground, const Encoder& encoder,
                  const std::vector<Task>& tasks, const Examples& training, std::size_t index) {
  const GroupSettings& group = settings.groups[index];
  if (!group.is_narrow) {
    std::size_t first_tree = 0;
    for (std::size_t before = 0; before < index; ++before) {
      first_tree += settings.groups[before].num_trees;
    }
    return plant_wide_trees(settings, group, ground, first_tree);
  }
  if (settings.columns_per_tree > 0) {
    return plant_narrow_trees(settings, ground, random_trees(settings, group, ground, index));
  }
  const GreedyOptions greedy = {.num_trees = group.num_trees, .depth = settings.depth};
  return plant_narrow_trees(
      settings, ground,
      grow_greedy_trees(tasks, encoder.columns(), training, greedy, settings.seed, index));
}

std::vector<Plant> plant_groups(const Settings& settings, const Preparation& preparation,
                                const Examples& training) {
  const std::vector<Task>& tasks = preparation.tasks;
  const Ground ground = {.columns = column_bases(preparation.encoder, training.rows),
                         .num_sources = preparation.encoder.columns().size(),
                         .num_outputs = tasks.back().first_output + tasks.back().num_outputs()};
  check_memory(settings, ground);
  std::vector<Plant> plants;
  for (std::size_t group = 0; group < settings.groups.size(); ++group) {
    plants.push_back(plant_group(settings, ground, preparation.encoder, tasks, training, group));
  }
  return plants;
}

/// "trees: 48 wide (best epoch 37, weight 0.41), …"
void tell_groups(const std::vector<GroupOutcome>& outcomes, const std::string& prefix,
                 const NoteSink& note) {
  std::string line;
  for (const GroupOutcome& outcome : outcomes) {
    line += fmt::format("{}{} {} (best epoch {}, weight {:.2f})", line.empty() ? "trees: " : ", ",
                        outcome.num_trees, outcome.is_narrow ? "narrow" : "wide",
                        outcome.best_epoch, fmt::join(outcome.weights, "/"));
  }
  note(prefix + line);
}

/// A member and what is told about its training.
struct TrainedMember {
  Member member;
  std::vector<GroupOutcome> groups;
  std::vector<EpochResult> history;
  std::vector<double> validation_losses;
  bool has_learned = false;  ///< from every row at least once
};

TrainedMember train_member(const Settings& settings, const Preparation& preparation,
                           const Sides& sides, const Hooks& hooks) {
  Trainer trainer(settings, preparation.tasks, plant_groups(settings, preparation, sides.training),
                  sides.training, sides.validation, hooks);
  trainer.run();
  Plant blended = trainer.blended();
  return {.member = {.ensemble = std::move(blended.ensemble),
                     .values = std::move(blended.parameters),
                     .best_epoch = trainer.best_epoch()},
          .groups = trainer.outcomes(),
          .history = trainer.history(),
          .validation_losses = trainer.validation_losses(),
          .has_learned = trainer.whole_epochs() > 0};
}

/// One member's own: batches for its number of rows, a seed, a share of the threads.
Settings member_settings(const Preparation& preparation, const TrainOptions& options,
                         std::size_t member, int threads) {
  if (preparation.splits.size() == 1) return preparation.settings;
  Settings own = make_settings(options, preparation.splits[member].training.size(), true);
  own.seed = RandomStream(options.seed, "member").bits(member);
  own.threads = threads;
  return own;
}

std::vector<TrainedMember> train_members(const Preparation& preparation,
                                         const TrainOptions& options, const Hooks& hooks) {
  const std::size_t count = preparation.splits.size();
  const int available = ThreadTeam::resolve(preparation.settings.threads);
  const int at_once = std::min(available, static_cast<int>(count));
  MemberHooks shared(hooks, count);
  std::vector<std::optional<TrainedMember>> trained(count);
  ThreadTeam team(at_once);
  team.for_each(count, [&](std::size_t member) {
    // Who has not begun when the user says stop never begins; the first always does.
    if (member > 0 && shared.stopped()) return;
    const Settings settings = member_settings(preparation, options, member, available / at_once);
    trained[member] =
        train_member(settings, preparation, preparation.sides(member), shared.of(member));
  });
  std::vector<TrainedMember> members;
  for (std::optional<TrainedMember>& each : trained) {
    if (each && each->has_learned) members.push_back(std::move(*each));
  }
  if (members.empty()) members.push_back(std::move(*trained[0]));
  return members;
}

std::vector<std::int32_t> folds_of(const Preparation& preparation) {
  std::vector<std::int32_t> folds(preparation.rows.num_rows, -1);
  for (std::size_t member = 0; member < preparation.splits.size(); ++member) {
    for (const std::uint32_t row : preparation.splits[member].validation) {
      folds[row] = static_cast<std::int32_t>(member);
    }
  }
  return folds;
}

void add_to_mean(std::vector<double>& mean, const std::vector<double>& values, std::size_t count) {
  mean.resize(values.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) mean[i] += values[i] / static_cast<double>(count);
}

}  // namespace

ModelParts train_parts(const Table& table, const Table* validation, const TrainOptions& options,
                       const Hooks& hooks) {
  choose_simd_target();
  validate(options);
  const NoteSink note = [&](const std::string& line) {
    if (hooks.on_note) hooks.on_note(line);
  };
  Preparation preparation = prepare(table, validation, options, note);
  std::vector<TrainedMember> trained = train_members(preparation, options, hooks);
  ModelParts parts;
  for (TrainedMember& each : trained) {
    const std::string prefix =
        trained.size() == 1 ? "" : fmt::format("member {}: ", parts.members.size() + 1);
    if (each.groups.size() > 1) tell_groups(each.groups, prefix, note);
    parts.members.push_back(std::move(each.member));
    for (EpochResult& result : each.history) {
      result.member = static_cast<int>(parts.members.size());
      parts.history.push_back(std::move(result));
    }
    add_to_mean(parts.validation_losses, each.validation_losses, trained.size());
  }
  if (trained.size() == preparation.splits.size()) parts.folds = folds_of(preparation);
  parts.encoder = std::move(preparation.encoder);
  parts.tasks = std::move(preparation.tasks);
  parts.options = options;
  return parts;
}

}  // namespace softwood
