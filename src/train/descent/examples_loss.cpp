#include "train/descent/examples_loss.h"

#include <algorithm>
#include <cmath>

#include "task/mean_loss.h"
#include "task/raw_outputs.h"

namespace softwood {

std::vector<double> mean_losses(const Tasks& tasks, const Examples& examples,
                                std::span<const double> f) {
  std::vector<double> means;
  for (const Task& task : tasks) {
    means.push_back(mean_loss(
        task, examples.responses[task.index_in_model], examples.weights,
        f.subspan(task.first_output * examples.size(), task.num_outputs() * examples.size())));
  }
  return means;
}

std::vector<double> constant_losses(const Tasks& tasks, const Examples& examples) {
  const std::vector<double> nothing(tasks.num_outputs() * examples.size(), 0.0);
  return mean_losses(tasks, examples, in_units(tasks, nothing));
}

std::vector<double> stop_shares(const Tasks& tasks, const Examples& examples) {
  std::vector<double> shares;
  for (const Task& task : tasks) {
    const std::vector<double>& y = examples.responses[task.index_in_model].y;
    const bool observed = std::any_of(y.begin(), y.end(), [](double v) { return !std::isnan(v); });
    shares.push_back(observed ? task.stop_weight / task.units.loss_scale : 0.0);
  }
  return shares;
}

}  // namespace softwood
