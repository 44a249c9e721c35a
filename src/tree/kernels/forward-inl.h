// The forward pass of one bundle: the nodes' scores, block by block with lanes over nodes,
// transposed; then the trees, tile by tile with lanes over rows.
#if defined(SOFTWOOD_TREE_FORWARD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_FORWARD_INL_H
#undef SOFTWOOD_TREE_FORWARD_INL_H
#else
#define SOFTWOOD_TREE_FORWARD_INL_H
#endif

#include <algorithm>

#include "tree/kernels/activation-inl.h"
#include "tree/kernels/block_groups-inl.h"
#include "tree/kernels/kernel_work.h"
#include "tree/kernels/leaves-inl.h"
#include "tree/kernels/look_up-inl.h"
#include "tree/kernels/product-inl.h"
#include "tree/kernels/routing-inl.h"
#include "tree/kernels/transpose-inl.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// z = b + Σ_c φ_c for some blocks and the tiles [first_tile, last_tile), kept as S keeps it.
template <class S>
struct ScoreNodes {
  const Work& work;
  S activation;
  std::size_t first_tile, last_tile;

  template <std::size_t kBlocks>
  HWY_INLINE void run(std::size_t block) const {
    HWY_ALIGN_MAX float z[kLanes * kBlocks * kLanes];
    for (std::size_t tile = first_tile; tile < last_tile; ++tile) {
      const std::size_t num_rows = std::min(kLanes, work.num_rows() - tile * kLanes);
      score<kBlocks>(block, tile * kLanes, num_rows, z);
      if (num_rows == kLanes) {
        transpose<kBlocks>(z, tile, block, activation);
      } else {
        activate_rows<kBlocks>(num_rows, z);
        transpose<kBlocks>(z, tile, block, Same());
      }
    }
  }

  /// What the transpose does on its way, for the rows that exist only: a single row is quick.
  template <std::size_t kBlocks>
  HWY_INLINE void activate_rows(std::size_t num_rows, float* z) const {
    const std::size_t used = num_rows * kBlocks * kLanes;
    for (std::size_t at = 0; at < used; at += kVectorSize) store(activation(load(z + at)), z + at);
    std::fill(z + used, z + kLanes * kBlocks * kLanes, 0.0F);
  }

  template <std::size_t kBlocks, class Map>
  HWY_INLINE void transpose(const float* z, std::size_t tile, std::size_t block, Map map) const {
    for (std::size_t b = 0; b < kBlocks; ++b) {
      transpose_tile(z + b * kLanes, kBlocks * kLanes, work.tile_nodes(tile, (block + b) * kLanes),
                     kLanes, map);
    }
  }

  /// z: [row of the tile][kBlocks · kLanes].
  template <std::size_t kBlocks>
  HWY_INLINE void score(std::size_t block, std::size_t first_row, std::size_t num_rows,
                        float* z) const {
    const BundleLayout& layout = work.layout;
    const float* weights = work.values + layout.weights + block * layout.block_stride;
    const float* start = work.values + layout.biases + block * kLanes;
    std::size_t start_stride = 0;
    if (!layout.linear_columns.empty()) {
      multiply<kBlocks>(layout.linear_columns, work.batch, first_row, num_rows, weights,
                        layout.block_stride, start, z);
      start = z, start_stride = kBlocks * kLanes;
    }
    if (!layout.knot_columns.empty() || layout.linear_columns.empty()) {
      look_up<kBlocks>(layout.knot_columns, work.batch, first_row, num_rows, weights,
                       layout.block_stride, start, start_stride, z);
    }
  }
};

/// memory.outputs of one tile = Σ over trees of v_root: the quick way for few outputs.
template <int kDepth, class S>
void collapse_tile(const Work& work, const S& activation, std::size_t tile) {
  constexpr std::size_t kSplits = (std::size_t{1} << kDepth) - 1;
  const std::size_t num_outputs = work.bundle.num_outputs;
  for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
    for (std::size_t k = 0; k < num_outputs; ++k) {
      Vector sum = zero();
      for (std::size_t tree = 0; tree < work.bundle.num_trees; ++tree) {
        const float* nodes = work.tile_nodes(tile, tree * kSplits) + lane;
        const Collapse<S> collapse{activation, nodes, work.leaves(tree) + k, num_outputs};
        sum = hn::Add(sum, collapse.template visit<kDepth>(0, 0));
      }
      store(sum, work.memory.outputs.data() + k * work.row_stride() + tile * kLanes + lane);
    }
  }
}

/// The same by reach, found once for all outputs, times leaf values.
template <int kDepth, class S>
void route_tile(const Work& work, const S& activation, std::size_t tile) {
  constexpr std::size_t kLeaves = std::size_t{1} << kDepth;
  constexpr std::size_t kTogether = kLeaves < kLeavesTogether ? kLeavesTogether / kLeaves : 1;
  const std::size_t num_trees = work.bundle.num_trees;
  const std::size_t num_outputs = work.bundle.num_outputs;
  for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
    float* out = work.memory.outputs.data() + tile * kLanes + lane;
    for (std::size_t k = 0; k < num_outputs; ++k) store(zero(), out + k * work.row_stride());
    float* reach = work.memory.leaf_tile.data() + lane;
    for (std::size_t first = 0; first < num_trees; first += kTogether) {
      const std::size_t count = std::min(kTogether, num_trees - first);
      for (std::size_t tree = 0; tree < count; ++tree) {
        const float* nodes = work.tile_nodes(tile, (first + tree) * (kLeaves - 1)) + lane;
        const Descent<S> descent{activation, nodes, reach + tree * kLeaves * kLanes};
        descent.template visit<kDepth>(broadcast(1.0F), 0, 0);
      }
      for_output_tiles<8>(num_outputs, LeafOutputs{work.leaves(first), count * kLeaves, num_outputs,
                                                   reach, out, work.row_stride()});
    }
  }
}

/// Up to this many outputs a collapse for each is cheaper than the reach of every leaf.
inline constexpr std::size_t kCollapsedOutputs = 2;

template <class S>
HWY_NOINLINE void score_tiles(const Work& work, const S& activation, std::size_t first_tile,
                              std::size_t last_tile) {
  for_block_groups(work.layout.num_blocks, ScoreNodes<S>{work, activation, first_tile, last_tile});
}

template <int kDepth, class S>
void forward_bundle(const Work& work, const S& activation) {
  for (std::size_t tile = 0; tile < work.num_tiles(); tile += kTilesTogether) {
    const std::size_t last = std::min(tile + kTilesTogether, work.num_tiles());
    score_tiles(work, activation, tile, last);
    for (std::size_t t = tile; t < last; ++t) {
      if (work.bundle.num_outputs <= kCollapsedOutputs) {
        collapse_tile<kDepth>(work, activation, t);
      } else {
        route_tile<kDepth>(work, activation, t);
      }
    }
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
