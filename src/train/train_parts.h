#pragma once

#include "model/model_parts.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "softwood/train.h"

namespace softwood {

/// From tables to trained trees; see train(). `validation` may be nullptr.
ModelParts train_parts(const Table& table, const Table* validation, const TrainOptions& options,
                       const Hooks& hooks);

}  // namespace softwood
