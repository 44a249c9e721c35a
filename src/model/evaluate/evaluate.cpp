#include "model/evaluate/evaluate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "model/distribution/distribution_columns.h"
#include "model/distribution/pit_summary.h"
#include "model/evaluate/metrics.h"

namespace softwood {
namespace {

/// The rows that have a response, and what is compared there.
struct Observed {
  std::vector<std::size_t> rows;
  std::vector<double> y;

  std::vector<double> pick(std::span<const double> values) const {
    std::vector<double> picked;
    for (const std::size_t row : rows) picked.push_back(values[row]);
    return picked;
  }
};

Observed observed_rows(const Responses& responses) {
  Observed observed;
  for (std::size_t row = 0; row < responses.y.size(); ++row) {
    if (std::isnan(responses.y[row])) continue;
    observed.rows.push_back(row);
    observed.y.push_back(responses.y[row]);
  }
  return observed;
}

bool are_counts(std::span<const double> y) {
  return std::all_of(y.begin(), y.end(),
                     [](double value) { return value >= 0 && value == std::floor(value); });
}

std::vector<double> mean_outputs(const MemberOutputs& outputs) {
  std::vector<double> mean(outputs[0].size(), 0.0);
  for (const std::vector<double>& member : outputs) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += member[i] / static_cast<double>(outputs.size());
    }
  }
  return mean;
}

double mean_loss(const Task& task, const Responses& responses, std::span<const double> f,
                 const Observed& observed) {
  const std::size_t num_rows = responses.y.size();
  std::vector<double> losses(num_rows);
  task.program.value(responses.view(),
                     {f.data() + task.first_output * num_rows, task.num_outputs(), num_rows},
                     losses);
  double sum = 0;
  for (const std::size_t row : observed.rows) sum += losses[row];
  return sum / static_cast<double>(observed.rows.size());
}

/// Are the predictions right on average? Quotients of means near zero say nothing.
void evaluate_balance(std::span<const double> y, std::span<const double> predicted,
                      Evaluation& evaluation) {
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  if (*least >= 0 && *most > 0) {
    evaluation.metrics.emplace_back("ratio_of_means", ratio_of_means(y, predicted));
  } else {
    evaluation.metrics.emplace_back("difference_of_means", difference_of_means(y, predicted));
  }
}

/// One against the rest, averaged over the classes that occur; for two classes the usual AUC.
double class_auc(std::span<const std::uint32_t> classes, MatrixView<const double> probabilities) {
  double sum = 0;
  int counted = 0;
  for (std::size_t label = probabilities.rows == 2 ? 1 : 0; label < probabilities.rows; ++label) {
    std::vector<char> positive;
    for (const std::uint32_t actual : classes) positive.push_back(actual == label ? 1 : 0);
    const double area = area_under_curve(positive, probabilities.row(label));
    if (std::isnan(area)) continue;
    sum += area;
    ++counted;
  }
  return counted == 0 ? std::nan("") : sum / counted;
}

void evaluate_classes(const Task& task, const TaskPredictions& predictions,
                      const Observed& observed, Evaluation& evaluation) {
  const std::vector<double> all = class_probabilities(task, predictions);
  std::vector<double> buffer;
  for (std::size_t label = 0; label < task.labels.size(); ++label) {
    const auto picked =
        observed.pick(std::span(all).subspan(label * predictions.num_rows, predictions.num_rows));
    buffer.insert(buffer.end(), picked.begin(), picked.end());
  }
  const MatrixView<const double> probabilities(buffer.data(), task.labels.size(),
                                               observed.rows.size());
  const std::vector<std::uint32_t> classes(observed.y.begin(), observed.y.end());
  evaluation.metrics.emplace_back("log_loss", log_loss(classes, probabilities));
  evaluation.metrics.emplace_back("accuracy", accuracy(classes, probabilities));
  evaluation.metrics.emplace_back("auc", class_auc(classes, probabilities));
  if (task.labels.size() == 2) {
    evaluate_balance(observed.y, probabilities.row(1), evaluation);
    evaluation.calibration = calibration(observed.y, probabilities.row(1));
    return;
  }
  for (std::size_t label = 0; label < task.labels.size(); ++label) {
    std::vector<double> is_label;
    for (const std::uint32_t actual : classes) is_label.push_back(actual == label ? 1 : 0);
    evaluation.class_calibration.push_back(calibration(is_label, probabilities.row(label)));
  }
}

void evaluate_numbers(const Task& task, const TaskPredictions& predictions,
                      const Observed& observed, Evaluation& evaluation) {
  const std::string& name = task.program.predictions().front().name;  // `mean` if there is one
  const MatrixView<const double> first = predictions.find(task.program, name);
  // Of several quantiles the middle one.
  const std::vector<double> predicted =
      observed.pick(first.row(name == "quantile" ? first.rows / 2 : 0));
  const std::vector<double>& y = observed.y;
  evaluation.metrics.emplace_back("rmse", root_mean_square_error(y, predicted));
  evaluation.metrics.emplace_back("mae", mean_absolute_error(y, predicted));
  evaluation.metrics.emplace_back("r2", r_squared(y, predicted));
  if (name == "mean") evaluate_balance(y, predicted, evaluation);
  const bool positive =
      std::all_of(predicted.begin(), predicted.end(), [](double mu) { return mu > 0; });
  if (are_counts(y) && positive) {
    evaluation.metrics.emplace_back("poisson_deviance", poisson_deviance(y, predicted));
    std::vector<char> above_zero;
    for (const double value : y) above_zero.push_back(value > 0 ? 1 : 0);
    const double area = area_under_curve(above_zero, predicted);
    if (!std::isnan(area)) evaluation.metrics.emplace_back("auc_above_zero", area);
  }
  evaluation.calibration = calibration(y, predicted);
}

/// Where some responses are only bounds, their distances from predictions mean nothing; their order
/// does.
void evaluate_order(const Task& task, const TaskPredictions& predictions, const Observed& observed,
                    const std::vector<bool>& censored, Evaluation& evaluation) {
  MatrixView<const double> times = predictions.find(task.program, "median");
  if (times.rows == 0)
    times = predictions.find(task.program, task.program.predictions().front().name);
  std::vector<char> is_bound;
  for (const std::size_t row : observed.rows) is_bound.push_back(censored[row] ? 1 : 0);
  evaluation.metrics.emplace_back("concordance",
                                  concordance(observed.y, is_bound, observed.pick(times.row(0))));
}

void evaluate_distribution(const Task& task, const Responses& responses,
                           const MemberOutputs& outputs, const Observed& observed, ThreadTeam& team,
                           Evaluation& evaluation) {
  const LossData data = responses.view();
  const Distribution distribution(task, data, outputs, responses.y.size(), team);
  const std::vector<bool> censored = task.program.censored(data);
  const std::vector<double> scores = observed.pick(distribution.crps(responses.y, censored));
  const PitIntervals pit = distribution.pit(responses.y, censored);
  evaluation.metrics.emplace_back("crps", std::accumulate(scores.begin(), scores.end(), 0.0) /
                                              static_cast<double>(scores.size()));
  evaluation.metrics.emplace_back("coverage_50", coverage(pit, censored, 0.5));
  evaluation.metrics.emplace_back("coverage_90", coverage(pit, censored, 0.9));
  evaluation.pit_histogram = pit_histogram(pit);
}

/// "coverage_80" of quantiles labelled 0.1 … 0.9.
std::string coverage_name(const LossProgram& program) {
  for (const LossProgram::Prediction& prediction : program.predictions()) {
    if (prediction.name != "quantile" || prediction.labels.empty()) continue;
    const double low = std::strtod(prediction.labels.front().c_str(), nullptr);
    const double high = std::strtod(prediction.labels.back().c_str(), nullptr);
    return fmt::format("coverage_{:.6g}", 100 * (high - low));
  }
  return "coverage";
}

/// Share of the responses between the first and the last component of a vector `quantile`.
void evaluate_quantiles(const Task& task, const TaskPredictions& predictions,
                        const Observed& observed, Evaluation& evaluation) {
  const MatrixView<const double> quantiles = predictions.find(task.program, "quantile");
  if (quantiles.rows < 2) return;
  const std::vector<double> low = observed.pick(quantiles.row(0)),
                            high = observed.pick(quantiles.row(quantiles.rows - 1));
  double inside = 0;
  for (std::size_t i = 0; i < observed.y.size(); ++i)
    inside += low[i] <= observed.y[i] && observed.y[i] <= high[i] ? 1 : 0;
  evaluation.metrics.emplace_back(coverage_name(task.program),
                                  inside / static_cast<double>(observed.y.size()));
}

}  // namespace

Evaluation evaluate_task(const Task& task, const Responses& responses, const MemberOutputs& outputs,
                         ThreadTeam& team) {
  Evaluation evaluation;
  evaluation.task = task.target;
  evaluation.loss = task.program.source().name;
  const Observed observed = observed_rows(responses);
  evaluation.num_rows = observed.rows.size();
  evaluation.num_table_rows = responses.y.size();
  if (observed.rows.empty()) return evaluation;
  evaluation.metrics.emplace_back("loss",
                                  mean_loss(task, responses, mean_outputs(outputs), observed));
  const TaskPredictions predictions =
      predict_task(task, responses.view(), outputs, responses.y.size());
  const std::vector<bool> censored = task.program.censored(responses.view());
  const bool has_bounds = std::any_of(observed.rows.begin(), observed.rows.end(),
                                      [&](std::size_t row) { return censored[row]; });
  if (task.is_classifier()) {
    evaluate_classes(task, predictions, observed, evaluation);
  } else if (has_bounds) {
    evaluate_order(task, predictions, observed, censored, evaluation);
  } else if (!task.program.predictions().empty()) {
    evaluate_numbers(task, predictions, observed, evaluation);
    evaluate_quantiles(task, predictions, observed, evaluation);
  }
  if (has_distribution(task))
    evaluate_distribution(task, responses, outputs, observed, team, evaluation);
  return evaluation;
}

}  // namespace softwood
