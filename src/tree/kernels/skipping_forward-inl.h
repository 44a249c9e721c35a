// The forward pass of one bundle whose rows skip what they do not reach: from the top of every tree
// down, block by block, each for the rows that reach it.
#if defined(SOFTWOOD_TREE_SKIPPING_FORWARD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_SKIPPING_FORWARD_INL_H
#undef SOFTWOOD_TREE_SKIPPING_FORWARD_INL_H
#else
#define SOFTWOOD_TREE_SKIPPING_FORWARD_INL_H
#endif

#include <algorithm>
#include <bit>
#include <numeric>

#include "tree/kernels/block_routing-inl.h"
#include "tree/kernels/block_scores-inl.h"
#include "tree/kernels/kernel_work.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Calls run<levels>() with the levels of a block.
template <class Run>
HWY_INLINE void with_levels(int levels, const Run& run) {
  switch (levels) {
    case 1:
      return run.template operator()<1>();
    case 2:
      return run.template operator()<2>();
    case 3:
      return run.template operator()<3>();
    default:
      return run.template operator()<4>();
  }
}

struct SkippingForward {
  const Work& work;
  SubtreeBlocks blocks;
  SmoothStep activation;

  explicit SkippingForward(const Work& w)
      : work(w), blocks(w.shape.depth), activation(w.shape.gamma) {}
  Visits& visits() const { return work.memory.visits; }

  void run() const {
    visits().clear();
    std::fill_n(work.memory.outputs.data(), work.num_rows() * work.bundle.num_outputs, 0.0F);
    for (std::size_t tree = 0; tree < work.bundle.num_trees; ++tree) enter_root(tree);
    for (std::size_t i = 0; i < visits().blocks.size(); ++i) {
      const BlockVisits at = visits().blocks[i];
      float* const nodes = room_for_nodes(at);
      const std::size_t block = at.tree * blocks.num_blocks() + at.block;
      score_visits(work.layout, work.batch, &visits().rows[at.first], at.count,
                   work.values + work.layout.weights + block * work.layout.block_stride,
                   work.values + work.layout.biases + block * kLanes, activation, nodes);
      if (at.block >= blocks.first_bottom()) {
        add_leaves(at, nodes);
      } else {
        with_levels(blocks.levels(at.block),
                    [&]<int kLevels>() HWY_ATTR { find_children<kLevels>(at, nodes); });
        enter_children(at);
      }
    }
  }

  void enter_root(std::size_t tree) const {
    const std::size_t num_rows = work.num_rows();
    if (num_rows == 0) return;
    const std::size_t first = visits().append(num_rows);
    std::iota(&visits().rows[first], &visits().rows[first] + num_rows, 0U);
    std::fill_n(&visits().reach[first], num_rows, 1.0F);
    visits().blocks.push_back({static_cast<std::uint32_t>(tree), 0, first, num_rows});
  }

  /// [visit][kLanes], kept for backward() or not.
  float* room_for_nodes(const BlockVisits& at) const {
    const std::size_t first = work.keep ? at.first : 0;
    Visits::grow(visits().nodes, (first + at.count) * kLanes);
    return visits().nodes.data() + first * kLanes;
  }

  template <int kLevels>
  HWY_INLINE void find_children(const BlockVisits& at, const float* nodes) const {
    Visits::grow(visits().child_reach, at.count * kLanes);
    visits().masks.resize(std::max(visits().masks.size(), at.count));
    const std::uint32_t all = (1U << (1U << kLevels)) - 1;
    for (std::size_t visit = 0; visit < at.count; ++visit) {
      const BlockLanes reach = children_reach<kLevels>(
          activation, BlockLanes::loaded(nodes + visit * kLanes), visits().reach[at.first + visit]);
      reach.stored(visits().child_reach.data() + visit * kLanes);
      // A NaN fills even the lanes where there is no child.
      const std::uint32_t mask = visits().skip ? reach.not_zero() & all : all;
      visits().masks[visit] = static_cast<std::uint16_t>(mask);
    }
  }

  /// Calls visit(child) for every bit.
  template <class Visit>
  static HWY_INLINE void for_each_bit(std::uint32_t mask, const Visit& visit) {
    for (; mask != 0; mask &= mask - 1) visit(static_cast<std::size_t>(std::countr_zero(mask)));
  }

  /// A counting sort of the visits by the children that they go on to.
  HWY_INLINE void enter_children(const BlockVisits& at) const {
    const std::uint16_t* const masks = visits().masks.data();
    std::size_t ends[kLanes] = {};
    for (std::size_t visit = 0; visit < at.count; ++visit) {
      for_each_bit(masks[visit], [&](std::size_t child) { ++ends[child]; });
    }
    const std::size_t first_child = blocks.first_child(at.block);
    std::size_t total = 0;
    for (std::size_t child = 0; child < kLanes; ++child) {
      const std::size_t count = ends[child];
      ends[child] = visits().count + total;
      if (count == 0) continue;
      visits().blocks.push_back(
          {at.tree, static_cast<std::uint32_t>(first_child + child), ends[child], count});
      total += count;
    }
    visits().append(total);
    std::uint32_t* const rows = visits().rows.data();
    std::uint32_t* const parents = visits().parents.data();
    float* const reach = visits().reach.data();
    for (std::size_t visit = 0; visit < at.count; ++visit) {
      const float* const child_reach = visits().child_reach.data() + visit * kLanes;
      for_each_bit(masks[visit], [&](std::size_t child) {
        const std::size_t to = ends[child]++;
        rows[to] = rows[at.first + visit];
        parents[to] = static_cast<std::uint32_t>(at.first + visit);
        reach[to] = child_reach[child];
      });
    }
  }

  /// out[row][k] += Σ_leaf r[leaf] · o[leaf][k].
  HWY_INLINE void add_leaves(const BlockVisits& at, const float* nodes) const {
    const std::size_t num_outputs = work.bundle.num_outputs;
    const float* const leaves =
        work.leaves(at.tree) + (at.block - blocks.first_bottom()) * kLanes * num_outputs;
    for (std::size_t visit = 0; visit < at.count; ++visit) {
      const BlockLanes reach = children_reach<SubtreeBlocks::kLevels>(
          activation, BlockLanes::loaded(nodes + visit * kLanes), visits().reach[at.first + visit]);
      float* const out = work.memory.outputs.data() + visits().rows[at.first + visit] * num_outputs;
      if (num_outputs == 1) {
        *out += weighted(reach, BlockLanes::loaded(leaves)).sum();
      } else {
        add_reached_leaves(reach, leaves, num_outputs, out);
      }
    }
  }

  static HWY_INLINE BlockLanes weighted(BlockLanes a, const BlockLanes& b) {
    HWY_UNROLL(16)
    for (std::size_t q = 0; q < kVectors; ++q) a.vectors[q] = hn::Mul(a.vectors[q], b.vectors[q]);
    return a;
  }

  static HWY_INLINE void add_reached_leaves(const BlockLanes& reach, const float* leaves,
                                            std::size_t num_outputs, float* out) {
    HWY_ALIGN_MAX float r[kLanes];
    reach.stored(r);
    for_each_bit(reach.not_zero(), [&](std::size_t leaf) {
      const float* const o = leaves + leaf * num_outputs;
      for (std::size_t k = 0; k < num_outputs; ++k) out[k] += r[leaf] * o[k];
    });
  }
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
