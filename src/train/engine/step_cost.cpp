#include "train/engine/step_cost.h"

#include <algorithm>

namespace softwood {
namespace {

// Measured on one core with AVX-512: a look-up of a block of nodes for one row, forward and back,
// and a parameter's share of Adam and the curves.
constexpr double kNanosecondsPerLookUp = 1.6;
constexpr double kNanosecondsPerParameter = 0.5;
/// A step that takes so much longer than this many microseconds per thread is worth another thread:
/// some times what waking one costs.
constexpr double kMicrosecondsPerThread = 30;

}  // namespace

double step_microseconds(const Ensemble& ensemble, std::size_t batch_size) {
  double look_ups = 0;  // per row
  for (std::size_t index = 0; index < ensemble.shape().bundles.size(); ++index) {
    look_ups += static_cast<double>(ensemble.layout(index).num_blocks *
                                    ensemble.shape().bundles[index].columns.size());
  }
  return (look_ups * static_cast<double>(batch_size) * kNanosecondsPerLookUp +
          static_cast<double>(ensemble.buffer_size()) * kNanosecondsPerParameter) /
         1000;
}

int useful_threads(int available, const Ensemble& ensemble, std::size_t batch_size) {
  const double worth = step_microseconds(ensemble, batch_size) / kMicrosecondsPerThread;
  return std::clamp(static_cast<int>(worth), 1,
                    std::min(available, static_cast<int>(ensemble.shape().bundles.size())));
}

}  // namespace softwood
