#include "softwood/train.h"

#include "train/model_parts.h"

namespace softwood {

Model train(const Table& table, const TrainOptions& options, const Hooks& hooks) {
  return Model(train_parts(table, nullptr, options, hooks));
}

Model train(const Table& table, const Table& validation, const TrainOptions& options,
            const Hooks& hooks) {
  return Model(train_parts(table, &validation, options, hooks));
}

}  // namespace softwood
