#pragma once

#include <vector>

#include "model/model_parts.h"
#include "softwood/train.h"
#include "train/checkpoint/checkpoints.h"
#include "train/prepare/preparation.h"

namespace softwood {

/// The members of a model, and what is told about their training.
struct TrainedMembers {
  std::vector<Member> members;
  /// Per task, over the validation rows of all members; empty without such rows.
  std::vector<double> losses_before_thinning, losses_before_balance, losses;
};

/// Trains all members in step, from the beginning or from where a checkpoint stands. Throws Stopped
/// if a hook stops it before there is anything to keep.
TrainedMembers train_members(const Preparation& preparation, Checkpoints& checkpoints,
                             const Hooks& hooks);

}  // namespace softwood
