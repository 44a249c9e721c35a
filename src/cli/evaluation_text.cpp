#include "cli/evaluation_text.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace softwood::cli {
namespace {

/// Flat histograms fill half of it, so that too much shows as well as too little.
constexpr double kBarWidth = 40;
constexpr double kFullBar = 0.2;

std::string rows_text(const Evaluation& evaluation) {
  if (evaluation.num_rows == evaluation.num_table_rows)
    return fmt::format("{} rows", evaluation.num_rows);
  return fmt::format("{} of {} rows", evaluation.num_rows, evaluation.num_table_rows);
}

std::string metric_line(const std::string& name, double value) {
  return fmt::format("  {:<18}{:>12.6g}\n", name, value);
}

std::string bar(double share) {
  const auto cells = std::lround(std::min(share, kFullBar) / kFullBar * kBarWidth);
  std::string text;
  for (long cell = 0; cell < cells; ++cell) text += "█";
  return text + (share > kFullBar ? "…" : "");
}

std::string pit_text(const std::vector<double>& shares) {
  std::string text =
      "  where y falls in its own predicted distribution (PIT), share of rows in each tenth:\n"
      "  flat = calibrated, U = too narrow, hump = too wide, slope = biased\n";
  for (std::size_t bin = 0; bin < shares.size(); ++bin) {
    const auto edge = [&](std::size_t at) {
      return static_cast<double>(at) / static_cast<double>(shares.size());
    };
    text += fmt::format("  {:.1f} to {:.1f}{:>9.3f}  {}\n", edge(bin), edge(bin + 1), shares[bin],
                        bar(shares[bin]));
  }
  return text;
}

std::string task_text(const Evaluation& evaluation) {
  std::string text =
      fmt::format("{} ({}), {}\n", evaluation.task, evaluation.loss, rows_text(evaluation));
  for (const auto& [name, value] : evaluation.metrics) text += metric_line(name, value);
  if (!evaluation.calibration.empty()) {
    text += fmt::format("  {:<10}{:>12}{:>12}\n", "rows", "predicted", "observed");
    for (const Evaluation::CalibrationBin& bin : evaluation.calibration) {
      text +=
          fmt::format("  {:<10}{:>12.5g}{:>12.5g}\n", bin.num_rows, bin.predicted, bin.observed);
    }
  }
  if (!evaluation.pit_histogram.empty()) text += pit_text(evaluation.pit_histogram);
  return text;
}

const double* find_metric(const Evaluation& evaluation, const std::string& name) {
  for (const auto& [key, value] : evaluation.metrics) {
    if (key == name) return &value;
  }
  return nullptr;
}

/// Shares and chances, which are alike for all tasks; a mean of euros and days is nothing.
bool has_no_unit(const std::string& metric) {
  static const std::set<std::string> kPlain = {"log_loss", "accuracy",       "auc",
                                               "r2",       "auc_above_zero", "concordance"};
  return kPlain.contains(metric) || metric.starts_with("coverage");
}

/// Of the metrics without a unit that every task (with a response) has.
std::string averages_text(std::vector<Evaluation> evaluations) {
  std::erase_if(evaluations, [](const Evaluation& task) { return task.num_rows == 0; });
  if (evaluations.size() < 2) return "";
  std::string text;
  for (const auto& [name, value] : evaluations[0].metrics) {
    double sum = 0;
    bool all_have = true;
    for (const Evaluation& task : evaluations) {
      const double* const own = find_metric(task, name);
      all_have = all_have && own != nullptr;
      if (own != nullptr) sum += *own;
    }
    if (all_have && has_no_unit(name))
      text += metric_line(name, sum / static_cast<double>(evaluations.size()));
  }
  if (text.empty()) return "";
  return fmt::format("average of {} tasks\n", evaluations.size()) + text;
}

nlohmann::json task_json(const Evaluation& evaluation) {
  nlohmann::json metrics = nlohmann::json::object();
  for (const auto& [name, value] : evaluation.metrics) metrics[name] = value;
  nlohmann::json bins = nlohmann::json::array();
  for (const Evaluation::CalibrationBin& bin : evaluation.calibration) {
    bins.push_back(
        {{"rows", bin.num_rows}, {"predicted", bin.predicted}, {"observed", bin.observed}});
  }
  nlohmann::json json = {{"task", evaluation.task},     {"loss", evaluation.loss},
                         {"rows", evaluation.num_rows}, {"table_rows", evaluation.num_table_rows},
                         {"metrics", metrics},          {"calibration", bins}};
  if (!evaluation.pit_histogram.empty()) json["pit_histogram"] = evaluation.pit_histogram;
  return json;
}

}  // namespace

std::string as_text(const std::vector<Evaluation>& evaluations) {
  std::string text;
  for (const Evaluation& evaluation : evaluations) text += task_text(evaluation);
  return text + averages_text(evaluations);
}

nlohmann::json as_json(const std::vector<Evaluation>& evaluations) {
  nlohmann::json all = nlohmann::json::array();
  for (const Evaluation& evaluation : evaluations) all.push_back(task_json(evaluation));
  return all;
}

}  // namespace softwood::cli
