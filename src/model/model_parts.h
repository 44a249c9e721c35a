#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/aligned_vector.h"
#include "data/encoder/encoder.h"
#include "linear/linear_part.h"
#include "model/learned_table.h"
#include "model/training_record.h"
#include "softwood/options.h"
#include "task/tasks.h"
#include "tree/ensemble.h"
#include "tree/kept_knots.h"

namespace softwood {

/// One ensemble of trees, with a linear function beside it or not. Predictions of several members
/// are averaged.
struct Member {
  Ensemble ensemble;
  AlignedVector<float> values;  ///< knot values, biases, leaves: an ensemble buffer
  /// Of every output: f = offset + unit · g, where g is what trees and linear part add up to.
  std::vector<double> offset;
  std::optional<LinearPart> linear{};
  int best_epoch = 0;
  MemberRecord record{};  ///< how it was trained
  KeptKnots kept{};       ///< the numbers of its curves that a file holds, which 16 bits hold then
};

/// Everything a prediction needs, and how it came to be.
struct ModelParts {
  Encoder encoder;
  Tasks tasks;
  std::vector<Member> members;
  TrainOptions options;  ///< as the user gave them
  /// In the order in which it has learned from them; none of a model older than this account.
  std::vector<LearnedTable> learned;

  /// Per row of the training table, the member that has not learned from it; −1: none or all. Not
  /// saved: it is as long as the table.
  std::vector<std::int32_t> folds;
};

/// Per task, the mean over the members' validation rows, each fold by its number of rows; empty
/// without such rows, NaN of a task that no fold can tell of.
std::vector<double> mean_validation_losses(const ModelParts& parts);

/// At every level of a tree, how many splits a row reaches: the mean of the members that tell (see
/// MemberRecord); empty if none does.
std::vector<double> mean_nodes_visited(const ModelParts& parts);

/// Counted from 0; throws Error if there is no such member.
const Member& find_member(const ModelParts& parts, std::size_t member);

}  // namespace softwood
