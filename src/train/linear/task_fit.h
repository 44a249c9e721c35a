#pragma once

#include <functional>
#include <memory>

#include <Eigen/Core>

#include "train/linear/feature_basis.h"
#include "train/linear/task_objective.h"

namespace softwood {

/// How exactly a minimum is found: well enough to compare penalties, or in full from there.
enum class Precision { enough_to_compare, full };

/// A task's linear function of one member: the least of
///   mean weighted loss / loss scale + penalty · ½ Σ weights²
/// over the rows that it learns from, for one penalty after another. Biases are not penalised.
class TaskFit {
 public:
  virtual ~TaskFit() = default;

  /// Starts from the last solution: penalties are best asked for from large to small.
  virtual void solve(double penalty, Precision precision) = 0;
  /// [directions of the basis, then the bias, × outputs]; zeros before solve(), and if the loss is
  /// not finite there.
  virtual const Eigen::MatrixXd& weights() const = 0;
  /// Takes the place of the last solution.
  virtual void start_from(const Eigen::MatrixXd& weights) = 0;
  /// g [rows × outputs] of the rows it has learned from, each as if it had not: of the function
  /// that the others would give, under the same penalty · weight of all rows.
  virtual Eigen::MatrixXd leave_one_out(double penalty) = 0;
  /// About the second derivative of a row's loss at the start; what penalties are measured in.
  virtual double curvature() const = 0;

  virtual const LearnedRows& rows() const = 0;
};

/// All borrowed but the objective. In closed form for a parabola, by descent else. `checkpoint` is
/// called all along.
std::unique_ptr<TaskFit> make_task_fit(TaskObjective objective, const FeatureBasis& basis,
                                       const std::function<void()>& checkpoint);

}  // namespace softwood
