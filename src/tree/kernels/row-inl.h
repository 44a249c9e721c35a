// The forward pass of one bundle and a single row: scores with lanes over nodes, then the trees one
// node at a time. Nothing is transposed, and no lane is empty for want of rows. The operations on a
// row are those of the way for many, in the same order: the same bits.
#if defined(SOFTWOOD_TREE_ROW_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_ROW_INL_H
#undef SOFTWOOD_TREE_ROW_INL_H
#else
#define SOFTWOOD_TREE_ROW_INL_H
#endif

#include "tree/kernels/forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// One number, with the multiply-add of the target.
using Single = hn::CappedTag<float, 1>;
using Number = hn::Vec<Single>;
HWY_INLINE Number number(float value) {
  return hn::Set(Single(), value);
}

/// Blocks that one row looks up together: a sum waits for its own multiply-adds, many sums do not
/// wait for each other.
inline constexpr std::size_t kRowBlocks = kVectorSize == 16 ? 8 : kVectorSize == 8 ? 4 : 1;

/// S(z) of every node of the bundle, side by side in memory.nodes.
template <class S>
struct RowProbabilities {
  const Work& work;
  S activation;

  template <std::size_t kBlocks>
  HWY_INLINE void run(std::size_t block) const {
    float* s = work.memory.nodes.data() + block * kLanes;
    if (work.layout.linear_columns.empty()) {
      look_up_rows<1, kBlocks>(work.layout.knot_columns, work.batch, 0,
                               work.values + work.layout.weights + block * work.layout.block_stride,
                               work.layout.block_stride,
                               work.values + work.layout.biases + block * kLanes, 0, s);
    } else {
      for (std::size_t b = 0; b < kBlocks; ++b) {
        ScoreNodes<S>{work, activation, 0, 1}.template score<1>(block + b, 0, 1, s + b * kLanes);
      }
    }
    for (std::size_t at = 0; at < kBlocks * kLanes; at += kVectorSize) {
      store(activation.probability(activation(load(s + at))), s + at);
    }
  }
};

/// Collapse for one row. s: of the tree's nodes.
struct RowCollapse {
  const float* s;
  const float* leaves;
  std::size_t leaf_stride;

  template <int kLevels>
  HWY_INLINE Number visit(std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels == 0) {
      return number(leaves[leaf * leaf_stride]);
    } else {
      const Number left = child<kLevels - 1>(2 * node + 1, leaf);
      const Number right = child<kLevels - 1>(2 * node + 2, right_half<kLevels>(leaf));
      return hn::MulAdd(number(s[node]), hn::Sub(left, right), right);
    }
  }
  template <int kLevels>
  HWY_INLINE Number child(std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels < kCalledDepth) return visit<kLevels>(node, leaf);
    if constexpr (kLevels >= kCalledDepth) return call<kLevels>(node, leaf);
  }
  template <int kLevels>
  HWY_NOINLINE Number call(std::size_t node, std::size_t leaf) const {
    return visit<kLevels>(node, leaf);
  }
};

/// The reach of a tree's leaves, side by side: Descent for one row. Level by level, in place.
template <int kDepth>
HWY_INLINE void reach_leaves(const float* s, float* reach) {
  reach[0] = 1;
  for (int level = 0; level < kDepth; ++level) {
    const std::size_t width = std::size_t{1} << level;
    for (std::size_t i = width; i-- > 0;) {
      const float left = reach[i] * s[width - 1 + i];
      const float right = reach[i] - left;
      reach[2 * i] = left;
      reach[2 * i + 1] = right;
    }
  }
}

/// LeafOutputs for one row, lanes over outputs. `reach`: [leaf].
struct RowLeafOutputs {
  const float* leaves;
  std::size_t num_leaves;
  std::size_t num_outputs;
  const float* reach;
  float* out;
  std::size_t out_stride;

  template <std::size_t kOutputs>
  HWY_INLINE void run(std::size_t first) const {
    constexpr std::size_t kParts = kOutputs >= 4 ? 1 : 4 / kOutputs;
    using Lanes = hn::CappedTag<float, kOutputs>;
    constexpr std::size_t kStep = hn::MaxLanes(Lanes());
    for (std::size_t k = first; k < first + kOutputs; k += kStep) add<Lanes, kStep, kParts>(k);
  }

  template <class Lanes, std::size_t kStep, std::size_t kParts>
  HWY_INLINE void add(std::size_t k) const {
    const Lanes d;
    HWY_ALIGN_MAX float sums[kStep];
    for (std::size_t lane = 0; lane < kStep; ++lane) sums[lane] = out[(k + lane) * out_stride];
    hn::Vec<Lanes> sum[kParts];
    sum[0] = hn::Load(d, sums);
    for (std::size_t part = 1; part < kParts; ++part) sum[part] = hn::Zero(d);
    const std::size_t whole = num_leaves - num_leaves % kParts;
    const auto add_leaf = [&](std::size_t leaf, std::size_t part) HWY_ATTR {
      const auto o = hn::LoadU(d, leaves + leaf * num_outputs + k);
      sum[part] = hn::MulAdd(o, hn::Set(d, reach[leaf]), sum[part]);
    };
    for (std::size_t leaf = 0; leaf < whole; leaf += kParts) {
      for (std::size_t part = 0; part < kParts; ++part) add_leaf(leaf + part, part);
    }
    for (std::size_t leaf = whole; leaf < num_leaves; ++leaf) add_leaf(leaf, 0);
    for (std::size_t part = 1; part < kParts; ++part) sum[0] = hn::Add(sum[0], sum[part]);
    hn::Store(sum[0], d, sums);
    for (std::size_t lane = 0; lane < kStep; ++lane) out[(k + lane) * out_stride] = sums[lane];
  }
};

/// collapse_tile for one row.
template <int kDepth>
void collapse_trees(const Work& work) {
  constexpr std::size_t kSplits = (std::size_t{1} << kDepth) - 1;
  const std::size_t num_outputs = work.bundle.num_outputs;
  for (std::size_t k = 0; k < num_outputs; ++k) {
    Number sum = number(0);
    for (std::size_t tree = 0; tree < work.bundle.num_trees; ++tree) {
      const float* s = work.memory.nodes.data() + tree * kSplits;
      const RowCollapse collapse{s, work.leaves(tree) + k, num_outputs};
      sum = hn::Add(sum, collapse.template visit<kDepth>(0, 0));
    }
    work.memory.outputs[k * work.row_stride()] = hn::GetLane(sum);
  }
}

/// route_tile for one row.
template <int kDepth>
void route_row(const Work& work) {
  constexpr std::size_t kLeaves = std::size_t{1} << kDepth;
  constexpr std::size_t kTogether = kLeaves < kLeavesTogether ? kLeavesTogether / kLeaves : 1;
  const std::size_t num_trees = work.bundle.num_trees;
  const std::size_t num_outputs = work.bundle.num_outputs;
  float* out = work.memory.outputs.data();
  for (std::size_t k = 0; k < num_outputs; ++k) out[k * work.row_stride()] = 0;
  float* reach = work.memory.leaf_tile.data();
  for (std::size_t first = 0; first < num_trees; first += kTogether) {
    const std::size_t count = std::min(kTogether, num_trees - first);
    for (std::size_t tree = 0; tree < count; ++tree) {
      const float* s = work.memory.nodes.data() + (first + tree) * (kLeaves - 1);
      reach_leaves<kDepth>(s, reach + tree * kLeaves);
    }
    for_output_tiles<8>(num_outputs, RowLeafOutputs{work.leaves(first), count * kLeaves,
                                                    num_outputs, reach, out, work.row_stride()});
  }
}

/// All blocks from `block` on, kBlocks of them at a time, then half as many, ….
template <std::size_t kBlocks, class S>
HWY_INLINE void score_blocks(const RowProbabilities<S>& pass, std::size_t block) {
  for (; block + kBlocks <= pass.work.layout.num_blocks; block += kBlocks)
    pass.template run<kBlocks>(block);
  if constexpr (kBlocks > 1) score_blocks<kBlocks / 2>(pass, block);
}

template <class S>
HWY_NOINLINE void score_row(const Work& work, const S& activation) {
  score_blocks<kRowBlocks>(RowProbabilities<S>{work, activation}, 0);
}

template <int kDepth, class S>
void forward_row(const Work& work, const S& activation) {
  score_row(work, activation);
  if (work.bundle.num_outputs <= kCollapsedOutputs) {
    collapse_trees<kDepth>(work);
  } else {
    route_row<kDepth>(work);
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
