#pragma once

#include <memory>

#include "model/model_parts.h"
#include "softwood/model.h"

namespace softwood {

/// The one door between a Model and its parts, for the library's own rooms: users see neither.
class ModelAccess {
 public:
  static Model make(ModelParts parts) {
    return Model(std::make_shared<const ModelParts>(std::move(parts)));
  }
  /// They live as long as a copy of the model does.
  static const ModelParts& parts(const Model& model) { return *model.parts_; }
};

}  // namespace softwood
