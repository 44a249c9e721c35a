#pragma once

#include "model/model_parts.h"

namespace softwood {

/// See Model::history().
Table history_table(const ModelParts& parts);

}  // namespace softwood
