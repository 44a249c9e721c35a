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

Model train(const TrainingInput& input, const TrainOptions& options, const Hooks& hooks) {
  return ModelAccess::make(train_parts(input, settled(options, hooks), hooks));
}

Model train(const Table& table, const TrainOptions& options, const Hooks& hooks) {
  return train({.table = &table}, options, hooks);
}

Model train(const Table& table, const Table& validation, const TrainOptions& options,
            const Hooks& hooks) {
  return train({.table = &table, .validation = &validation}, options, hooks);
}

}  // namespace softwood
