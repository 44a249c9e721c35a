#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/aligned_vector.h"
#include "data/encoder/encoder.h"
#include "softwood/model.h"
#include "softwood/options.h"
#include "task/tasks.h"
#include "tree/ensemble.h"

namespace softwood {

/// One ensemble of trees. Predictions of several members are averaged.
struct Member {
  Ensemble ensemble;
  AlignedVector<float> values;  ///< knot values, biases, leaves: an ensemble buffer
  std::vector<double> offset;   ///< of every output: f = offset + unit · what the trees add up to
  int best_epoch = 0;
};

/// Everything a prediction needs, and how it came to be.
struct ModelParts {
  Encoder encoder;
  Tasks tasks;
  std::vector<Member> members;
  TrainOptions options;  ///< as the user gave them

  // Of the training; not saved.
  std::vector<EpochResult> history;       ///< member after member
  std::vector<double> validation_losses;  ///< per task, mean over the members; empty: no such rows
  /// Per row of the training table, the member that has not learned from it; −1: none or all.
  std::vector<std::int32_t> folds;
};

}  // namespace softwood
