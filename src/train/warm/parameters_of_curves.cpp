#include "train/warm/parameters_of_curves.h"

#include <algorithm>
#include <cstddef>

namespace softwood {
namespace {

/// Number j of one column and node: of a lane.
class Lane {
 public:
  Lane(const float* values, float* parameters) : values_(values), parameters_(parameters) {}

  double value(std::size_t knot) const { return values_[knot * kLanes]; }
  double set(std::size_t parameter, double theta) {
    parameters_[parameter * kLanes] = static_cast<float>(theta);
    return theta;
  }

 private:
  const float* values_;
  float* parameters_;
};

/// With V[j] = θ_0·slope[j] + Σ_{i ≤ j} θ_i − Σ_i θ_i·mean_i + shift at the edges, and
/// V[missing] = θ_missing·(1 − mean_missing) + shift. Returns the shift.
double invert_curve(const ColumnBasis& basis, Lane lane) {
  const std::size_t missing = basis.num_knots - 1;
  double along = 0, squares = 1;
  for (std::size_t j = 1; j < missing; ++j) {
    const double step = static_cast<double>(basis.slope[j]) - basis.slope[j - 1];
    along += step * (lane.value(j) - lane.value(j - 1));
    squares += step * step;
  }
  const double slope = lane.set(0, along / squares);
  double centre = 0;
  for (std::size_t j = 1; j < missing; ++j) {
    const double step = static_cast<double>(basis.slope[j]) - basis.slope[j - 1];
    centre += basis.mean[j] * lane.set(j, lane.value(j) - lane.value(j - 1) - slope * step);
  }
  const double theta =
      lane.set(missing, slope * basis.slope[0] - centre + lane.value(missing) - lane.value(0));
  return lane.value(missing) - theta * (1 - basis.mean[missing]);
}

/// With V[j] = θ_j − Σ_i θ_i·mean_i + shift.
double invert_levels(const ColumnBasis& basis, Lane lane) {
  double centre = 0;
  for (std::size_t j = 0; j < basis.num_knots; ++j)
    centre += basis.mean[j] * lane.set(j, lane.value(j));
  return centre;
}

}  // namespace

void parameters_of_curves(const Ensemble& ensemble, std::span<const float> values,
                          std::span<float> parameters) {
  std::copy(values.begin(), values.end(), parameters.begin());
  const EnsembleShape& shape = ensemble.shape();
  for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    for (std::size_t node = 0; node < layout.num_nodes; ++node) {
      const std::size_t slot = layout.slot(node), block = slot / kLanes, lane = slot % kLanes;
      const std::size_t at = layout.weights + block * layout.block_stride + lane;
      double shift = 0;
      for (const ColumnPlace& place : layout.knot_columns) {
        const ColumnBasis& basis = shape.columns[place.column];
        const Lane own(&values[at + place.offset], &parameters[at + place.offset]);
        shift += basis.kind == ColumnBasis::Kind::curve ? invert_curve(basis, own)
                                                        : invert_levels(basis, own);
      }
      parameters[layout.biases + slot] += static_cast<float>(shift);
    }
  }
}

}  // namespace softwood
