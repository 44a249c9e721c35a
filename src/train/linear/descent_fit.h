#pragma once

#include <deque>

#include "train/linear/task_fit.h"

namespace softwood {

/// Any loss, by L-BFGS (Nocedal and Wright, algorithm 7.5) from the second derivative that a common
/// curvature of all rows would give, curvature · spread + penalty, which is diagonal in the basis.
/// Steps that raise the loss are halved; losses without a minimum end after some steps. What is
/// known of the loss's second derivative does not depend on the penalty and serves the next one.
class DescentFit : public TaskFit {
 public:
  /// `basis` and `checkpoint` are borrowed.
  DescentFit(TaskObjective objective, const FeatureBasis& basis,
             const std::function<void()>& checkpoint);

  void solve(double penalty, Precision precision) override;
  const Eigen::MatrixXd& weights() const override { return weights_; }
  void start_from(const Eigen::MatrixXd& weights) override;
  Eigen::MatrixXd leave_one_out(double penalty) override;
  double curvature() const override { return curvatures_.mean(); }
  const LearnedRows& rows() const override { return objective_.rows(); }

 private:
  /// A step and how the loss's gradient changed with it, without the penalty's.
  struct Pair {
    Eigen::MatrixXd step, change;
  };

  void descend(double penalty, Precision precision);
  void evaluate();
  double penalised_loss(double penalty) const;
  Eigen::MatrixXd gradient_of(const Eigen::MatrixXd& slopes) const;
  Eigen::MatrixXd gradient(double penalty) const;
  Eigen::MatrixXd direction(const Eigen::MatrixXd& gradient, double penalty) const;
  bool move(const Eigen::MatrixXd& direction, double descent, double penalty);

  TaskObjective objective_;
  const FeatureBasis& basis_;
  const std::function<void()>& checkpoint_;
  Eigen::VectorXd curvatures_;     // per output
  Eigen::MatrixXd weights_;        // [directions, bias × outputs]
  Eigen::MatrixXd g_, slopes_;     // [rows × outputs]
  Eigen::MatrixXd loss_gradient_;  // [directions, bias × outputs]
  double loss_ = 0;
  std::deque<Pair> pairs_;
};

}  // namespace softwood
