// A 16 × 16 transpose between lanes over nodes (look-ups, products) and lanes over rows (routing).
#if defined(SOFTWOOD_TREE_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_TRANSPOSE_INL_H
#undef SOFTWOOD_TREE_TRANSPOSE_INL_H
#else
#define SOFTWOOD_TREE_TRANSPOSE_INL_H
#endif

#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// The map that changes nothing.
struct Same {
  HWY_INLINE Vector operator()(Vector value) const { return value; }
};

#if HWY_TARGET == HWY_SCALAR

/// to[j][i] = map(from[i][j]), 16 × 16; strides in floats.
template <class Map>
HWY_NOINLINE void transpose_tile(const float* from, std::size_t from_stride, float* to,
                                 std::size_t to_stride, Map map) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      store(map(load(from + i * from_stride + j)), to + j * to_stride + i);
    }
  }
}

#else

/// Four floats from each of `from`, from + stride, …: a whole vector.
template <class D>
HWY_INLINE hn::Vec<D> load_quads(D d, const float* from, std::size_t stride) {
  if constexpr (hn::MaxLanes(D()) == 4) {
    return hn::Load(d, from);
  } else {
    const hn::Half<D> half;
    constexpr std::size_t kHalfQuads = hn::MaxLanes(D()) / 8;
    return hn::Combine(d, load_quads(half, from + kHalfQuads * stride, stride),
                       load_quads(half, from, stride));
  }
}

HWY_INLINE Vector interleave_pairs_lower(Vector a, Vector b) {
  const hn::Repartition<double, Floats> pairs;
  return hn::BitCast(Floats(),
                     hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
HWY_INLINE Vector interleave_pairs_upper(Vector a, Vector b) {
  const hn::Repartition<double, Floats> pairs;
  return hn::BitCast(Floats(),
                     hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}

/// to[j][i] = map(from[i][j]), 16 × 16; strides in floats. Quads of floats are put in place by the
/// loads, which leaves a 4 × 4 transpose inside every 128 bits.
template <class Map>
HWY_NOINLINE void transpose_tile(const float* from, std::size_t from_stride, float* to,
                                 std::size_t to_stride, Map map) {
  const Floats d;
  for (std::size_t quad = 0; quad < kLanes; quad += 4) {
    for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
      const float* at = from + lane * from_stride + quad;
      const Vector a = load_quads(d, at, 4 * from_stride);
      const Vector b = load_quads(d, at + from_stride, 4 * from_stride);
      const Vector c = load_quads(d, at + 2 * from_stride, 4 * from_stride);
      const Vector e = load_quads(d, at + 3 * from_stride, 4 * from_stride);
      const Vector ab_lower = hn::InterleaveLower(d, a, b), ab_upper = hn::InterleaveUpper(d, a, b);
      const Vector ce_lower = hn::InterleaveLower(d, c, e), ce_upper = hn::InterleaveUpper(d, c, e);
      float* out = to + quad * to_stride + lane;
      store(map(interleave_pairs_lower(ab_lower, ce_lower)), out);
      store(map(interleave_pairs_upper(ab_lower, ce_lower)), out + to_stride);
      store(map(interleave_pairs_lower(ab_upper, ce_upper)), out + 2 * to_stride);
      store(map(interleave_pairs_upper(ab_upper, ce_upper)), out + 3 * to_stride);
    }
  }
}

#endif

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
