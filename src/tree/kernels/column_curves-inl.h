// The curves of one column, lanes over nodes: from parameters to knot values and, transposed, from
// the gradients of these to those of the parameters. All are of one vector of nodes; knot or
// parameter j stands at pointer + j · kLanes.
#if defined(SOFTWOOD_TREE_COLUMN_CURVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_COLUMN_CURVES_INL_H
#undef SOFTWOOD_TREE_COLUMN_CURVES_INL_H
#else
#define SOFTWOOD_TREE_COLUMN_CURVES_INL_H
#endif

#include "tree/ensemble.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

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

/// Of any kind of column; a linear one's parameter is its value.
HWY_INLINE void values_of_column(const ColumnBasis& basis, const float* theta, float* values) {
  switch (basis.kind) {
    case ColumnBasis::Kind::curve:
      return curve_values(basis, theta, values);
    case ColumnBasis::Kind::levels:
      return level_values(basis, theta, values);
    case ColumnBasis::Kind::linear:
      return store(load(theta), values);
  }
}

/// In place.
HWY_INLINE void gradients_of_column(const ColumnBasis& basis, float* gradients) {
  switch (basis.kind) {
    case ColumnBasis::Kind::curve:
      return curve_gradients(basis, gradients);
    case ColumnBasis::Kind::levels:
      return level_gradients(basis, gradients);
    case ColumnBasis::Kind::linear:
      return;
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
