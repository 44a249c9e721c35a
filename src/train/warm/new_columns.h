#pragma once

#include <cstdint>
#include <span>

#include "model/model_parts.h"
#include "softwood/table.h"
#include "train/choices/settings.h"
#include "train/prepare/words.h"

namespace softwood {

/// Rows as an encoder sees them, and which of them are learned from.
struct SeenRows {
  const Table& table;
  const Rows& encoded;  ///< by the encoder as it is
  std::span<const std::uint32_t> learnable;
};

/// Levels that `rows` have often enough, and that the encoder takes for "other", become levels of
/// their own. True if there are any.
bool add_new_levels(Encoder& encoder, const SeenRows& rows, const Words& words);

/// Columns of the table that the encoder does not know: taken up for trees that are to be added
/// (`settings`: theirs), and told where there will be none. True if some were taken up.
bool add_new_columns(Encoder& encoder, const Tasks& tasks, const TrainOptions& options,
                     const Settings& settings, bool adds_trees, const SeenRows& rows,
                     const Words& words);

}  // namespace softwood
