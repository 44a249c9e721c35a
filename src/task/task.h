#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "loss/constants/units.h"
#include "loss/language/loss_program.h"
#include "softwood/options.h"
#include "softwood/table.h"

namespace softwood {

/// The most classes that a response may have.
inline constexpr std::size_t kMaxClasses = 1000;

/// One response to learn: where it stands in the table, its loss, and its share of the raw outputs.
struct Task {
  std::string target;
  ColumnKind target_kind = ColumnKind::numeric;  ///< as the training table had it
  double weight = 1;
  double stop_weight = 1;  ///< of its validation loss, when trees decide to stop
  LossProgram program;
  /// Classification: the text of class 0, 1, …; otherwise empty.
  std::vector<std::string> labels;
  Units units;
  // Set by Tasks.
  std::size_t first_output = 0;    ///< among those of the Tasks that it belongs to
  std::size_t index_in_model = 0;  ///< among all tasks of the model

  std::size_t num_outputs() const { return program.outputs().size(); }
  /// Its loss predicts `probability`: predictions are classes.
  bool is_classifier() const;
};

/// Compiles the loss and finds the labels. `tables`: whose responses the labels are taken from.
/// Units are still to be found.
Task make_task(const TaskOptions& options, const std::vector<const Table*>& tables);

}  // namespace softwood
