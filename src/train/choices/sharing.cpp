#include "train/choices/sharing.h"

#include <algorithm>

#include <fmt/format.h>

#include "options/choices.h"
#include "softwood/error.h"
#include "train/choices/group_plan.h"

namespace softwood {
namespace {

constexpr double kShareStrength = 0.005;
constexpr double kShareDecay = 0.5;

constexpr int kNarrowGroups = 2;  // of the recipe that shares partly by default

int trees_to_share_partly(int num_trees, std::size_t num_tasks, int num_narrow);

/// Sharing gains where responses are missing and loses where tasks are unlike: partly keeps the
/// gain without the loss, for more trees. Who asks for few trees wants a small model.
Share default_share(const TrainOptions& options) {
  if (options.tasks.size() < 2 || options.recipe != "default" || !options.ensemble.empty())
    return Share::hard;
  const bool few = options.trees && trees_to_share_partly(*options.trees, options.tasks.size(),
                                                          kNarrowGroups) < kLeastTreesToShare;
  return few ? Share::hard : Share::partly;
}

bool separates_components(const TrainOptions& options) {
  check_choice("components", kComponents, options.components);
  return options.components == "separate";
}

/// A smaller one of each kind, for every task.
void add_own_groups(std::vector<GroupSettings>& groups) {
  std::vector<GroupSettings> own;
  for (const GroupSettings& group : groups) {
    const bool there = std::any_of(own.begin(), own.end(), [&](const GroupSettings& other) {
      return other.is_narrow == group.is_narrow;
    });
    if (there) continue;
    own.push_back({.is_narrow = group.is_narrow,
                   .is_private = true,
                   .num_trees = std::max<std::size_t>(1, group.num_trees / 2)});
  }
  groups.insert(groups.end(), own.begin(), own.end());
}

/// How many trees are kept at most, if so many are for all tasks and each has some for itself.
std::size_t count_partly_shared(int num_shared, std::size_t num_tasks, int num_narrow) {
  std::vector<GroupSettings> groups = share_out_trees(num_shared, num_narrow);
  make_private(Share::partly, groups);
  const bool one_group = num_shared < kLeastTreesToShare;
  std::size_t shared = 0, own = 0;
  for (const GroupSettings& group : groups) {
    std::size_t& count = group.is_private ? own : shared;
    count = one_group ? std::max(count, group.num_trees) : count + group.num_trees;
  }
  return shared + num_tasks * own;
}

/// The most that leave room for those of each task; 0: none do.
int trees_to_share_partly(int num_trees, std::size_t num_tasks, int num_narrow) {
  // A task has nearly a third as many for itself as all share, or more.
  const auto third = static_cast<double>(num_tasks) / 3;
  int shared = std::min(num_trees, static_cast<int>(num_trees / (1 + third)) + 6);
  while (shared > 0 &&
         count_partly_shared(shared, num_tasks, num_narrow) > static_cast<std::size_t>(num_trees)) {
    --shared;
  }
  return shared;
}

}  // namespace

/// Soft sharing of strength 0 is none.
Share share_of(const TrainOptions& options) {
  if (!options.share) return default_share(options);
  const std::string& name = *options.share;
  check_choice("share", kShares, name);
  if (name == "hard") return Share::hard;
  if (name == "soft") return options.share_strength == 0 ? Share::none : Share::soft;
  return name == "none" ? Share::none : Share::partly;
}

int trees_of_a_set(const TrainOptions& options, int num_narrow) {
  const int num_trees = options.trees.value();
  const std::size_t num_tasks = options.tasks.size();
  const Share share = share_of(options);
  if (share == Share::hard || num_tasks < 2) return num_trees;
  const int trees = share == Share::partly ? trees_to_share_partly(num_trees, num_tasks, num_narrow)
                                           : num_trees / static_cast<int>(num_tasks);
  if (trees == 0) {
    throw Error(
        fmt::format("trees is {}, but {} tasks with trees of their own need at least {}. "
                    "Use more trees, or --share hard.",
                    num_trees, num_tasks, num_tasks + (share == Share::partly ? 1 : 0)));
  }
  return trees;
}

void make_private(Share share, std::vector<GroupSettings>& groups) {
  if (share == Share::none) {
    for (GroupSettings& group : groups) group.is_private = true;
  }
  if (share == Share::partly) add_own_groups(groups);
}

void set_sharing(Settings& settings, const TrainOptions& options) {
  settings.couples_tasks = share_of(options) == Share::soft;
  settings.share_strength = options.share_strength.value_or(kShareStrength);
  settings.share_decay = options.share_decay.value_or(kShareDecay);
  settings.separate_components = separates_components(options);
}

void refuse_sharing_without_effect(const TrainOptions& options) {
  const bool several = options.tasks.size() > 1;
  const bool separate = separates_components(options);
  if (options.share && !several && !(options.share == "soft" && separate)) {
    throw Error("share is for several tasks, and there is one: leave it out.");
  }
  if ((options.share_strength || options.share_decay) && options.share != "soft") {
    throw Error("share-strength and share-decay are for soft sharing: add --share soft.");
  }
  const Share share = share_of(options);
  if (separate && several && (share == Share::hard || share == Share::partly)) {
    throw Error(
        "trees that tasks share give all outputs the same splits: use --share none or soft with "
        "--components separate.");
  }
  if (!options.ensemble.empty() && (options.share == "none" || options.share == "partly")) {
    throw Error(
        "ensemble says what is shared: name own_wide and own_narrow groups there, or leave out "
        "ensemble.");
  }
  const bool nobody = std::none_of(options.tasks.begin(), options.tasks.end(), [](const auto& t) {
    return t.stop_weight.value_or(t.weight) > 0;
  });
  if (nobody) throw Error("all stop weights are 0: nothing would say when to stop.");
}

}  // namespace softwood
