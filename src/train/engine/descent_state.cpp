#include "train/engine/descent_state.h"

#include <utility>

#include "train/start/prepared_group.h"

namespace softwood {

DescentState initial_state(const PreparedGroup& group) {
  const Ensemble& ensemble = group.initial.ensemble;
  return {.parameters = group.initial.parameters,
          .first_moments = ensemble.make_buffer(),
          .second_moments = ensemble.make_buffer(),
          .averages = group.initial.parameters,
          .steps_done = 0,
          .losses = std::vector<MeanLoss>(group.tasks.size())};
}

std::vector<double> take_means(std::vector<MeanLoss>& losses) {
  std::vector<double> means;
  for (MeanLoss& loss : losses) means.push_back(std::exchange(loss, {}).value());
  return means;
}

}  // namespace softwood
