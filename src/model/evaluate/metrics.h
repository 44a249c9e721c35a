#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/views.h"
#include "softwood/model.h"

namespace softwood {

/// Figures of merit. `y` and `predicted` have equal length ≥ 1 and no missing values.
double root_mean_square_error(std::span<const double> y, std::span<const double> predicted);
double mean_absolute_error(std::span<const double> y, std::span<const double> predicted);
/// 1 − residual / total sum of squares; NaN if y is constant.
double r_squared(std::span<const double> y, std::span<const double> predicted);
/// Mean of the predictions ÷ mean of y: 1 if they are right on average.
double ratio_of_means(std::span<const double> y, std::span<const double> predicted);
/// Mean of the predictions − mean of y, for responses of both signs.
double difference_of_means(std::span<const double> y, std::span<const double> predicted);
/// Mean of 2 (y log(y/μ) − y + μ), with y log y = 0 at 0; infinite where μ = 0 < y.
double poisson_deviance(std::span<const double> y, std::span<const double> predicted);

/// `probabilities` [classes × rows], `classes` 0 … of each row.
/// The class of the highest probability in each row, the first of equals.
std::vector<std::uint32_t> likeliest_classes(MatrixView<const double> probabilities);
double log_loss(std::span<const std::uint32_t> classes, MatrixView<const double> probabilities);
double accuracy(std::span<const std::uint32_t> classes, MatrixView<const double> probabilities);

/// Probability that a positive row scores above a negative one, ties half; NaN if a side is empty.
double area_under_curve(std::span<const char> positive, std::span<const double> score);

/// Harrell's C (1982): of two responses of which one is known to be the smaller, the chance that
/// its prediction is the smaller one too; ties half; NaN if there are no such pairs. A censored
/// response (non-zero) is only known to be larger than y.
double concordance(std::span<const double> y, std::span<const char> censored,
                   std::span<const double> predicted);

/// Ten bins of about equally many rows by predicted value (fewer if there are fewer rows; equal
/// predictions stay in one bin).
std::vector<Evaluation::CalibrationBin> calibration(std::span<const double> y,
                                                    std::span<const double> predicted);

}  // namespace softwood
