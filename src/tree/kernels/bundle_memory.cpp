#include <algorithm>

#include "tree/kernels/kernel_sizes.h"
#include "tree/kernels/kernels.h"

namespace softwood {

BundleMemory::BundleMemory(const Ensemble& ensemble, std::size_t bundle, std::size_t rows)
    : max_rows(rows) {
  make_room(ensemble, bundle, true);
}

BundleMemory::BundleMemory(const Ensemble& ensemble, std::size_t rows) : max_rows(rows) {
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    make_room(ensemble, bundle, false);
  }
}

void BundleMemory::make_room(const Ensemble& ensemble, std::size_t bundle, bool keep) {
  const auto grow = [](AlignedVector<float>& buffer, std::size_t size) {
    buffer.resize(std::max(buffer.size(), size));
  };
  keeps_ = keep;
  if (ensemble.shape().skips()) {
    grow(outputs, max_rows * ensemble.shape().bundles[bundle].num_outputs);
    return;
  }
  const std::size_t tiled_rows = round_up(max_rows, kLanes);
  const std::size_t node_rows = keep ? tiled_rows : std::min(tiled_rows, kTilesTogether * kLanes);
  const std::size_t num_leaves = ensemble.shape().num_leaves_per_tree();
  grow(nodes, node_rows * ensemble.layout(bundle).num_blocks * kLanes);
  grow(outputs, padded_stride(max_rows) * ensemble.shape().bundles[bundle].num_outputs);
  grow(leaf_tile, std::max(num_leaves, kLeavesTogether) * kLanes);
  if (!keep) return;
  grow(reach, padded_stride(max_rows) * num_leaves);
  grow(block_gradients, tiled_rows * kMaxBlocks * kLanes);
}

}  // namespace softwood
