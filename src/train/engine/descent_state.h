#pragma once

#include <cstddef>
#include <vector>

#include "base/aligned_vector.h"
#include "task/mean_loss.h"

namespace softwood {

struct PreparedGroup;

/// What an engine keeps of a group of trees from one step to the next, and nothing else: the rest
/// follows from the options, the rows and the seed. All buffers have the layout of the ensemble.
struct DescentState {
  AlignedVector<float> parameters;
  AlignedVector<float> first_moments, second_moments;  ///< Adam's
  AlignedVector<float> averages;                       ///< of the parameters
  std::size_t steps_done = 0;
  std::vector<MeanLoss> losses;  ///< of the epoch under way, per task of the group
};

/// Before the first step.
DescentState initial_state(const PreparedGroup& group);

/// The means of all, which begin anew.
std::vector<double> take_means(std::vector<MeanLoss>& losses);

}  // namespace softwood
