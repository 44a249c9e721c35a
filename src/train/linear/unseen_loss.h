#pragma once

#include "linear/linear_part.h"
#include "task/mean_loss.h"
#include "task/tasks.h"
#include "train/linear/task_fit.h"
#include "train/prepare/examples.h"

namespace softwood {

/// A task's response in the examples.
inline const Responses& responses_of(const Task& task, const Examples& examples) {
  return examples.responses[task.index_in_model];
}

/// The loss of the examples under a function of the task's outputs.
MeanLoss validation_loss(const Task& task, const LinearPart& part, const Examples& examples);

/// The loss of some of the examples, given their g [rows × outputs].
MeanLoss loss_at(const Task& task, const Examples& examples, const LearnedRows& rows,
                 const Eigen::MatrixXd& g);

}  // namespace softwood
