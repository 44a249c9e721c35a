// Knot columns by look-up, lanes over nodes:
//   forward   z[row] += (1 − t)·V[k] + t·V[k + 1]
//   backward  ∂V[k] = Σ (1 − t)·∂z[row] over the rows of interval k  +  Σ t·∂z[row] over those of k
//   − 1
#if defined(SOFTWOOD_TREE_LOOK_UP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_LOOK_UP_INL_H
#undef SOFTWOOD_TREE_LOOK_UP_INL_H
#else
#define SOFTWOOD_TREE_LOOK_UP_INL_H
#endif

#include <span>

#include "tree/batch.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Rows looked up together: independent sums hide the latency of the multiply-adds.
inline constexpr std::size_t kLookUpRows = kVectorSize >= 8 ? 4 : 1;

/// z [kRows][kBlocks · kLanes] = start [kRows][start_stride] + the look-ups of rows row … row +
/// kRows − 1. `weights`: of the first of kBlocks blocks.
template <std::size_t kRows, std::size_t kBlocks>
HWY_INLINE void look_up_rows(std::span<const ColumnPlace> columns, const Batch& batch,
                             std::size_t row, const float* weights, std::size_t block_stride,
                             const float* start, std::size_t start_stride, float* z) {
  constexpr std::size_t kCount = kBlocks * kVectors;
  Vector sum[kRows][kCount];
  HWY_UNROLL(16) for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      sum[r][q] = load(start + r * start_stride + q * kVectorSize);
    }
  }
  for (const ColumnPlace& place : columns) {
    const std::uint32_t* offsets = batch.offsets(place.column) + row;
    const float* fractions = batch.fractions(place.column) + row;
    const float* column_weights = weights + place.offset;
    HWY_UNROLL(16) for (std::size_t r = 0; r < kRows; ++r) {
      const float* knot = column_weights + offsets[r];
      const Vector t = broadcast(fractions[r]);
      const Vector rest = hn::Sub(broadcast(1.0F), t);
      HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
        const float* at = knot + vector_offset(q, block_stride);
        sum[r][q] = hn::MulAdd(rest, load(at), sum[r][q]);
        sum[r][q] = hn::MulAdd(t, load(at + kLanes), sum[r][q]);
      }
    }
  }
  HWY_UNROLL(16) for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      store(sum[r][q], z + r * kBlocks * kLanes + q * kVectorSize);
    }
  }
}

/// The same for `num_rows` rows from `first` on.
template <std::size_t kBlocks>
HWY_NOINLINE void look_up(std::span<const ColumnPlace> columns, const Batch& batch,
                          std::size_t first, std::size_t num_rows, const float* weights,
                          std::size_t block_stride, const float* start, std::size_t start_stride,
                          float* z) {
  constexpr std::size_t kWidth = kBlocks * kLanes;
  std::size_t row = 0;
  for (; row + kLookUpRows <= num_rows; row += kLookUpRows) {
    look_up_rows<kLookUpRows, kBlocks>(columns, batch, first + row, weights, block_stride,
                                       start + row * start_stride, start_stride, z + row * kWidth);
  }
  for (; row < num_rows; ++row) {
    look_up_rows<1, kBlocks>(columns, batch, first + row, weights, block_stride,
                             start + row * start_stride, start_stride, z + row * kWidth);
  }
}

/// Overwrites the gradients of one knot column's values. Each interval's rows add up in registers,
/// so every knot is written once. `z_gradients`: [rows][kBlocks · kLanes].
template <std::size_t kBlocks>
HWY_NOINLINE void look_up_gradient(const ColumnPlace& place, const Batch& batch,
                                   const float* z_gradients, std::size_t block_stride,
                                   float* gradients) {
  constexpr std::size_t kCount = kBlocks * kVectors;
  const std::uint32_t* starts = batch.starts(place.column);
  const std::uint32_t* rows = batch.sorted_rows(place.column);
  const float* fractions = batch.sorted_fractions(place.column);
  Vector carried[kCount];  // Σ t·∂z of the interval before
  HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) carried[q] = zero();
  float* knot = gradients + place.offset;
  for (std::size_t k = 0; k + 1 < place.num_knots; ++k, knot += kLanes) {
    Vector whole[kCount], part[kCount];  // Σ ∂z and Σ t·∂z
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) whole[q] = part[q] = zero();
    for (std::size_t i = starts[k]; i < starts[k + 1]; ++i) {
      const float* from = z_gradients + rows[i] * (kBlocks * kLanes);
      const Vector t = broadcast(fractions[i]);
      HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
        const Vector g = in_register(load(from + q * kVectorSize));
        whole[q] = hn::Add(whole[q], g);
        part[q] = hn::MulAdd(t, g, part[q]);
      }
    }
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      const Vector value = hn::Add(carried[q], hn::Sub(whole[q], part[q]));
      store(value, knot + vector_offset(q, block_stride));
      carried[q] = part[q];
    }
  }
  HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
    store(carried[q], knot + vector_offset(q, block_stride));
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
