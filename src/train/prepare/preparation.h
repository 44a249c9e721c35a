#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "data/encoder/encoder.h"
#include "model/model_parts.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "task/tasks.h"
#include "train/choices/settings.h"
#include "train/prepare/examples.h"
#include "train/warm/learned_tables.h"

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

  /// The model to train on, grown by the levels, columns and classes that are new in the table.
  std::shared_ptr<const ModelParts> start;
  std::size_t num_added_trees = 0;     ///< the start stays as it is, and these are added to it
  std::vector<TablePart> table_parts;  ///< rows that the start has learned from, and new ones

  /// All rows that the start has learned from are here.
  bool has_all_learned_rows() const;
  /// The tables that a model of this training has learned from.
  std::vector<LearnedTable> learned_tables() const;

  TrainingAndValidation sides(std::size_t member) const;
  /// The validation rows of all members, one member after the other.
  Examples judged() const;
};

/// What a training starts from.
struct WarmStart {
  const ModelParts* model = nullptr;  ///< nullptr: from nothing. Borrowed
  std::size_t num_added_trees = 0;    ///< 0: its own trees are trained on
};

/// `validation` may be nullptr. Encoder, units and count families are those of all training rows,
/// of whichever member; of a training that starts from a model, they are the model's. `stop_check`
/// (see make_stop_check()) may be empty. Throws Error for mistakes in options or tables.
Preparation prepare(const Table& table, const Table* validation, const TrainOptions& options,
                    const Words& words, const std::function<void()>& stop_check = {},
                    const WarmStart& start = {});

}  // namespace softwood
