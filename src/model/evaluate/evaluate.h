#pragma once

#include "model/predict.h"
#include "softwood/model.h"
#include "task/responses.h"

namespace softwood {

/// The figures that fit one task's response: for classes log-loss, accuracy, AUC; for numbers RMSE,
/// MAE, R²; for counts also Poisson deviance and the AUC of y > 0; for a loss with a cdf the
/// CRPS, the coverage of central intervals and a PIT histogram; for a vector `quantile` the
/// coverage of its ends; and the loss itself, at the mean of the members' raw outputs. Rows without
/// a response take no part.
Evaluation evaluate_task(const Task& task, const Responses& responses, const MemberOutputs& outputs,
                         ThreadTeam& team);

}  // namespace softwood
