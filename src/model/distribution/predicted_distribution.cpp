#include "softwood/predicted_distribution.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/distribution/distribution_columns.h"
#include "model/output_blocks.h"
#include "softwood/error.h"
#include "task/responses.h"

namespace softwood {
namespace {

/// One task's raw outputs [its outputs × all rows] of every member.
std::vector<std::vector<double>> outputs_of(const ModelParts& parts, const Task& task,
                                            const Table& table, ThreadTeam& team) {
  const OutputBlocks blocks(parts, table, team);
  const std::size_t num_rows = table.num_rows();
  std::vector<std::vector<double>> outputs(parts.members.size(),
                                           std::vector<double>(task.num_outputs() * num_rows));
  blocks.visit([&](const OutputBlock& block) {
    const TaskOutputs found = block.of_task(task);
    for (std::size_t member = 0; member < found.size(); ++member) {
      for (std::size_t k = 0; k < task.num_outputs(); ++k) {
        std::ranges::copy(found[member].subspan(k * block.num_rows, block.num_rows),
                          outputs[member].data() + k * num_rows + block.first);
      }
    }
  });
  return outputs;
}

}  // namespace

/// Made once. It keeps no threads: they would not follow a process that is forked.
struct PredictedDistribution::Prepared {
  std::shared_ptr<const ModelParts> parts;
  const Task& task;
  int threads;
  LossColumns data;  // what the cdf reads
  std::vector<std::vector<double>> outputs;
  Distribution distribution;

  Prepared(std::shared_ptr<const ModelParts> model, const Task& of, const Table& table,
           ThreadTeam& team, int num_threads)
      : parts(std::move(model)),
        task(of),
        threads(num_threads),
        data(read_distribution_columns(task, table)),
        outputs(outputs_of(*parts, task, table, team)),
        distribution(task, data.view(), TaskOutputs(outputs.begin(), outputs.end()),
                     table.num_rows(), team) {}

  /// `ask` gets the distributions with a team of its own: any number of threads may ask at once.
  template <class Ask>
  auto answer(const Ask& ask) const {
    ThreadTeam team(threads);
    return ask(distribution.with_team(team));
  }
};

PredictedDistribution::PredictedDistribution(std::shared_ptr<const ModelParts> parts,
                                             const Table& table, const std::string& target,
                                             int threads) {
  const Task& task = task_with_distribution(parts->tasks, target);
  ThreadTeam team(threads);
  prepared_ = std::make_shared<const Prepared>(std::move(parts), task, table, team, threads);
}

const std::string& PredictedDistribution::target() const {
  return prepared_->task.target;
}

std::size_t PredictedDistribution::num_rows() const {
  return prepared_->distribution.num_rows();
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

std::vector<double> PredictedDistribution::samples(std::uint64_t seed, std::size_t count) const {
  return prepared_->answer([&](const Distribution& each) {
    return each.samples(seed, sample_purpose(prepared_->task), count);
  });
}

}  // namespace softwood
