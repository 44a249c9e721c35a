#pragma once

#include <functional>
#include <vector>

#include "model/output_blocks.h"
#include "softwood/model.h"

namespace softwood {

/// Makes one task's columns of a block's rows, given what its loss reads of them.
using PredictRows = std::function<std::vector<Column>(const Task& task, const LossData& data,
                                                      const OutputBlock& block)>;

/// All tasks' columns of a whole table, block by block. `purpose`: predictions or distributions.
/// Throws Error for a column that is absent or of a wrong kind.
Predictions predict_blocks(const ModelParts& parts, const Table& table, ColumnsFor purpose,
                           ThreadTeam& team, const PredictRows& predict);

}  // namespace softwood
