#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/views.h"
#include "task/tasks.h"
#include "train/engine/loss_step.h"
#include "train/prepare/examples.h"

namespace softwood {

/// What the greedy start adds up over rows: how many there are, then gradient and curvature of
/// each output; zeros fill the last vector.
struct RowSums {
  static constexpr std::size_t kVector = 4;
  static std::size_t width(std::size_t num_outputs) {
    return (1 + 2 * num_outputs + kVector - 1) / kVector * kVector;
  }
  static constexpr std::size_t kCount = 0;
  static std::size_t gradient(std::size_t output) { return 1 + 2 * output; }
  static std::size_t curvature(std::size_t output) { return 2 + 2 * output; }
};

/// First and second derivatives of the tasks' losses by g, in units, for some rows: of
/// Σ_task weight / loss_scale · Σ_row weight · loss. Curvatures are made positive, so that
/// −gradient / curvature is a sane step for any loss. A missing response has neither.
class GreedyGradients {
 public:
  GreedyGradients(const Tasks& tasks, const Examples& examples, std::span<const std::uint32_t> rows,
                  const std::function<void()>& stop_check = {});

  /// At `g` [outputs × rows]. Returns [rows × RowSums::width], valid until the next call. With
  /// several outputs only some curvatures are found anew in each call, the others a few calls
  /// later; with many all are estimated from a few random directions.
  MatrixView<const float> evaluate(std::span<const double> g);

 private:
  void read_weights(const Examples& examples, std::span<const std::uint32_t> rows);
  void differentiate(std::vector<float>& gradients);
  void update_curvatures(std::span<const double> g, std::size_t component);
  void find_slopes(std::span<const double> g, std::size_t component, double step,
                   std::vector<double>& slopes);
  void estimate_curvatures(std::span<const double> g);
  void probe_slopes(std::span<const double> g, std::size_t probe, double step,
                    std::vector<double>& slopes);
  void set_curvatures(std::size_t output);
  void write_row_sums();

  const Tasks& tasks_;
  std::size_t num_rows_;
  std::function<void()> stop_check_;
  std::size_t num_outputs_ = 0;
  std::size_t num_components_ = 0;  // outputs of the task that has most
  std::size_t next_component_ = 0;
  bool has_curvatures_ = false;
  LossStep step_;
  std::vector<double> weights_;                   // [outputs × rows], 0 where nothing is observed
  std::vector<double> point_;                     // [outputs × rows]
  std::vector<float> gradients_, above_, below_;  // [outputs × rows]
  std::vector<double> slopes_, wide_slopes_;      // [outputs × rows], for weight 1
  std::vector<double> curvatures_;                // [outputs × rows]
  std::vector<float> directions_;                 // [outputs × rows], of a probe: 1 or −1
  std::vector<float> row_sums_;                   // [rows × width]
};

}  // namespace softwood
