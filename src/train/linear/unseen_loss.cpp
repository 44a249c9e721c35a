#include "train/linear/unseen_loss.h"

#include <utility>

#include "task/raw_outputs.h"

namespace softwood {
namespace {

MeanLoss loss_of(const Task& task, const Responses& responses, std::span<const double> weights,
                 std::vector<double> g) {
  const std::size_t num_rows = responses.y.size();
  for (std::size_t i = 0; i < g.size(); ++i) {
    const std::size_t output = i / num_rows;
    g[i] = in_units(task.units.offset[output], task.units.unit[output], g[i]);
  }
  std::vector<double> losses(num_rows);
  task.program.value(responses.view(), {g.data(), task.num_outputs(), num_rows}, losses);
  MeanLoss mean;
  mean.add(responses.y, losses, weights);
  return mean;
}

}  // namespace

MeanLoss validation_loss(const Task& task, const LinearPart& part, const Examples& examples) {
  std::vector<double> g(task.num_outputs() * examples.size());
  part.add_sums(examples.positions, examples.rows, {g.data(), task.num_outputs(), examples.size()});
  return loss_of(task, responses_of(task, examples), examples.weights, std::move(g));
}

MeanLoss loss_at(const Task& task, const Examples& examples, const LearnedRows& rows,
                 const Eigen::MatrixXd& g) {
  std::vector<double> weights;
  for (const std::uint32_t place : rows.places) weights.push_back(examples.weight(place));
  return loss_of(task, pick_responses(responses_of(task, examples), rows.places), weights,
                 {g.data(), g.data() + g.size()});
}

}  // namespace softwood
