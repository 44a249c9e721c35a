#include "softwood/train.h"

#include "model/model_access.h"
#include "options/option_texts.h"
#include "train/train_parts.h"

namespace softwood {

Model train(const Table& table, const TrainOptions& options, const Hooks& hooks) {
  return ModelAccess::make(train_parts(table, nullptr, in_utf8(options), hooks));
}

Model train(const Table& table, const Table& validation, const TrainOptions& options,
            const Hooks& hooks) {
  return ModelAccess::make(train_parts(table, &validation, in_utf8(options), hooks));
}

}  // namespace softwood
