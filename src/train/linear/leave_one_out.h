#pragma once

#include <Eigen/Core>

#include "train/linear/feature_basis.h"
#include "train/linear/task_objective.h"

namespace softwood {

/// g [rows × outputs] of weights [directions, then the bias, × outputs].
Eigen::MatrixXd scores_of(const FeatureBasis& basis, const Eigen::MatrixXd& weights);

/// How far each row's g moves per unit of its own slope, share · zᵀ H⁻¹ z with the bias in z, if
/// every row's loss has the same curvature: H is diagonal then.
Eigen::ArrayXd mean_leverages(const FeatureBasis& basis, const Eigen::VectorXd& shares,
                              double curvature, double penalty);

/// Scores of a minimum as if each row had not been learned from: one step of Newton's without it,
///   g + leverage / (1 − leverage · curvature) · slope,
/// output by output. Each row has a curvature of its own, if that is not too much work; one for all
/// where curvatures do not tell (a loss of corners has none: then the mean squared slope stands for
/// it, as it does in likelihoods).
Eigen::MatrixXd newton_leave_one_out(const FeatureBasis& basis, TaskObjective& objective,
                                     const Eigen::MatrixXd& g, double penalty);

/// What stands for an output's curvature: its mean, or the mean squared slope if that says more.
double curvature_or_squared_slope(double mean_curvature, double mean_squared_slope);

}  // namespace softwood
