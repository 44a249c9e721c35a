#include "task/mean_loss.h"

#include <vector>

namespace softwood {

double mean_loss(const Task& task, const Responses& responses, std::span<const double> weights,
                 std::span<const double> f) {
  const std::size_t num_rows = responses.y.size();
  std::vector<double> losses(num_rows);
  task.program.value(responses.view(), {f.data(), task.num_outputs(), num_rows}, losses);
  MeanLoss mean;
  mean.add(responses.y, losses, weights);
  return mean.value();
}

}  // namespace softwood
