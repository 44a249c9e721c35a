#include "train/linear/task_fit.h"

#include <utility>

#include "train/linear/descent_fit.h"
#include "train/linear/parabola_fit.h"

namespace softwood {

std::unique_ptr<TaskFit> make_task_fit(TaskObjective objective, const FeatureBasis& basis,
                                       const std::function<void()>& checkpoint) {
  Parabola parabola = find_parabola(objective);
  if (parabola.targets.size() > 0)
    return std::make_unique<ParabolaFit>(std::move(parabola), objective.rows(), basis);
  return std::make_unique<DescentFit>(std::move(objective), basis, checkpoint);
}

}  // namespace softwood
