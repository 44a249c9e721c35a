#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/aligned_vector.h"
#include "base/views.h"
#include "task/mean_loss.h"
#include "task/tasks.h"
#include "train/prepare/examples.h"

namespace softwood {

/// The middle of a training step: what the trees add up to → raw outputs → every task's loss → the
/// gradient that goes back to the trees, for one batch. Rows are independent of each other.
class LossStep {
 public:
  LossStep(const Tasks& tasks, const Examples& examples, std::size_t max_rows);

  /// Takes the responses, loss columns and weights of these rows.
  void load(std::span<const std::uint32_t> rows);

  /// For rows [begin, end) of the batch, from `sums` [outputs × rows] and the examples' base:
  /// losses, and `gradients` [outputs × rows] of the batch's mean weighted loss, tasks divided by
  /// their scales.
  void evaluate(MatrixView<const double> sums, std::size_t begin, std::size_t end,
                MatrixView<float> gradients);
  void evaluate(MatrixView<const double> sums, std::size_t begin, std::size_t end,
                MatrixView<double> gradients);

  /// After evaluate() of all rows: adds each task's losses to its total, in the user's units. Says
  /// what went wrong if a loss or gradient is not finite.
  std::optional<std::string> add_losses(std::span<MeanLoss> totals) const;

 private:
  void load_base(std::span<const std::uint32_t> rows);
  template <class T>
  void evaluate_all(MatrixView<const double> sums, std::size_t begin, std::size_t end,
                    MatrixView<T> gradients);
  std::optional<std::string> find_trouble(std::size_t task) const;

  const Tasks& tasks_;
  const Examples& examples_;
  std::size_t num_rows_ = 0;
  std::size_t capacity_;
  std::vector<std::uint32_t> batch_rows_;
  std::vector<double> weights_;
  std::vector<Responses> batch_;             // per task
  std::vector<std::vector<double>> losses_;  // per task
  std::vector<double> raw_, raw_gradients_;  // [outputs × capacity]
  std::vector<double> base_;                 // the same; empty = 0
};

}  // namespace softwood
