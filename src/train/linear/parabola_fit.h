#pragma once

#include "train/linear/task_fit.h"

namespace softwood {

/// Squared error in closed form: in the basis every weight stands for itself,
///   weight_j = width · Σ share · z_j · target / (width · spread_j + penalty).
class ParabolaFit : public TaskFit {
 public:
  /// `basis` is borrowed.
  ParabolaFit(Parabola parabola, LearnedRows rows, const FeatureBasis& basis);

  void solve(double penalty, Precision precision) override;
  const Eigen::MatrixXd& weights() const override { return weights_; }
  void start_from(const Eigen::MatrixXd& weights) override { weights_ = weights; }
  Eigen::MatrixXd leave_one_out(double penalty) override;
  double curvature() const override { return parabola_.width; }
  const LearnedRows& rows() const override { return rows_; }

 private:
  Parabola parabola_;
  LearnedRows rows_;
  const FeatureBasis& basis_;
  Eigen::VectorXd products_;  // Σ share · z · target
  Eigen::MatrixXd weights_;
};

}  // namespace softwood
