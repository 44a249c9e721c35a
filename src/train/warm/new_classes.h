#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "model/model_parts.h"
#include "softwood/table.h"
#include "task/responses.h"
#include "train/prepare/words.h"
#include "tree/tree_sums.h"

namespace softwood {

/// Classes of the tables' responses that the model has not met become classes of its tasks, after
/// the old ones, where the probabilities are softmax(f). Offsets of their outputs are still to be
/// found. Throws Error for other losses.
void add_new_classes(Tasks& tasks, const std::vector<const Table*>& tables, const Words& words);

/// Offsets of outputs that a model's tasks have and `old_tasks` have not: in the mean over `rows`,
/// new classes are as probable as they are frequent there. `model`: grown (see grow_members());
/// `responses`: per task, of the whole table.
void find_offsets_of_new_classes(ModelParts& model, const Tasks& old_tasks, const ChosenRows& rows,
                                 const std::vector<Responses>& responses, ThreadTeam& team);

}  // namespace softwood
