#include "tree/kernels.h"

#include <algorithm>
#include <cassert>

#include "tree/kernel_work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tree/activation-inl.h"
#include "tree/leaves-inl.h"
#include "tree/look_up-inl.h"
#include "tree/product-inl.h"
#include "tree/routing-inl.h"
#include "tree/transpose-inl.h"
#include "tree/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Calls pass(block, kBlocks) over all blocks, kMaxBlocks at a time where the registers allow.
template <class Pass>
HWY_INLINE void for_block_groups(std::size_t num_blocks, const Pass& pass) {
  std::size_t block = 0;
  if constexpr (kVectorSize == 16) {
    for (; block + kMaxBlocks <= num_blocks; block += kMaxBlocks) {
      pass.template run<kMaxBlocks>(block);
    }
  }
  for (; block < num_blocks; ++block) pass.template run<1>(block);
}

/// z = b + Σ_c φ_c for some blocks and the tiles [first_tile, last_tile), kept as S keeps it.
template <class S>
struct ScoreNodes {
  const Work& work;
  S activation;
  std::size_t first_tile, last_tile;

  template <std::size_t kBlocks>
  HWY_INLINE void run(std::size_t block) const {
    const float* weights = work.values + work.layout.weights + block * work.layout.block_stride;
    for (std::size_t tile = first_tile; tile < last_tile; ++tile) {
      HWY_ALIGN_MAX float z[kLanes * kBlocks * kLanes];
      fill_with_biases<kBlocks>(block, z);
      const std::size_t first = tile * kLanes;
      const std::size_t count = std::min(kLanes, work.num_rows() - first);
      if (!work.layout.linear_columns.empty()) {
        multiply<kBlocks>(work.layout.linear_columns, work.batch, first, count, weights,
                          work.layout.block_stride, z);
      }
      if (!work.layout.knot_columns.empty()) {
        look_up<kBlocks>(work.layout.knot_columns, work.batch, first, count, weights,
                         work.layout.block_stride, z);
      }
      for (std::size_t b = 0; b < kBlocks; ++b) {
        transpose_tile(z + b * kLanes, kBlocks * kLanes,
                       work.tile_nodes(tile, (block + b) * kLanes), kLanes, activation);
      }
    }
  }

  template <std::size_t kBlocks>
  HWY_INLINE void fill_with_biases(std::size_t block, float* z) const {
    const float* biases = work.values + work.layout.biases + block * kLanes;
    for (std::size_t at = 0; at < kBlocks * kLanes; at += kVectorSize) {
      const Vector bias = load(biases + at);
      for (std::size_t row = 0; row < kLanes; ++row) store(bias, z + row * kBlocks * kLanes + at);
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

/// Turns what is kept at the nodes of one tree into ∂loss/∂z for one vector of rows, and finds the
/// reach of its leaves.
template <int kDepth, class S>
HWY_INLINE void ascend_tree(const Work& work, const S& activation, std::size_t tree,
                            std::size_t row) {
  constexpr std::size_t kLeaves = std::size_t{1} << kDepth;
  constexpr std::size_t kTogether = kLeaves < 4 ? kLeaves : 4;
  const std::size_t num_outputs = work.bundle.num_outputs;
  const std::size_t stride = work.row_stride(), lane = row % kLanes;
  const float* leaves = work.leaves(tree);
  const float* g = work.memory.outputs.data() + row;
  float* nodes = work.tile_nodes(row / kLanes, tree * (kLeaves - 1)) + lane;
  float* reach = work.memory.reach.data() + row;
  if (num_outputs == 1) {
    const Ascent<S, OneOutput> ascent{activation, {leaves, load(g)}, nodes, reach, stride};
    ascent.template visit<kDepth>(broadcast(1.0F), 0, 0);
    return;
  }
  float* v = work.memory.leaf_tile.data() + lane;
  for (std::size_t leaf = 0; leaf < kLeaves; leaf += kTogether) {
    weigh_leaves<kTogether>(leaves + leaf * num_outputs, num_outputs, g, stride, v + leaf * kLanes);
  }
  const Ascent<S, Weighed> ascent{activation, {v}, nodes, reach, stride};
  ascent.template visit<kDepth>(broadcast(1.0F), 0, 0);
}

/// One tree's node gradients and leaf gradients, all rows.
template <int kDepth, class S>
void route_tree_back(const Work& work, const S& activation, std::size_t tree, float* gradients) {
  constexpr std::size_t kLeaves = std::size_t{1} << kDepth;
  constexpr std::size_t kTogether = kLeaves < 4 ? kLeaves : 4;
  const std::size_t num_outputs = work.bundle.num_outputs;
  const std::size_t stride = work.row_stride(), num_rows = work.num_tiles() * kLanes;
  for (std::size_t row = 0; row < num_rows; row += kVectorSize) {
    ascend_tree<kDepth>(work, activation, tree, row);
  }
  for (std::size_t leaf = 0; leaf < kLeaves; leaf += kTogether) {
    for_output_tiles<4>(num_outputs,
                        LeafGradients<kTogether>{work.memory.reach.data() + leaf * stride,
                                                 work.memory.outputs.data(), stride, num_rows,
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

  template <std::size_t kBlocks>
  HWY_INLINE void add_up_biases(const float* z_gradients, float* biases) const {
    for (std::size_t at = 0; at < kBlocks * kLanes; at += kVectorSize) {
      Vector sum = zero();
      for (std::size_t row = 0; row < work.num_rows(); ++row) {
        sum = hn::Add(sum, load(z_gradients + row * kBlocks * kLanes + at));
      }
      store(sum, biases + at);
    }
  }
};

/// Tiles whose scores are found before they are routed: few enough that they are still in cache.
inline constexpr std::size_t kTilesTogether = 16;

template <class S>
HWY_NOINLINE void score_tiles(const Work& work, const S& activation, std::size_t first_tile,
                              std::size_t last_tile) {
  for_block_groups(work.layout.num_blocks,
                   ScoreNodes<S>{work, activation, first_tile, last_tile});
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

template <int kDepth, class S>
void backward_trees(const Work& work, const S& activation, float* leaf_gradients) {
  const std::size_t leaves_size = work.num_leaves() * work.bundle.num_outputs;
  for (std::size_t tree = 0; tree < work.bundle.num_trees; ++tree) {
    route_tree_back<kDepth>(work, activation, tree, leaf_gradients + tree * leaves_size);
  }
}

/// The nodes that only fill the last block hold S(0), which no tree has turned into a gradient.
void clear_padding_nodes(const Work& work) {
  const std::size_t num_padding = work.layout.num_blocks * kLanes - work.layout.num_nodes;
  for (std::size_t tile = 0; tile < work.num_tiles(); ++tile) {
    std::fill_n(work.tile_nodes(tile, work.layout.num_nodes), num_padding * kLanes, 0.0F);
  }
}

/// Calls run<depth>(activation) with what the shape says.
template <int kDepth = 1, class Run>
void with_shape(const EnsembleShape& shape, const Run& run) {
  if constexpr (kDepth < kMaxDepth) {
    if (shape.depth != kDepth) return with_shape<kDepth + 1>(shape, run);
  }
  if (shape.activation == Activation::logistic) {
    run.template operator()<kDepth>(Logistic(shape.gamma));
  } else {
    run.template operator()<kDepth>(SmoothStep(shape.gamma));
  }
}

void forward_kernel(const Work& work) {
  with_shape(work.shape, [&]<int kDepth>(const auto& activation) HWY_ATTR {
    forward_bundle<kDepth>(work, activation);
  });
}

void backward_kernel(const Work& work, float* gradients) {
  float* leaf_gradients = gradients + work.layout.leaves;
  std::fill_n(leaf_gradients, work.layout.leaves_size, 0.0F);
  with_shape(work.shape, [&]<int kDepth>(const auto& activation) HWY_ATTR {
    backward_trees<kDepth>(work, activation, leaf_gradients);
  });
  clear_padding_nodes(work);
  for_block_groups(work.layout.num_blocks, BlockGradients{work, gradients});
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(forward_kernel);
HWY_EXPORT(backward_kernel);

Work work_of(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
             const Batch& batch, BundleMemory& memory) {
  assert(values.size() == ensemble.buffer_size());
  assert(batch.num_rows() <= memory.max_rows);
  return {ensemble.shape(), ensemble.shape().bundles[bundle], ensemble.layout(bundle),
          values.data(),    batch,                            memory};
}

}  // namespace

void forward(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
             const Batch& batch, BundleMemory& memory, bool keep, MatrixView<float> out) {
  const Work work = work_of(ensemble, bundle, values, batch, memory);
  assert(out.rows == work.bundle.num_outputs && out.cols == batch.num_rows());
  assert(!keep || memory.keeps());
  HWY_DYNAMIC_DISPATCH(forward_kernel)(work);
  for (std::size_t k = 0; k < out.rows; ++k) {
    std::copy_n(memory.outputs.data() + k * work.row_stride(), out.cols, out.row(k).data());
  }
}

void backward(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
              const Batch& batch, BundleMemory& memory, MatrixView<const float> output_gradients,
              std::span<float> gradients) {
  const Work work = work_of(ensemble, bundle, values, batch, memory);
  assert(gradients.size() == ensemble.buffer_size());
  assert(output_gradients.rows == work.bundle.num_outputs);
  assert(output_gradients.cols == batch.num_rows());
  for (std::size_t k = 0; k < output_gradients.rows; ++k) {
    float* padded = memory.outputs.data() + k * work.row_stride();
    std::copy_n(output_gradients.row(k).data(), batch.num_rows(), padded);
    std::fill(padded + batch.num_rows(), padded + work.num_tiles() * kLanes, 0.0F);
  }
  HWY_DYNAMIC_DISPATCH(backward_kernel)(work, gradients.data());
}

}  // namespace softwood
#endif
