#include "tree/kernels/input_gradient.h"

#include <algorithm>
#include <cassert>

#include "tree/kernels/kernel_work.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/kernels/input_gradient.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "tree/kernels/block_lanes-inl.h"
#include "tree/kernels/transpose-inl.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Linear columns of one register tile: enough sums to keep the multipliers busy.
inline constexpr std::size_t kInputColumns = kVectorSize == 16 ? 8 : kVectorSize == 8 ? 4 : 1;

/// One tile of rows: ∂loss/∂z stands in memory.nodes as [node][row of the tile].
struct InputTile {
  const Work& work;
  MatrixView<const float> positions;
  MatrixView<double> gradients;
  std::size_t tile;

  std::size_t first_row() const { return tile * kLanes; }
  std::size_t num_rows() const { return std::min(kLanes, work.num_rows() - first_row()); }
  const float* weights(std::size_t block) const {
    return work.values + work.layout.weights + block * work.layout.block_stride;
  }

  /// Σ over nodes of ∂loss/∂z · w for kColumns columns, lanes over rows.
  template <std::size_t kColumns>
  HWY_INLINE void multiply(const ColumnPlace* columns) const {
    Vector sum[kColumns][kVectors];
    HWY_UNROLL(8) for (std::size_t c = 0; c < kColumns; ++c) {
      HWY_UNROLL(16) for (std::size_t v = 0; v < kVectors; ++v) sum[c][v] = zero();
    }
    for (std::size_t block = 0; block < work.layout.num_blocks; ++block) {
      const float* z_gradients = work.tile_nodes(tile, block * kLanes);
      const float* w[kColumns];
      for (std::size_t c = 0; c < kColumns; ++c) w[c] = weights(block) + columns[c].offset;
      for (std::size_t node = 0; node < kLanes; ++node, z_gradients += kLanes) {
        HWY_UNROLL(16) for (std::size_t v = 0; v < kVectors; ++v) {
          const Vector g = in_register(load(z_gradients + v * kVectorSize));
          HWY_UNROLL(8) for (std::size_t c = 0; c < kColumns; ++c) {
            sum[c][v] = hn::MulAdd(broadcast(w[c][node]), g, sum[c][v]);
          }
        }
      }
    }
    HWY_UNROLL(8) for (std::size_t c = 0; c < kColumns; ++c) add(columns[c], sum[c]);
  }

  HWY_INLINE void add(const ColumnPlace& place, const Vector* sums) const {
    HWY_ALIGN_MAX float rows[kLanes];
    HWY_UNROLL(16)
    for (std::size_t v = 0; v < kVectors; ++v) store(sums[v], rows + v * kVectorSize);
    double* to = gradients.row(work.shape.source_of(place.column)).data() + first_row();
    for (std::size_t row = 0; row < num_rows(); ++row) to[row] += static_cast<double>(rows[row]);
  }

  HWY_NOINLINE void multiply_all() const {
    const std::vector<ColumnPlace>& columns = work.layout.linear_columns;
    std::size_t c = 0;
    for (; c + kInputColumns <= columns.size(); c += kInputColumns) {
      multiply<kInputColumns>(&columns[c]);
    }
    for (; c < columns.size(); ++c) multiply<1>(&columns[c]);
  }

  /// Σ over nodes of ∂loss/∂z · (V[k + 1] − V[k]), lanes over nodes. `knot`: V[k] in the first
  /// block; `z_gradients`: of the row.
  HWY_INLINE float rise(const float* knot, const float* z_gradients) const {
    Vector sum[kVectors];
    HWY_UNROLL(16) for (std::size_t v = 0; v < kVectors; ++v) sum[v] = zero();
    for (std::size_t block = 0; block < work.layout.num_blocks; ++block) {
      HWY_UNROLL(16) for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t at = v * kVectorSize;
        const Vector step = hn::Sub(load(knot + kLanes + at), load(knot + at));
        sum[v] = hn::MulAdd(load(z_gradients + at), step, sum[v]);
      }
      knot += work.layout.block_stride;
      z_gradients += kLanes;
    }
    for (std::size_t v = 1; v < kVectors; ++v) sum[0] = hn::Add(sum[0], sum[v]);
    return hn::GetLane(hn::SumOfLanes(Floats(), sum[0]));
  }

  /// `z_gradients`: [row of the tile][node].
  HWY_NOINLINE void climb(const ColumnPlace& place, const float* z_gradients) const {
    const ColumnBasis& basis = work.shape.columns[place.column];
    if (basis.kind == ColumnBasis::Kind::levels) return;
    const std::size_t source = work.shape.source_of(place.column);
    const std::size_t last_edge = (place.num_knots - 2) * kLanes;
    for (std::size_t row = 0; row < num_rows(); ++row) {
      const std::size_t at = first_row() + row;
      const std::size_t offset = work.batch.offsets(place.column)[at];
      if (offset >= last_edge) continue;
      const float total = rise(weights(0) + place.offset + offset,
                               z_gradients + row * work.layout.num_blocks * kLanes);
      gradients(source, at) += static_cast<double>(total * basis.stretch(positions(source, at)));
    }
  }

  /// `scratch`: [kLanes][nodes].
  HWY_INLINE void climb_all(float* scratch) const {
    const std::size_t num_blocks = work.layout.num_blocks;
    for (std::size_t block = 0; block < num_blocks; ++block) {
      transpose_tile(work.tile_nodes(tile, block * kLanes), kLanes, scratch + block * kLanes,
                     num_blocks * kLanes, Same());
    }
    for (const ColumnPlace& place : work.layout.knot_columns) climb(place, scratch);
  }
};

/// The same of rows that skip: visit by visit, lanes over nodes.
struct InputVisit {
  const Work& work;
  MatrixView<const float> positions;
  MatrixView<double> gradients;
  std::size_t row;
  const float* weights;  // of the block
  BlockLanes z_gradients;

  HWY_INLINE float weighted_sum(const float* values) const {
    BlockLanes product;
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      product.vectors[q] = hn::Mul(z_gradients.vectors[q], load(values + q * kVectorSize));
    }
    return product.sum();
  }
  HWY_INLINE void run() const {
    for (const ColumnPlace& place : work.layout.linear_columns) {
      gradients(work.shape.source_of(place.column), row) +=
          static_cast<double>(weighted_sum(weights + place.offset));
    }
    for (const ColumnPlace& place : work.layout.knot_columns) {
      const ColumnBasis& basis = work.shape.columns[place.column];
      const std::size_t offset = work.batch.row_offsets(row)[place.column];
      if (basis.kind == ColumnBasis::Kind::levels || offset >= (place.num_knots - 2) * kLanes)
        continue;
      const float* const knot = weights + place.offset + offset;
      const float rise = weighted_sum(knot + kLanes) - weighted_sum(knot);
      const std::size_t source = work.shape.source_of(place.column);
      gradients(source, row) += static_cast<double>(rise * basis.stretch(positions(source, row)));
    }
  }
};

HWY_INLINE void visit_position_gradients(const Work& work, MatrixView<const float> positions,
                                         std::size_t first, std::size_t last,
                                         MatrixView<double> gradients) {
  const Visits& visits = work.memory.visits;
  for (const BlockVisits& at : visits.blocks) {
    const std::size_t block = at.tree * work.layout.blocks_per_tree + at.block;
    const float* const weights =
        work.values + work.layout.weights + block * work.layout.block_stride;
    for (std::size_t visit = at.first; visit < at.first + at.count; ++visit) {
      const std::size_t row = visits.rows[visit];
      if (row < first || row >= last) continue;
      const InputVisit here{work,      positions,
                            gradients, row,
                            weights,   BlockLanes::loaded(visits.nodes.data() + visit * kLanes)};
      here.run();
    }
  }
}

void position_gradients_kernel(const Work& work, MatrixView<const float> positions,
                               std::size_t first, std::size_t last, MatrixView<double> gradients) {
  if (work.shape.skips()) return visit_position_gradients(work, positions, first, last, gradients);
  AlignedVector<float> scratch(work.layout.num_blocks * kLanes * kLanes);
  for (std::size_t row = first; row < last; row += kLanes) {
    const InputTile tile{work, positions, gradients, row / kLanes};
    tile.multiply_all();
    if (!work.layout.knot_columns.empty()) tile.climb_all(scratch.data());
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(position_gradients_kernel);

}  // namespace

void add_position_gradients(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const float> values, const Batch& batch,
                            MatrixView<const float> positions, BundleMemory& memory,
                            std::size_t first, std::size_t last, MatrixView<double> gradients) {
  assert(memory.keeps());
  assert(first % kLanes == 0 && last <= batch.num_rows());
  assert(last % kLanes == 0 || last == batch.num_rows());
  const Work work = work_of(ensemble, bundle, values, batch, memory);
  HWY_DYNAMIC_DISPATCH(position_gradients_kernel)(work, positions, first, last, gradients);
}

}  // namespace softwood
#endif
