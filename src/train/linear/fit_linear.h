#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/thread_team.h"
#include "data/encoder/encoder.h"
#include "linear/linear_part.h"
#include "task/tasks.h"
#include "train/prepare/examples.h"

namespace softwood {

/// A member's rows: it learns from one side and is judged on the other. Both borrowed.
struct LinearSides {
  const Examples* training = nullptr;
  const Examples* validation = nullptr;
};

/// The linear parts of all members. All scores are g [outputs of all tasks × rows].
struct LinearFit {
  std::vector<LinearPart> members;          ///< none: there was too much to do
  std::vector<std::vector<double>> scores;  ///< per member, of its validation rows
  /// Per member, of its training rows, each as if it had not been learned from: exactly so for
  /// squared error, to first order for other losses.
  std::vector<std::vector<double>> training_scores;
  std::vector<double> penalties;  ///< per task; infinite: nothing helped, all weights are 0
};

/// Of every task and member the linear function (see LinearFeatures) of least
///   mean weighted loss / loss scale + penalty · ½ Σ weights²,
/// over the member's training rows that have a response. Biases are not penalised. The penalty of a
/// task is that of a geometric grid with which the members' validation rows, all together, have the
/// least loss; without such rows, the training rows as if they had not been learned from. If
/// weights of 0 have no more loss, they are all 0.
///
/// Squared error is solved in closed form, any other loss by descent; of one without a finite
/// minimum, weights are those where the search ended. If features · rows · outputs are very
/// many, evenly spread rows are learned from (see most_rows()). Nothing is fitted (`members` is
/// empty) if more than 3,000 features vary or the eigenvectors of all members would take more than
/// about 3e11 multiply-adds.
///
/// Same bits for any number of threads. `stop_check` is called all along by the calling thread and
/// may be empty; what it throws ends the fit.
LinearFit fit_linear(const Tasks& tasks, const Encoder& encoder,
                     std::span<const LinearSides> members, ThreadTeam& team,
                     const std::function<void()>& stop_check);

/// Rows that a member learns from at most: ten million cells, fewer if outputs are many.
std::size_t most_rows(std::size_t num_features, std::size_t num_outputs);

}  // namespace softwood
