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
  std::span<const std::size_t> rows;
  std::vector<double> y;

  std::vector<double> pick(std::span<const double> values) const {
    std::vector<double> picked;
    for (const std::size_t row : rows) picked.push_back(values[row]);
    return picked;
  }
};

std::vector<std::size_t> observed_rows(std::span<const double> y) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < y.size(); ++row) {
    if (!std::isnan(y[row])) rows.push_back(row);
  }
  return rows;
}

bool are_counts(std::span<const double> y) {
  return std::all_of(y.begin(), y.end(),
                     [](double value) { return value >= 0 && value == std::floor(value); });
}

std::vector<double> mean_outputs(const TaskOutputs& outputs) {
  std::vector<double> mean(outputs[0].size(), 0.0);
  for (const std::span<const double> member : outputs) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += member[i] / static_cast<double>(outputs.size());
    }
  }
  return mean;
}

/// Puts a block's rows [parts × block's rows] where they belong in `all` [parts × all rows].
void put_rows(std::span<const double> part, std::size_t first, std::size_t count,
              std::size_t num_rows, std::vector<double>& all) {
  if (count == 0) return;
  all.resize(part.size() / count * num_rows);
  for (std::size_t k = 0; k * count < part.size(); ++k)
    std::ranges::copy(part.subspan(k * count, count), all.data() + k * num_rows + first);
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

void evaluate_distribution(std::span<const double> crps, const PitIntervals& pit,
                           const std::vector<bool>& censored, const Observed& observed,
                           Evaluation& evaluation) {
  const std::vector<double> scores = observed.pick(crps);
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

TaskEvaluator::TaskEvaluator(const Task& task, const Responses& responses)
    : task_(task),
      responses_(responses),
      censored_(task.program.censored(responses.view())),
      observed_(observed_rows(responses.y)) {
  predictions_.num_rows = responses.y.size();
}

void TaskEvaluator::add(const OutputBlock& block, ThreadTeam& team) {
  if (observed_.empty()) return;
  const std::size_t num_rows = responses_.y.size();
  const LossData data = responses_.view().slice(block.first, block.num_rows);
  const TaskOutputs outputs = block.of_task(task_);
  const std::vector<double> f = mean_outputs(outputs);
  std::vector<double> losses(block.num_rows);
  task_.program.value(data, {f.data(), task_.num_outputs(), block.num_rows}, losses);
  mean_loss_.add(data.y, losses, {});
  put_rows(predict_task(task_, data, outputs, block.num_rows).values, block.first, block.num_rows,
           num_rows, predictions_.values);
  if (has_distribution(task_)) add_distribution(block, team);
}

void TaskEvaluator::add_distribution(const OutputBlock& block, ThreadTeam& team) {
  const LossData data = responses_.view().slice(block.first, block.num_rows);
  const Distribution distribution(task_, data, block.of_task(task_), block.num_rows, team);
  const auto first = censored_.begin() + static_cast<std::ptrdiff_t>(block.first);
  const std::vector<bool> censored(first, first + static_cast<std::ptrdiff_t>(block.num_rows));
  const PitIntervals pit = distribution.pit(data.y, censored);
  const auto put = [&](const std::vector<double>& part, std::vector<double>& all) {
    put_rows(part, block.first, block.num_rows, responses_.y.size(), all);
  };
  put(distribution.crps(data.y, censored), crps_);
  put(pit.low, pit_.low);
  put(pit.high, pit_.high);
}

Evaluation TaskEvaluator::finish() const {
  Evaluation evaluation;
  evaluation.task = task_.target;
  evaluation.loss = task_.program.source().name;
  evaluation.num_rows = observed_.size();
  evaluation.num_table_rows = responses_.y.size();
  if (observed_.empty()) return evaluation;
  Observed observed{.rows = observed_, .y = {}};
  observed.y = observed.pick(responses_.y);
  evaluation.metrics.emplace_back("loss", mean_loss_.value());
  const bool has_bounds = std::any_of(observed_.begin(), observed_.end(),
                                      [&](std::size_t row) { return censored_[row]; });
  if (task_.is_classifier()) {
    evaluate_classes(task_, predictions_, observed, evaluation);
  } else if (has_bounds) {
    evaluate_order(task_, predictions_, observed, censored_, evaluation);
  } else if (!task_.program.predictions().empty()) {
    evaluate_numbers(task_, predictions_, observed, evaluation);
    evaluate_quantiles(task_, predictions_, observed, evaluation);
  }
  if (!crps_.empty()) evaluate_distribution(crps_, pit_, censored_, observed, evaluation);
  return evaluation;
}

}  // namespace softwood
