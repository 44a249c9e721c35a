#include "train/prepare/count_family.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loss/catalogue/find_loss.h"
#include "loss/constants/constant_fit.h"
#include "loss/constants/units.h"
#include "loss/constants/weighted_rows.h"

namespace softwood {
namespace {

constexpr const char* kFamilies[] = {"poisson", "zero_inflated_poisson", "negative_binomial",
                                     "zero_inflated_negative_binomial"};
constexpr std::size_t kMostRows = loss::kRowsFittedWhole;
constexpr std::size_t kFewestDistinct = 3, kMostDistinct = 100;
constexpr double kLeastSkewness = 0.5;  // that of a Poisson distribution of mean 4

/// The catalogue's `count`, and no file that happens to bear its name.
bool is_count(const LossSource& source) {
  return source.name == "count" && source.text == find_loss("count").text;
}

/// To six bits of the mantissa: at most 0.8 % off.
double rounded(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(64 * mantissa) / 64, exponent);
}

/// The rows that take part, equal ones as one, with weights of mean 1. If that leaves many,
/// exposures are rounded, so that more rows are equal: far more exact than a sample, which is what
/// remains for counts of thousands of different values.
loss::WeightedRows rows_to_judge_by(const LossData& data, std::span<const double> weights) {
  loss::WeightedRows rows = loss::WeightedRows::with_response(data, weights);
  const double mean = rows.total_weight / static_cast<double>(rows.size());
  for (double& weight : rows.weights) weight /= mean;
  rows.total_weight = static_cast<double>(rows.size());
  loss::WeightedRows merged = rows.merged();
  if (merged.size() <= kMostRows) return merged;
  for (std::vector<double>& column : rows.columns) {
    std::transform(column.begin(), column.end(), column.begin(), rounded);
  }
  merged = rows.merged();
  return merged.size() <= kMostRows ? merged : rows.every_nth_up_to(kMostRows);
}

double loss_of_constants(const LossProgram& program, const loss::WeightedRows& rows,
                         const std::vector<double>& constants) {
  std::vector<double> f, losses(rows.size());
  for (const double constant : constants) f.insert(f.end(), rows.size(), constant);
  program.value(rows.data(), {f.data(), constants.size(), rows.size()}, losses);
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) sum += rows.weights[row] * losses[row];
  return sum;
}

double bic_of(const LossProgram& program, const loss::WeightedRows& rows,
              const std::function<void()>& stop_check) {
  const Units units = find_units(program, rows.data(), rows.weights, stop_check);
  return 2 * loss_of_constants(program, rows, units.offset) +
         static_cast<double>(units.offset.size()) * std::log(rows.total_weight);
}

/// 48210.3 → "48,210".
std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, ",");
  return digits;
}

const CountFamily& best_of(const std::vector<CountFamily>& families) {
  return *std::min_element(
      families.begin(), families.end(),
      [](const CountFamily& a, const CountFamily& b) { return a.bic < b.bic; });
}

std::string account_of(const std::vector<CountFamily>& families, const std::string& target) {
  const CountFamily& best = best_of(families);
  std::vector<std::string> others;
  for (const CountFamily& family : families) {
    if (&family == &best) continue;
    others.push_back(fmt::format("{} {}", family.program.source().name, grouped(family.bic)));
  }
  return fmt::format("count: {} for '{}' (BIC {}; {})", best.program.source().name, target,
                     grouped(best.bic), fmt::join(others, ", "));
}

bool has_response(const Responses& responses, const Examples& training) {
  for (std::size_t row = 0; row < responses.y.size(); ++row) {
    if (!std::isnan(responses.y[row]) && training.weight(row) > 0) return true;
  }
  return false;
}

LossProgram choose_family(const Task& task, const Responses& responses, const Examples& training,
                          const NoteSink& note, const std::function<void()>& stop_check) {
  const std::vector<CountFamily> families =
      fit_count_families(task.program.source(), responses.view(), training.weights, stop_check);
  note(account_of(families, task.target));
  return best_of(families).program;
}

double skewness(const std::vector<double>& values) {
  const auto moment = [&](double centre, int power) {
    double sum = 0;
    for (const double value : values) sum += std::pow(value - centre, power);
    return sum / static_cast<double>(values.size());
  };
  const double mean = moment(0, 1);
  return moment(mean, 3) / std::pow(moment(mean, 2), 1.5);
}

}  // namespace

std::vector<CountFamily> fit_count_families(const LossSource& count, const LossData& data,
                                            std::span<const double> weights,
                                            const std::function<void()>& stop_check) {
  const loss::WeightedRows rows = rows_to_judge_by(data, weights);
  std::vector<CountFamily> families;
  for (const char* name : kFamilies) {
    ParsedLoss source = find_loss(name);
    source.settings = count.settings;
    const LossProgram program = LossProgram::compile(source);
    families.push_back({program, bic_of(program, rows, stop_check)});
  }
  return families;
}

bool looks_like_counts(std::span<const double> y) {
  std::set<double> distinct;
  std::vector<double> known;
  for (const double value : y) {
    if (std::isnan(value)) continue;
    if (value < 0 || value != std::floor(value)) return false;
    distinct.insert(value);
    if (distinct.size() > kMostDistinct) return false;
    known.push_back(value);
  }
  return distinct.size() >= kFewestDistinct && *distinct.begin() == 0 &&
         skewness(known) >= kLeastSkewness;
}

void settle_counts(const TrainOptions& options, const Examples& training, Tasks& tasks,
                   const NoteSink& note, const std::function<void()>& stop_check) {
  for (std::size_t index = 0; index < tasks.size(); ++index) {
    const Task& task = tasks[index];
    const Responses& responses = training.responses[index];
    if (is_count(task.program.source()) && has_response(responses, training)) {
      tasks.replace_program(index, choose_family(task, responses, training, note, stop_check));
    } else if (options.tasks[index].loss.empty() && task.program.source().name == "squared" &&
               looks_like_counts(responses.y)) {
      note(
          fmt::format("'{}' holds whole numbers from 0 up: if they count something, --loss count "
                      "finds their distribution",
                      task.target));
    }
  }
}

}  // namespace softwood
