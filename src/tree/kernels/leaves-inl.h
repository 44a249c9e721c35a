// What leaves give and get, lanes over rows; o: leaf values [leaf][output], r: reach [leaf][row].
//   forward   out[k] += Σ_leaf r[leaf] · o[leaf][k]
//   backward  v[leaf] = Σ_k o[leaf][k] · g[k],   ∂o[leaf][k] = Σ_row r[leaf][row] · g[k][row]
#if defined(SOFTWOOD_TREE_LEAVES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_LEAVES_INL_H
#undef SOFTWOOD_TREE_LEAVES_INL_H
#else
#define SOFTWOOD_TREE_LEAVES_INL_H
#endif

#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Calls tile.run<width>(first) over `count` outputs, with constant widths kMost, 4, 2, 1 whose
/// sums stay in registers.
template <std::size_t kMost, class Tile>
HWY_NOINLINE void for_output_tiles(std::size_t count, const Tile& tile) {
  std::size_t first = 0;
  for (; first + kMost <= count; first += kMost) tile.template run<kMost>(first);
  if constexpr (kMost > 4) {
    if (first + 4 <= count) tile.template run<4>(first), first += 4;
  }
  if (first + 2 <= count) tile.template run<2>(first), first += 2;
  if (first < count) tile.template run<1>(first);
}

/// Adds to out [output][out_stride] for one vector of rows; reach: [leaf][kLanes].
struct LeafOutputs {
  const float* leaves;
  std::size_t num_leaves;
  std::size_t num_outputs;
  const float* reach;
  float* out;
  std::size_t out_stride;

  template <std::size_t kOutputs>
  HWY_INLINE void run(std::size_t first) const {
    // With few outputs, several sums per output hide the latency of the multiply-adds.
    constexpr std::size_t kParts = kOutputs >= 4 ? 1 : 4 / kOutputs;
    Vector sum[kParts][kOutputs];
    HWY_UNROLL(8) for (std::size_t k = 0; k < kOutputs; ++k) {
      sum[0][k] = load(out + (first + k) * out_stride);
      HWY_UNROLL(8) for (std::size_t part = 1; part < kParts; ++part) sum[part][k] = zero();
    }
    const std::size_t whole = num_leaves - num_leaves % kParts;
    for (std::size_t leaf = 0; leaf < whole; leaf += kParts) {
      HWY_UNROLL(8) for (std::size_t part = 0; part < kParts; ++part) {
        add<kOutputs>(leaf + part, first, sum[part]);
      }
    }
    for (std::size_t leaf = whole; leaf < num_leaves; ++leaf) add<kOutputs>(leaf, first, sum[0]);
    HWY_UNROLL(8) for (std::size_t k = 0; k < kOutputs; ++k) {
      HWY_UNROLL(8) for (std::size_t part = 1; part < kParts; ++part) {
        sum[0][k] = hn::Add(sum[0][k], sum[part][k]);
      }
      store(sum[0][k], out + (first + k) * out_stride);
    }
  }

  template <std::size_t kOutputs>
  HWY_INLINE void add(std::size_t leaf, std::size_t first, Vector (&sum)[kOutputs]) const {
    const Vector r = load(reach + leaf * kLanes);
    const float* o = leaves + leaf * num_outputs + first;
    HWY_UNROLL(8) for (std::size_t k = 0; k < kOutputs; ++k) {
      sum[k] = hn::MulAdd(broadcast(o[k]), r, sum[k]);
    }
  }
};

/// The leaves of a tree with one output and one vector of rows: v = o · g; r · g adds up to ∂o in
/// `sums` [leaf], which the compiler keeps in registers for a small tree.
struct OneOutputLeaves {
  const float* leaves;
  Vector g;
  Vector* sums;
  HWY_INLINE Vector operator()(Vector r, std::size_t leaf) const {
    sums[leaf] = hn::MulAdd(r, g, sums[leaf]);
    return hn::Mul(broadcast(leaves[leaf]), g);
  }
};

/// The leaves of a tree with several outputs: v [leaf][kLanes] has been found by weigh_leaves(),
/// and reach [leaf][stride] is kept for LeafGradients.
struct WeighedLeaves {
  const float* v;
  float* reach;
  std::size_t reach_stride;
  HWY_INLINE Vector operator()(Vector r, std::size_t leaf) const {
    store(r, reach + leaf * reach_stride);
    return load(v + leaf * kLanes);
  }
};

/// v of kLeaves leaves for one vector of rows; g: [output][g_stride], v: [leaf][kLanes].
template <std::size_t kLeaves>
HWY_NOINLINE void weigh_leaves(const float* leaves, std::size_t num_outputs, const float* g,
                               std::size_t g_stride, float* v) {
  Vector sum[kLeaves];
  HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
    sum[leaf] = hn::Mul(broadcast(leaves[leaf * num_outputs]), load(g));
  }
  for (std::size_t k = 1; k < num_outputs; ++k) {
    const Vector gradient = load(g + k * g_stride);
    HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
      sum[leaf] = hn::MulAdd(broadcast(leaves[leaf * num_outputs + k]), gradient, sum[leaf]);
    }
  }
  HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
    store(sum[leaf], v + leaf * kLanes);
  }
}

/// ∂o of kLeaves leaves; reach: [leaf][row_stride], g: [output][row_stride], gradients:
/// [leaf][output]. `num_rows`: whole tiles, g padded with zeros.
template <std::size_t kLeaves>
struct LeafGradients {
  const float* reach;
  const float* g;
  std::size_t row_stride;
  std::size_t num_rows;
  std::size_t num_outputs;
  float* gradients;

  template <std::size_t kOutputs>
  HWY_INLINE void run(std::size_t first) const {
    Vector sum[kLeaves][kOutputs];
    HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
      HWY_UNROLL(4) for (std::size_t k = 0; k < kOutputs; ++k) sum[leaf][k] = zero();
    }
    for (std::size_t row = 0; row < num_rows; row += kVectorSize) {
      Vector r[kLeaves];
      HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
        r[leaf] = load(reach + leaf * row_stride + row);
      }
      HWY_UNROLL(4) for (std::size_t k = 0; k < kOutputs; ++k) {
        const Vector gradient = load(g + (first + k) * row_stride + row);
        HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
          sum[leaf][k] = hn::MulAdd(r[leaf], gradient, sum[leaf][k]);
        }
      }
    }
    HWY_UNROLL(4) for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
      HWY_UNROLL(4) for (std::size_t k = 0; k < kOutputs; ++k) {
        gradients[leaf * num_outputs + first + k] =
            hn::GetLane(hn::SumOfLanes(Floats(), sum[leaf][k]));
      }
    }
  }
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
