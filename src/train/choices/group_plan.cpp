#include "train/choices/group_plan.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "softwood/error.h"
#include "train/choices/recipe.h"
#include "train/choices/sharing.h"

namespace softwood {
namespace {

constexpr std::string_view kLinear = "linear", kOwn = "own_", kRest = "rest_";

[[noreturn]] void refuse_ensemble(const std::string& text) {
  throw Error(fmt::format(
      "ensemble '{}' is not understood: write wide=48,narrow=48x2 for a group of 48 trees that "
      "see all columns and two of 48 that see a few each; linear is a part without trees; own_wide "
      "and own_narrow are groups that every task has for itself, rest_wide and rest_narrow (and "
      "own_rest_wide, own_rest_narrow) groups that learn what the linear part leaves.",
      text));
}

/// Takes the prefix off a name; false: it has none.
bool take_off(std::string_view prefix, std::string& name) {
  if (!name.starts_with(prefix)) return false;
  name.erase(0, prefix.size());
  return true;
}

/// "48" or "48x2" → the sizes of the groups.
std::vector<int> group_sizes(const std::string& text, const std::string& whole) {
  int size = 0, times = 1;
  const char* const end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, size);
  if (read.ec == std::errc() && read.ptr != end && *read.ptr == 'x') {
    read = std::from_chars(read.ptr + 1, end, times);
  }
  if (read.ec != std::errc() || read.ptr != end || size < 1 || size > 1000000 || times < 1 ||
      times > 100) {
    refuse_ensemble(whole);
  }
  return std::vector<int>(static_cast<std::size_t>(times), size);
}

int num_trees_to_share_out(const TrainOptions& options, const Recipe& recipe) {
  return options.trees ? trees_of_a_set(options, recipe.num_narrow_groups) : recipe.trees;
}

}  // namespace

GroupPlan parse_ensemble(const std::string& text) {
  GroupPlan plan;
  bool learns_rest = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string entry = text.substr(begin, end - begin);
    begin = end + 1;
    if (entry == kLinear) {
      plan.has_linear = true;
      continue;
    }
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) refuse_ensemble(text);
    std::string kind = entry.substr(0, equals);
    GroupSettings group;
    group.is_private = take_off(kOwn, kind);
    group.learns_rest = take_off(kRest, kind);
    group.is_narrow = kind == "narrow";
    if (!group.is_narrow && kind != "wide") refuse_ensemble(text);
    learns_rest = learns_rest || group.learns_rest;
    for (const int size : group_sizes(entry.substr(equals + 1), text)) {
      group.num_trees = static_cast<std::size_t>(size);
      plan.groups.push_back(group);
    }
  }
  if (learns_rest && !plan.has_linear) {
    throw Error(fmt::format(
        "ensemble '{}' has trees that learn what the linear part leaves, but no linear part: add "
        "'linear'.",
        text));
  }
  if (plan.groups.empty()) {
    throw Error(fmt::format("ensemble '{}' has no trees: add some, as in linear,wide=16.", text));
  }
  return plan;
}

std::vector<GroupSettings> share_out_trees(int num_trees, int num_narrow) {
  const bool few = num_trees < kLeastTreesToShare;
  if (few) num_narrow = std::min(1, num_narrow);
  const int narrow = few ? num_trees : num_trees / (1 + num_narrow);
  const int wide = few ? num_trees : num_trees - narrow * num_narrow;
  std::vector<GroupSettings> groups(1);
  groups[0].num_trees = static_cast<std::size_t>(wide);
  for (int group = 0; group < num_narrow; ++group) {
    groups.push_back({.is_narrow = true, .num_trees = static_cast<std::size_t>(narrow)});
  }
  return groups;
}

GroupPlan plan_groups(const TrainOptions& options) {
  if (!options.ensemble.empty()) return parse_ensemble(options.ensemble);
  const Recipe& recipe = recipe_named(options.recipe);
  const int trees = num_trees_to_share_out(options, recipe);
  std::vector<GroupSettings> groups = share_out_trees(trees, recipe.num_narrow_groups);
  make_private(share_of(options), groups);
  return {.groups = std::move(groups)};
}

bool keeps_one_group(const TrainOptions& options) {
  if (!options.ensemble.empty()) return false;
  return num_trees_to_share_out(options, recipe_named(options.recipe)) < kLeastTreesToShare;
}

bool has_narrow_trees(const std::vector<GroupSettings>& groups) {
  return std::any_of(groups.begin(), groups.end(),
                     [](const GroupSettings& group) { return group.is_narrow; });
}

}  // namespace softwood
