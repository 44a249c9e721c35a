#include "train/engine/step_cost.h"

#include <algorithm>

namespace softwood {
namespace {

// Measured on one core with AVX-512, forward and back, of a block of nodes for one row: routing, a
// look-up, and a linear column's share of the products; and a parameter's share of Adam and the
// curves.
constexpr double kNanosecondsOfRouting = 6;
constexpr double kNanosecondsPerLookUp = 1.6;
constexpr double kNanosecondsPerProduct = 0.3;
constexpr double kNanosecondsPerParameter = 0.5;
/// A step that takes so much longer than this many microseconds per thread is worth another thread:
/// some times what waking one costs.
constexpr double kMicrosecondsPerThread = 30;

}  // namespace

double step_microseconds(const Ensemble& ensemble, std::size_t batch_size) {
  double per_row = 0;
  for (std::size_t index = 0; index < ensemble.shape().bundles.size(); ++index) {
    const BundleLayout& layout = ensemble.layout(index);
    per_row += static_cast<double>(layout.num_blocks) *
               (kNanosecondsOfRouting +
                kNanosecondsPerLookUp * static_cast<double>(layout.knot_columns.size()) +
                kNanosecondsPerProduct * static_cast<double>(layout.linear_columns.size()));
  }
  return (per_row * static_cast<double>(batch_size) +
          static_cast<double>(ensemble.buffer_size()) * kNanosecondsPerParameter) /
         1000;
}

int useful_threads(int available, const Ensemble& ensemble, std::size_t batch_size) {
  const double worth = step_microseconds(ensemble, batch_size) / kMicrosecondsPerThread;
  return std::clamp(static_cast<int>(worth), 1,
                    std::min(available, static_cast<int>(ensemble.shape().bundles.size())));
}

}  // namespace softwood
