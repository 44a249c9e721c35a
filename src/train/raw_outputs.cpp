#include "train/raw_outputs.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "tree/predict.h"

namespace softwood {
namespace {

/// Rows per piece of work: enough to amortise a call, few enough to share out evenly.
constexpr std::size_t kRowsPerPiece = 1024;

}  // namespace

std::vector<double> tree_sums(const Ensemble& ensemble, std::span<const float> values,
                              const Rows& rows, ThreadTeam& team) {
  const std::size_t num_rows = rows.num_rows;
  std::vector<double> buffer(ensemble.shape().num_outputs * num_rows);
  if (num_rows == 0) return buffer;
  const MatrixView<double> g(buffer.data(), ensemble.shape().num_outputs, num_rows);
  const std::size_t pieces = (num_rows + kRowsPerPiece - 1) / kRowsPerPiece;
  std::atomic<std::size_t> next{0};
  // One predictor, with its scratch, per thread that comes.
  team.for_each(static_cast<std::size_t>(team.size()), [&](std::size_t) {
    Predictor predictor(ensemble, values);
    for (std::size_t piece = next++; piece < pieces; piece = next++) {
      const std::size_t begin = piece * kRowsPerPiece;
      const std::size_t end = std::min(num_rows, begin + kRowsPerPiece);
      predictor.predict(rows.view(), begin, end - begin, g);
    }
  });
  return buffer;
}

std::vector<double> constant_offsets(const std::vector<Task>& tasks) {
  std::vector<double> offsets;
  for (const Task& task : tasks)
    offsets.insert(offsets.end(), task.units.offset.begin(), task.units.offset.end());
  return offsets;
}

std::vector<double> in_units(const std::vector<Task>& tasks, std::vector<double> g) {
  return in_units(tasks, constant_offsets(tasks), std::move(g));
}

std::vector<double> in_units(const std::vector<Task>& tasks, std::span<const double> offsets,
                             std::vector<double> g) {
  const std::size_t num_rows = g.size() / offsets.size();
  for (const Task& task : tasks) {
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      double* values = g.data() + (task.first_output + output) * num_rows;
      const double offset = offsets[task.first_output + output];
      const double unit = task.units.unit[output];
      for (std::size_t row = 0; row < num_rows; ++row) values[row] = offset + unit * values[row];
    }
  }
  return g;
}

std::vector<double> mean_losses(const std::vector<Task>& tasks, const Examples& examples,
                                std::span<const double> f) {
  std::vector<double> means;
  const std::size_t num_rows = examples.size();
  std::vector<double> losses(num_rows);
  for (const Task& task : tasks) {
    const Responses& responses = examples.tasks[task.place];
    task.program.value(responses.view(),
                       {f.data() + task.first_output * num_rows, task.num_outputs(), num_rows},
                       losses);
    double loss = 0;
    double weight = 0;
    for (std::size_t row = 0; row < num_rows; ++row) {
      if (std::isnan(responses.y[row])) continue;
      loss += examples.weight(row) * losses[row];
      weight += examples.weight(row);
    }
    means.push_back(weight > 0 ? loss / weight : std::nan(""));
  }
  return means;
}

std::vector<double> constant_losses(const std::vector<Task>& tasks, const Examples& examples) {
  std::size_t num_outputs = 0;
  for (const Task& task : tasks) num_outputs += task.num_outputs();
  const std::vector<double> nothing(num_outputs * examples.size(), 0.0);
  return mean_losses(tasks, examples, in_units(tasks, nothing));
}

std::vector<double> stop_shares(const std::vector<Task>& tasks, const Examples& examples) {
  std::vector<double> shares;
  for (const Task& task : tasks) {
    const std::vector<double>& y = examples.tasks[task.place].y;
    const bool observed = std::any_of(y.begin(), y.end(), [](double v) { return !std::isnan(v); });
    shares.push_back(observed ? task.stop_weight / task.units.loss_scale : 0.0);
  }
  return shares;
}

double total_loss(const std::vector<Task>& tasks, const Examples& examples,
                  const std::vector<double>& losses) {
  double total = 0;
  const std::vector<double> shares = stop_shares(tasks, examples);
  for (std::size_t task = 0; task < tasks.size(); ++task) {
    if (shares[task] > 0) total += shares[task] * losses[task];
  }
  return total;
}

}  // namespace softwood
