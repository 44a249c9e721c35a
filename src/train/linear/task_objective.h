#pragma once

#include <Eigen/Core>

#include "task/tasks.h"
#include "train/linear/learned_rows.h"

namespace softwood {

/// A task's mean weighted loss over the rows that it learns from, divided by its scale, as a
/// function of g [rows × outputs].
class TaskObjective {
 public:
  TaskObjective(const Task& task, const Responses& responses, LearnedRows rows);

  /// The loss, infinite where it is no number; overwrites `slopes` [rows × outputs] with its
  /// derivatives.
  double operator()(const Eigen::MatrixXd& g, Eigen::MatrixXd& slopes);
  /// Second derivatives of each row's own loss [rows × outputs], each in its output alone, by
  /// differences.
  Eigen::MatrixXd curvatures(const Eigen::MatrixXd& g);

  const LearnedRows& rows() const { return rows_; }
  Eigen::Index num_rows() const { return rows_.shares.size(); }
  Eigen::Index num_outputs() const { return static_cast<Eigen::Index>(task_.num_outputs()); }

  /// The same over at most `count` of its rows; `kept`: which they are.
  TaskObjective sample(std::size_t count, std::vector<Eigen::Index>& kept) const;

 private:
  TaskObjective(const Task& task, LearnedRows rows, Responses picked);

  const Task& task_;
  LearnedRows rows_;
  Responses responses_;  // of the rows
  Eigen::MatrixXd f_;
  Eigen::VectorXd losses_;
};

/// A loss that is a parabola of one and the same width in every row: ½ · width · (g − target)², up
/// to a constant. Squared error is, by whatever name.
struct Parabola {
  double width = 0;
  Eigen::VectorXd targets;
};
/// Empty targets: it is none.
Parabola find_parabola(TaskObjective& objective);

}  // namespace softwood
