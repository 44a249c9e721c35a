#pragma once

#include <optional>
#include <vector>

#include "data/encoder.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "train/examples.h"
#include "train/settings.h"
#include "train/task.h"

namespace softwood {

/// What one member learns from and is validated on.
struct Sides {
  Examples training, validation;
};

/// Tables made ready: what all members share.
struct Preparation {
  Settings settings;
  std::vector<Task> tasks;
  Encoder encoder;
  std::vector<Split> splits;  ///< one per member

  Rows rows;
  std::vector<Responses> responses;  ///< per task
  std::vector<double> weights;
  std::optional<Examples> own_validation;  ///< of a table of its own

  Sides sides(std::size_t member) const;
};

/// `validation` may be nullptr. Encoder, units and count families are those of all training rows,
/// of whichever member. Throws Error for mistakes in options or tables.
Preparation prepare(const Table& table, const Table* validation, const TrainOptions& options,
                    const NoteSink& note);

}  // namespace softwood
