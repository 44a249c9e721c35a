#pragma once

#include "softwood/options.h"

namespace softwood {

/// The options of a training that starts from a model: those that the model was made with. What the
/// user says now of rows and steps wins; steps of which nothing is said are not those of the first
/// training. Throws Error for what would be another model: other trees, responses or folds.
TrainOptions warm_options(const TrainOptions& of_model, const TrainOptions& given);

}  // namespace softwood
