#pragma once

#include <cassert>
#include <span>

#include "tree/kernels/kernel_sizes.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// One bundle, one batch: everything that both passes of the kernels read.
struct Work {
  const EnsembleShape& shape;
  const Bundle& bundle;
  const BundleLayout& layout;
  const float* values;
  const Batch& batch;
  BundleMemory& memory;
  bool keep;  ///< every tile's nodes, not only those of the tiles in work

  std::size_t num_rows() const { return batch.num_rows(); }
  std::size_t num_tiles() const { return round_up(num_rows(), kLanes) / kLanes; }
  std::size_t num_leaves() const { return shape.num_leaves_per_tree(); }
  std::size_t row_stride() const { return padded_stride(memory.max_rows); }
  float* tile_nodes(std::size_t tile, std::size_t node) const {
    const std::size_t place = keep ? tile : tile % kTilesTogether;
    return memory.nodes.data() + (place * layout.num_blocks * kLanes + node) * kLanes;
  }
  const float* leaves(std::size_t tree) const {
    return values + layout.leaves + tree * num_leaves() * bundle.num_outputs;
  }
};

/// `memory`: for such a bundle and so many rows. Whether it keeps() decides what forward() leaves.
inline Work work_of(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
                    const Batch& batch, BundleMemory& memory) {
  assert(values.size() == ensemble.buffer_size());
  assert(batch.num_rows() <= memory.max_rows);
  return {ensemble.shape(),
          ensemble.shape().bundles[bundle],
          ensemble.layout(bundle),
          values.data(),
          batch,
          memory,
          memory.keeps()};
}

}  // namespace softwood
