#pragma once

#include "train/model_parts.h"

namespace softwood {

/// See Model::history().
Table history_table(const ModelParts& parts);

}  // namespace softwood
