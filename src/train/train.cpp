#include "softwood/train.h"

#include "model/model_access.h"
#include "options/old_names.h"
#include "options/option_texts.h"
#include "train/train_parts.h"

namespace softwood {
namespace {

TrainOptions settled(const TrainOptions& options, const Hooks& hooks) {
  return with_values_of_today(in_utf8(options), hooks.on_warning);
}

}  // namespace

Model train(const Table& table, const TrainOptions& options, const Hooks& hooks) {
  return ModelAccess::make(train_parts(table, nullptr, settled(options, hooks), hooks));
}

Model train(const Table& table, const Table& validation, const TrainOptions& options,
            const Hooks& hooks) {
  return ModelAccess::make(train_parts(table, &validation, settled(options, hooks), hooks));
}

}  // namespace softwood
