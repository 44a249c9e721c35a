// The backward pass of one bundle: through the trees, tree by tree with lanes over rows, which
// turns what the forward pass kept into ∂loss/∂z; then the columns, block by block with lanes over
// nodes.
#if defined(SOFTWOOD_TREE_BACKWARD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_BACKWARD_INL_H
#undef SOFTWOOD_TREE_BACKWARD_INL_H
#else
#define SOFTWOOD_TREE_BACKWARD_INL_H
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

/// Turns what is kept at the nodes of one tree into ∂loss/∂z, and finds its leaves' gradients.
template <int kDepth, class S>
void ascend_one_output(const Work& work, const S& activation, std::size_t tree, float* gradients) {
  constexpr std::size_t kLeaves = std::size_t{1} << kDepth;
  Vector sums[kLeaves];
  for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) sums[leaf] = zero();
  for (std::size_t row = 0; row < work.num_tiles() * kLanes; row += kVectorSize) {
    const OneOutputLeaves leaves{work.leaves(tree), load(work.memory.outputs.data() + row), sums};
    float* nodes = work.tile_nodes(row / kLanes, tree * (kLeaves - 1)) + row % kLanes;
    Ascent<S, OneOutputLeaves>{activation, leaves, nodes}.template visit<kDepth>(broadcast(1.0F), 0,
                                                                                 0);
  }
  for (std::size_t leaf = 0; leaf < kLeaves; ++leaf) {
    gradients[leaf] = hn::GetLane(hn::SumOfLanes(Floats(), sums[leaf]));
  }
}

/// The same for any number of outputs.
template <int kDepth, class S>
void ascend(const Work& work, const S& activation, std::size_t tree, float* gradients) {
  constexpr std::size_t kLeaves = std::size_t{1} << kDepth;
  constexpr std::size_t kTogether = kLeaves < 4 ? kLeaves : 4;
  const std::size_t num_outputs = work.bundle.num_outputs;
  const std::size_t stride = work.row_stride(), num_rows = work.num_tiles() * kLanes;
  const float* values = work.leaves(tree);
  const float* g = work.memory.outputs.data();
  float* reach = work.memory.reach.data();
  for (std::size_t row = 0; row < num_rows; row += kVectorSize) {
    float* v = work.memory.leaf_tile.data() + row % kLanes;
    for (std::size_t leaf = 0; leaf < kLeaves; leaf += kTogether) {
      weigh_leaves<kTogether>(values + leaf * num_outputs, num_outputs, g + row, stride,
                              v + leaf * kLanes);
    }
    const WeighedLeaves leaves{v, reach + row, stride};
    float* nodes = work.tile_nodes(row / kLanes, tree * (kLeaves - 1)) + row % kLanes;
    Ascent<S, WeighedLeaves>{activation, leaves, nodes}.template visit<kDepth>(broadcast(1.0F), 0,
                                                                               0);
  }
  for (std::size_t leaf = 0; leaf < kLeaves; leaf += kTogether) {
    for_output_tiles<4>(num_outputs,
                        LeafGradients<kTogether>{reach + leaf * stride, g, stride, num_rows,
                                                 num_outputs, gradients + leaf * num_outputs});
  }
}

/// From ∂loss/∂z of some blocks: the gradients of their biases and columns.
struct BlockGradients {
  const Work& work;
  float* gradients;

  template <std::size_t kBlocks>
  HWY_INLINE void run(std::size_t block) const {
    float* z_gradients = work.memory.block_gradients.data();
    for (std::size_t tile = 0; tile < work.num_tiles(); ++tile) {
      for (std::size_t b = 0; b < kBlocks; ++b) {
        transpose_tile(work.tile_nodes(tile, (block + b) * kLanes), kLanes,
                       z_gradients + (tile * kLanes * kBlocks + b) * kLanes, kBlocks * kLanes,
                       Same());
      }
    }
    add_up_biases<kBlocks>(z_gradients, gradients + work.layout.biases + block * kLanes);
    float* weights = gradients + work.layout.weights + block * work.layout.block_stride;
    for (const ColumnPlace& place : work.layout.knot_columns) {
      look_up_gradient<kBlocks>(place, work.batch, z_gradients, work.layout.block_stride, weights);
    }
    multiply_gradient<kBlocks>(work.layout.linear_columns, work.batch, z_gradients,
                               work.layout.block_stride, weights);
  }

  /// z_gradients has whole tiles of rows, those beyond the last being 0.
  template <std::size_t kBlocks>
  HWY_INLINE void add_up_biases(const float* z_gradients, float* biases) const {
    constexpr std::size_t kParts = 4;  // sums that do not wait for each other
    constexpr std::size_t kWidth = kBlocks * kLanes;
    for (std::size_t at = 0; at < kWidth; at += kVectorSize) {
      Vector sum[kParts] = {zero(), zero(), zero(), zero()};
      for (std::size_t row = 0; row < work.num_tiles() * kLanes; row += kParts) {
        HWY_UNROLL(4) for (std::size_t part = 0; part < kParts; ++part) {
          sum[part] = hn::Add(sum[part], load(z_gradients + (row + part) * kWidth + at));
        }
      }
      store(hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3])), biases + at);
    }
  }
};

template <int kDepth, class S>
void backward_trees(const Work& work, const S& activation, float* leaf_gradients) {
  const std::size_t leaves_size = work.num_leaves() * work.bundle.num_outputs;
  for (std::size_t tree = 0; tree < work.bundle.num_trees; ++tree) {
    float* gradients = leaf_gradients + tree * leaves_size;
    if (work.bundle.num_outputs == 1) {
      ascend_one_output<kDepth>(work, activation, tree, gradients);
    } else {
      ascend<kDepth>(work, activation, tree, gradients);
    }
  }
}

/// The nodes that only fill the last block hold S(0), which no tree has turned into a gradient.
HWY_INLINE void clear_padding_nodes(const Work& work) {
  const std::size_t num_padding = work.layout.num_blocks * kLanes - work.layout.num_nodes;
  for (std::size_t tile = 0; tile < work.num_tiles(); ++tile) {
    std::fill_n(work.tile_nodes(tile, work.layout.num_nodes), num_padding * kLanes, 0.0F);
  }
}

/// The gradients of all biases and columns.
HWY_NOINLINE void backward_blocks(const Work& work, float* gradients) {
  clear_padding_nodes(work);
  for_block_groups(work.layout.num_blocks, BlockGradients{work, gradients});
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
