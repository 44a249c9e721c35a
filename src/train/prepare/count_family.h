#pragma once

#include <functional>
#include <string>
#include <vector>

#include "loss/language/loss_program.h"
#include "softwood/options.h"
#include "task/tasks.h"
#include "train/prepare/examples.h"

namespace softwood {

/// A family of counts and how well one constant prediction of it fits.
struct CountFamily {
  LossProgram program;
  double bic = 0;  ///< 2 Σ weight · loss + outputs · log(number of rows)
};

/// Poisson, zero-inflated Poisson, negative binomial and zero-inflated negative binomial, with the
/// settings of `count`, the simpler ones first. Weights (empty = all 1) count relative to their
/// mean; rows without a response or weight take no part. At least one row must take part.
std::vector<CountFamily> fit_count_families(const LossSource& count, const LossData& data,
                                            std::span<const double> weights,
                                            const std::function<void()>& stop_check = {});

/// True of whole numbers from 0 up, of 3 to 100 different ones, skewed to the right: what counts
/// look like, and ratings and class numbers mostly do not.
bool looks_like_counts(std::span<const double> y);

/// Before units are found: gives each task whose loss is `count` the family of the least BIC on the
/// training rows and numbers the tasks' outputs again; notes say what was chosen, and that `count`
/// is there where squared error was chosen for what looks like counts.
void settle_counts(const TrainOptions& options, const Examples& training, Tasks& tasks,
                   const NoteSink& note, const std::function<void()>& stop_check = {});

}  // namespace softwood
