#include "tree/kernels/curves.h"

#include <algorithm>
#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/kernels/curves.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

// All below: one column of one vector of nodes; knot or parameter j at pointer + j · kLanes.

/// Σ_i θ_i · mean_i over parameters [first, last), in two sums that do not wait for each other.
HWY_INLINE Vector centre(const ColumnBasis& basis, const float* theta, std::size_t first,
                         std::size_t last) {
  Vector even = zero(), odd = zero();
  std::size_t i = first;
  for (; i + 2 <= last; i += 2) {
    even = hn::MulAdd(load(theta + i * kLanes), broadcast(basis.mean[i]), even);
    odd = hn::MulAdd(load(theta + (i + 1) * kLanes), broadcast(basis.mean[i + 1]), odd);
  }
  if (i < last) even = hn::MulAdd(load(theta + i * kLanes), broadcast(basis.mean[i]), even);
  return hn::Add(even, odd);
}

/// V[j] = θ_0·slope[j] + Σ_{1 ≤ i ≤ j} θ_i − Σ_{i ≥ 1} θ_i·mean_i;  V[missing] = θ_missing (1 −
/// mean).
HWY_INLINE void curve_values(const ColumnBasis& basis, const float* theta, float* values) {
  const std::size_t missing = basis.num_knots - 1;
  const Vector slope = load(theta);
  Vector level = hn::Neg(centre(basis, theta, 1, basis.num_knots));
  store(hn::MulAdd(slope, broadcast(basis.slope[0]), level), values);
  for (std::size_t j = 1; j < missing; ++j) {
    level = hn::Add(level, load(theta + j * kLanes));
    store(hn::MulAdd(slope, broadcast(basis.slope[j]), level), values + j * kLanes);
  }
  store(hn::Mul(load(theta + missing * kLanes), broadcast(1.0F - basis.mean[missing])),
        values + missing * kLanes);
}

/// V[j] = θ_j − Σ_i θ_i·mean_i.
HWY_INLINE void level_values(const ColumnBasis& basis, const float* theta, float* values) {
  const Vector middle = centre(basis, theta, 0, basis.num_knots);
  for (std::size_t j = 0; j < basis.num_knots; ++j) {
    store(hn::Sub(load(theta + j * kLanes), middle), values + j * kLanes);
  }
}

/// The transpose of curve_values. With E = Σ_{j ≤ T} g_j over the edges:
/// ∂θ_0 = Σ g_j·slope[j];  ∂θ_i = Σ_{i ≤ j ≤ T} g_j − mean_i·E;
/// ∂θ_missing = g_missing − mean·(E + g_missing).
HWY_INLINE void curve_gradients(const ColumnBasis& basis, float* gradients) {
  const std::size_t missing = basis.num_knots - 1;
  Vector edges = zero(), slope = zero();
  for (std::size_t j = 0; j < missing; ++j) {
    const Vector g = load(gradients + j * kLanes);
    edges = hn::Add(edges, g);
    slope = hn::MulAdd(g, broadcast(basis.slope[j]), slope);
  }
  const Vector g_missing = load(gradients + missing * kLanes);
  const Vector everything = hn::Add(edges, g_missing);
  store(hn::NegMulAdd(broadcast(basis.mean[missing]), everything, g_missing),
        gradients + missing * kLanes);
  Vector suffix = zero();
  for (std::size_t i = missing - 1; i >= 1; --i) {
    suffix = hn::Add(suffix, load(gradients + i * kLanes));
    store(hn::NegMulAdd(broadcast(basis.mean[i]), edges, suffix), gradients + i * kLanes);
  }
  store(slope, gradients);
}

/// The transpose of level_values: ∂θ_i = g_i − mean_i·Σ_j g_j.
HWY_INLINE void level_gradients(const ColumnBasis& basis, float* gradients) {
  Vector total = zero();
  for (std::size_t j = 0; j < basis.num_knots; ++j) {
    total = hn::Add(total, load(gradients + j * kLanes));
  }
  for (std::size_t i = 0; i < basis.num_knots; ++i) {
    const Vector g = load(gradients + i * kLanes);
    store(hn::NegMulAdd(broadcast(basis.mean[i]), total, g), gradients + i * kLanes);
  }
}

void values_of_block(const EnsembleShape& shape, const BundleLayout& layout, const float* theta,
                     float* values) {
  for (const ColumnPlace& place : layout.knot_columns) {
    const ColumnBasis& basis = shape.columns[place.column];
    for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
      const std::size_t at = place.offset + lane;
      if (basis.kind == ColumnBasis::Kind::curve) curve_values(basis, theta + at, values + at);
      if (basis.kind == ColumnBasis::Kind::levels) level_values(basis, theta + at, values + at);
    }
  }
  for (const ColumnPlace& place : layout.linear_columns) {
    std::copy_n(theta + place.offset, kLanes, values + place.offset);
  }
}

void gradients_of_block(const EnsembleShape& shape, const BundleLayout& layout, float* gradients) {
  for (const ColumnPlace& place : layout.knot_columns) {
    const ColumnBasis& basis = shape.columns[place.column];
    for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
      float* const at = gradients + place.offset + lane;
      if (basis.kind == ColumnBasis::Kind::curve) curve_gradients(basis, at);
      if (basis.kind == ColumnBasis::Kind::levels) level_gradients(basis, at);
    }
  }
}

void values_of_bundle(const EnsembleShape& shape, const BundleLayout& layout, const float* theta,
                      float* values) {
  for (std::size_t block = 0; block < layout.num_blocks; ++block) {
    const std::size_t at = layout.weights + block * layout.block_stride;
    values_of_block(shape, layout, theta + at, values + at);
  }
}

void gradients_of_bundle(const EnsembleShape& shape, const BundleLayout& layout, float* gradients) {
  for (std::size_t block = 0; block < layout.num_blocks; ++block) {
    gradients_of_block(shape, layout, gradients + layout.weights + block * layout.block_stride);
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(values_of_bundle);
HWY_EXPORT(gradients_of_bundle);

}  // namespace

void curves_from_parameters(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const float> parameters, std::span<float> values) {
  assert(parameters.size() == ensemble.buffer_size() && values.size() == ensemble.buffer_size());
  assert(parameters.data() != values.data());
  const BundleLayout& layout = ensemble.layout(bundle);
  HWY_DYNAMIC_DISPATCH(values_of_bundle)
  (ensemble.shape(), layout, parameters.data(), values.data());
  std::copy(parameters.begin() + layout.biases, parameters.begin() + layout.end(),
            values.begin() + layout.biases);
}

void gradients_of_parameters(const Ensemble& ensemble, std::size_t bundle,
                             std::span<float> gradients) {
  assert(gradients.size() == ensemble.buffer_size());
  HWY_DYNAMIC_DISPATCH(gradients_of_bundle)
  (ensemble.shape(), ensemble.layout(bundle), gradients.data());
}

}  // namespace softwood
#endif
