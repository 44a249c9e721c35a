#include "softwood/predicted_distribution.h"
#include "task/responses.h"

#include <fmt/format.h>

#include "model/distribution/distribution_columns.h"
#include "softwood/error.h"

namespace softwood {

struct PredictedDistribution::Prepared {
  std::shared_ptr<const ModelParts> parts;
  const Task& task;
  Responses data;  // what the cdf reads
  MemberOutputs outputs;
  std::size_t num_rows;
  int threads;

  /// `ask` gets a Distribution with a team of its own: any number of threads may ask at once.
  template <class Ask>
  auto answer(const Ask& ask) const {
    ThreadTeam team(threads);
    return ask(Distribution(task, data.view(), outputs, num_rows, team));
  }
};

namespace {

MemberOutputs outputs_with(const ModelParts& parts, const Table& table, int threads) {
  ThreadTeam team(threads);
  return member_outputs(parts, table, team);
}

}  // namespace

PredictedDistribution::PredictedDistribution(std::shared_ptr<const ModelParts> parts,
                                             const Table& table, const std::string& target,
                                             int threads) {
  const Task& task = task_with_distribution(parts->tasks, target);
  Responses data = read_prediction_columns(task, table, /*with_cdf=*/true);
  MemberOutputs outputs = outputs_with(*parts, table, threads);
  prepared_ = std::make_shared<const Prepared>(Prepared{.parts = std::move(parts),
                                                        .task = task,
                                                        .data = std::move(data),
                                                        .outputs = std::move(outputs),
                                                        .num_rows = table.num_rows(),
                                                        .threads = threads});
}

const std::string& PredictedDistribution::target() const {
  return prepared_->task.target;
}

std::size_t PredictedDistribution::num_rows() const {
  return prepared_->num_rows;
}

bool PredictedDistribution::is_discrete() const {
  return prepared_->task.program.is_discrete();
}

std::vector<double> PredictedDistribution::mean() const {
  return prepared_->answer([](const Distribution& each) { return each.moments().mean; });
}

std::vector<double> PredictedDistribution::variance() const {
  return prepared_->answer([](const Distribution& each) { return each.moments().variance; });
}

std::vector<double> PredictedDistribution::quantile(double p) const {
  check_level(p, "a level of quantiles");
  return prepared_->answer([&](const Distribution& each) { return each.quantile(p); });
}

PredictedDistribution::Interval PredictedDistribution::interval(double level) const {
  check_level(level, "a level of interval");
  const IntervalLevels ends = interval_levels(level);
  return prepared_->answer([&](const Distribution& each) {
    return Interval{.lower = each.quantile(ends.lower), .upper = each.quantile(ends.upper)};
  });
}

std::vector<double> PredictedDistribution::cdf(std::span<const double> q) const {
  if (q.size() != num_rows()) {
    throw Error(
        fmt::format("cdf got {} values for {} rows; it needs one per row.", q.size(), num_rows()));
  }
  return prepared_->answer([&](const Distribution& each) { return each.cdf(q); });
}

std::vector<double> PredictedDistribution::sample(std::uint64_t seed, std::uint64_t draw) const {
  return prepared_->answer([&](const Distribution& each) {
    return each.sample(seed, sample_purpose(prepared_->task), draw);
  });
}

}  // namespace softwood
