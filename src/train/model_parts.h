#pragma once

#include <string>
#include <vector>

#include "base/aligned_vector.h"
#include "data/encoder.h"
#include "softwood/model.h"
#include "softwood/train.h"
#include "train/task.h"
#include "tree/ensemble.h"

namespace softwood {

/// Everything a prediction needs, and how it came to be.
struct ModelParts {
  Encoder encoder;
  std::vector<Task> tasks;
  Ensemble ensemble;
  AlignedVector<float> values;  ///< knot values, biases, leaves: an ensemble buffer
  TrainOptions options;         ///< as the user gave them
  int best_epoch = 0;
  std::vector<EpochResult> history;  ///< not saved
};

/// From tables to trained trees; see train(). `validation` may be nullptr.
ModelParts train_parts(const Table& table, const Table* validation, const TrainOptions& options,
                       const Hooks& hooks);

}  // namespace softwood
