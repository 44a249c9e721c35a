#pragma once

#include <string>

#include "model/model_parts.h"

namespace softwood {

/// See Model::describe().
std::string describe_model(const ModelParts& parts);

}  // namespace softwood
