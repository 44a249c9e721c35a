#pragma once

#include "model/distribution/distribution.h"
#include "model/output_blocks.h"
#include "softwood/model.h"
#include "task/mean_loss.h"
#include "task/responses.h"

namespace softwood {

/// The figures that fit one task's response, from the blocks of a table: for classes log-loss,
/// accuracy, AUC; for numbers RMSE, MAE, R²; for counts also Poisson deviance and the AUC of y > 0;
/// for a loss with a cdf the CRPS, the coverage of central intervals and a PIT histogram; for a
/// vector `quantile` the coverage of its ends; and the loss itself, at the mean of the members' raw
/// outputs. Rows without a response take no part.
class TaskEvaluator {
 public:
  /// Borrowed.
  TaskEvaluator(const Task& task, const Responses& responses);

  /// Every block of the table, once.
  void add(const OutputBlock& block, ThreadTeam& team);
  /// After all of them.
  Evaluation finish() const;

 private:
  void add_distribution(const OutputBlock& block, ThreadTeam& team);

  const Task& task_;
  const Responses& responses_;
  std::vector<bool> censored_;
  std::vector<std::size_t> observed_;  // rows that have a response
  // Of all rows.
  MeanLoss mean_loss_;
  TaskPredictions predictions_;
  std::vector<double> crps_;  // empty if there is no distribution
  PitIntervals pit_;
};

}  // namespace softwood
