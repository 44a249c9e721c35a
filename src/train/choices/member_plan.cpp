#include "train/choices/member_plan.h"

#include <algorithm>
#include <array>

namespace softwood {
namespace {

/// Tables of at most so many rows have so many members of this kind.
struct MemberRule {
  std::size_t rows;
  int members;
  const char* ensemble;             ///< of one task
  const char* ensemble_of_several;  ///< of several
};
constexpr std::array kMemberRules = {
    MemberRule{2000, 10, "linear,wide=12,narrow=6x2,rest_narrow=6", "linear,wide=12,narrow=6x2"},
    MemberRule{10000, 5, "linear,wide=24,narrow=12x2,rest_narrow=12",
               "linear,wide=24,narrow=24x2"}};

bool says_which_rows_validate(const TrainOptions& options) {
  return !options.valid_column.empty() || options.valid_fraction.has_value();
}

bool says_how_many_trees(const TrainOptions& options) {
  return options.trees.has_value() || !options.ensemble.empty();
}

}  // namespace

TrainOptions settle_members(TrainOptions options, std::size_t num_rows, std::size_t most_folds,
                            bool has_validation_table) {
  const bool is_asked = options.members.value_or(2) > 1 || !options.fold_column.empty();
  const bool is_open = is_asked && options.recipe == "default" && !says_how_many_trees(options);
  if (!options.members && (!is_open || has_validation_table || says_which_rows_validate(options)))
    options.members = 1;
  if (!is_open || options.members == 1) return options;
  for (const MemberRule& rule : kMemberRules) {
    if (num_rows > rule.rows) continue;
    if (!options.members && options.fold_column.empty()) {
      options.members =
          static_cast<int>(std::min(static_cast<std::size_t>(rule.members), most_folds));
      if (options.members == 1) return options;
    }
    options.ensemble = options.tasks.size() > 1 ? rule.ensemble_of_several : rule.ensemble;
    return options;
  }
  if (!options.members) options.members = 1;
  return options;
}

}  // namespace softwood
