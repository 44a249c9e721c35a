#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/predict.h"

namespace softwood {

/// P(Y ≤ q) of one task's response at any points of any rows: the mean of the members' cdfs, cut to
/// [0, 1]. Borrows all it is given; thread-safe. A value depends on its row and point alone, to the
/// last bit.
class MixtureCdf {
 public:
  /// `data` needs the program's distribution_columns().
  MixtureCdf(const Task& task, LossData data, TaskOutputs outputs, std::size_t num_rows);

  bool is_discrete() const { return task_.program.is_discrete(); }
  std::size_t num_rows() const { return num_rows_; }

  /// out[i] = P(Y ≤ q[i]) in row rows[i]; NaN where the text gives NaN.
  void at(std::span<const std::uint32_t> rows, std::span<const double> q,
          std::span<double> out) const;

 private:
  void at_block(std::span<const std::uint32_t> rows, std::span<const double> q,
                std::span<double> out) const;

  const Task& task_;
  LossData data_;
  TaskOutputs outputs_;
  std::size_t num_rows_;
};

}  // namespace softwood
