#pragma once

#include <optional>
#include <vector>

#include "data/encoder/encoder.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "task/tasks.h"
#include "train/choices/settings.h"
#include "train/prepare/examples.h"

namespace softwood {

/// What one member learns from and is validated on.
struct TrainingAndValidation {
  Examples training, validation;
};

/// Tables made ready: what all members share.
struct Preparation {
  TrainOptions options;  ///< with the number of members settled
  Settings settings;     ///< of the first member
  Tasks tasks;
  Encoder encoder;
  std::vector<std::uint32_t> learnable;  ///< see learnable_rows()
  std::vector<Split> splits;             ///< of them, one per member

  Rows rows;
  std::vector<Responses> responses;        ///< per task
  std::vector<double> weights;             ///< per row of the table; empty = all 1
  Rows validation_rows;                    ///< of a table of its own
  std::optional<Examples> own_validation;  ///< the same

  TrainingAndValidation sides(std::size_t member) const;
  /// The validation rows of all members, one member after the other.
  Examples judged() const;
};

/// `validation` may be nullptr. Encoder, units and count families are those of all training rows,
/// of whichever member. `stop_check` (see make_stop_check()) may be empty. Throws Error for
/// mistakes in options or tables.
Preparation prepare(const Table& table, const Table* validation, const TrainOptions& options,
                    const Words& words, const std::function<void()>& stop_check = {});

}  // namespace softwood
