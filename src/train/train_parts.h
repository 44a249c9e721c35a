#pragma once

#include "model/model_parts.h"
#include "softwood/options.h"
#include "softwood/train.h"

namespace softwood {

/// From tables to trained trees; see train().
ModelParts train_parts(const TrainingInput& input, const TrainOptions& options, const Hooks& hooks);

}  // namespace softwood
