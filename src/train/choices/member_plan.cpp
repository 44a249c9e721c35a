#include "train/choices/member_plan.h"

#include <algorithm>
#include <array>
#include <string>

#include "train/choices/sharing.h"

namespace softwood {
namespace {

/// Members for tables of a kind. How they were chosen: docs/accuracy.md, docs/tasks.md.
struct MemberRule {
  std::size_t most_rows;
  bool is_wide_and_short;  ///< for tables with more columns than half of their rows
  int members;
  int bins;  ///< where there are few columns; 0 = the encoder's rule
  int fine_bins;
  int shared_fine_bins;  ///< of several tasks
  const char* one_task;  ///< as --ensemble says it
  const char* shared;    ///< by several tasks
  const char* own;       ///< of each of several tasks, beside them; "" = none
};
constexpr std::array kMemberRules = {
    // Hundreds of columns: linear first, few wide trees.
    MemberRule{2000, true, 8, 0, 16, 16, "linear,wide=6,narrow=16,rest_narrow=16",
               "linear,wide=6,narrow=16,rest_narrow=16", ""},
    MemberRule{1000, false, 8, 8, 20, 20, "linear,wide=16,narrow=30,rest_wide=8",
               "linear,wide=12,narrow=24,rest_wide=12", ",own_wide=6"},
    MemberRule{6000, false, 5, 8, 32, 32, "wide=16,narrow=36", "linear,wide=16,narrow=32",
               ",own_wide=8,own_narrow=12"},
    // Tasks that are next to functions of their columns want finer scales; fewer rows would be
    // learned by heart.
    MemberRule{10000, false, 5, 8, 32, 128, "wide=16,narrow=36", "linear,wide=16,narrow=32",
               ",own_wide=8,own_narrow=12"},
};

const MemberRule* find_rule(const TableSize& table) {
  const bool is_wide_and_short = 2 * table.num_columns > table.num_rows;
  for (const MemberRule& rule : kMemberRules) {
    if (table.num_rows <= rule.most_rows && (is_wide_and_short || !rule.is_wide_and_short))
      return &rule;
  }
  return nullptr;
}

/// All groups that a task has for itself: "linear,own_wide=12,…".
std::string made_private(const std::string& ensemble) {
  std::string all;
  for (std::size_t begin = 0; begin < ensemble.size();) {
    const std::size_t end = std::min(ensemble.find(',', begin), ensemble.size());
    const std::string entry = ensemble.substr(begin, end - begin);
    all += (all.empty() ? "" : ",") + (entry == "linear" ? entry : "own_" + entry);
    begin = end + 1;
  }
  return all;
}

std::string ensemble_of(const MemberRule& rule, const TrainOptions& options) {
  if (options.tasks.size() < 2) return rule.one_task;
  const std::string shared = rule.shared;
  if (!options.share) return shared + rule.own;
  switch (share_of(options)) {
    case Share::none:
      return made_private(shared);
    case Share::partly:
      return shared + (*rule.own != '\0' ? rule.own : ",own_wide=6");
    case Share::hard:
    case Share::soft:
      break;
  }
  return shared;
}

bool says_which_rows_validate(const TrainOptions& options) {
  return !options.valid_column.empty() || options.valid_fraction.has_value();
}

bool says_how_many_trees(const TrainOptions& options) {
  return options.trees.has_value() || !options.ensemble.empty();
}

}  // namespace

TrainOptions settle_members(TrainOptions options, const TableSize& table) {
  const bool has_folds = !options.fold_column.empty();
  const MemberRule* rule = find_rule(table);
  if (!options.members && !has_folds) {
    const bool is_open = options.recipe == "default" && !says_how_many_trees(options) &&
                         !says_which_rows_validate(options) && !table.has_validation_table;
    // As many as there are folds with a row in each.
    const auto most = static_cast<int>(std::min(table.num_rows / 2, table.most_folds));
    options.members = is_open && rule != nullptr ? std::max(1, std::min(rule->members, most)) : 1;
  }
  const bool several = has_folds || options.members.value_or(1) > 1;
  if (!several || rule == nullptr || options.recipe != "default" || says_how_many_trees(options))
    return options;
  options.ensemble = ensemble_of(*rule, options);
  if (!options.fine_bins) {
    options.fine_bins = options.tasks.size() < 2 ? rule->fine_bins : rule->shared_fine_bins;
  }
  // Above so many columns the encoder's own rule has as few, and several tasks want more.
  constexpr std::size_t kFewColumns = 16;
  const bool wants_fewer = table.num_columns <= kFewColumns && options.tasks.size() < 2;
  if (!options.bins && rule->bins > 0 && wants_fewer) options.bins = rule->bins;
  return options;
}

}  // namespace softwood
