// Linear columns by products whose sums stay in registers, lanes over nodes:
//   forward   z[row] += Σ_c x[c][row] · w[c]
//   backward  ∂w[c] = Σ_row x[c][row] · ∂z[row]
#if defined(SOFTWOOD_TREE_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_PRODUCT_INL_H
#undef SOFTWOOD_TREE_PRODUCT_INL_H
#else
#define SOFTWOOD_TREE_PRODUCT_INL_H
#endif

#include <span>

#include "tree/batch.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Rows (forward) or columns (backward) of one register tile: enough sums to keep the multipliers
/// busy, few enough to stay in registers.
inline constexpr std::size_t kProductRows = kVectorSize == 16 ? 8 : kVectorSize == 8 ? 4 : 1;
inline constexpr std::size_t kProductColumns = kProductRows;

/// z [kRows][kBlocks · kLanes] = start [kBlocks · kLanes] + the products of rows row … row + kRows
/// − 1.
template <std::size_t kRows, std::size_t kBlocks>
HWY_INLINE void multiply_rows(std::span<const ColumnPlace> columns, const Batch& batch,
                              std::size_t row, const float* weights, std::size_t block_stride,
                              const float* start, float* z) {
  constexpr std::size_t kCount = kBlocks * kVectors;
  Vector sum[kRows][kCount];
  HWY_UNROLL(16) for (std::size_t r = 0; r < kRows; ++r) {
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      sum[r][q] = load(start + q * kVectorSize);
    }
  }
  for (const ColumnPlace& place : columns) {
    const float* x = batch.fractions(place.column) + row;
    Vector w[kCount];
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      w[q] = load(weights + place.offset + vector_offset(q, block_stride));
    }
    HWY_UNROLL(16) for (std::size_t r = 0; r < kRows; ++r) {
      const Vector value = broadcast(x[r]);
      HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
        sum[r][q] = hn::MulAdd(value, w[q], sum[r][q]);
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
HWY_NOINLINE void multiply(std::span<const ColumnPlace> columns, const Batch& batch,
                           std::size_t first, std::size_t num_rows, const float* weights,
                           std::size_t block_stride, const float* start, float* z) {
  constexpr std::size_t kWidth = kBlocks * kLanes;
  std::size_t row = 0;
  for (; row + kProductRows <= num_rows; row += kProductRows) {
    multiply_rows<kProductRows, kBlocks>(columns, batch, first + row, weights, block_stride, start,
                                         z + row * kWidth);
  }
  for (; row < num_rows; ++row) {
    multiply_rows<1, kBlocks>(columns, batch, first + row, weights, block_stride, start,
                              z + row * kWidth);
  }
}

/// Overwrites the gradients of kColumns linear columns. `z_gradients`: [rows][kBlocks · kLanes].
template <std::size_t kColumns, std::size_t kBlocks>
HWY_INLINE void multiply_gradient_tile(const ColumnPlace* columns, const Batch& batch,
                                       const float* z_gradients, std::size_t block_stride,
                                       float* gradients) {
  constexpr std::size_t kCount = kBlocks * kVectors;
  Vector sum[kColumns][kCount];
  const float* x[kColumns];
  HWY_UNROLL(16) for (std::size_t c = 0; c < kColumns; ++c) {
    x[c] = batch.fractions(columns[c].column);
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) sum[c][q] = zero();
  }
  const std::size_t num_rows = batch.num_rows();
  for (std::size_t row = 0; row < num_rows; ++row) {
    Vector g[kCount];
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      g[q] = load(z_gradients + row * (kBlocks * kLanes) + q * kVectorSize);
    }
    HWY_UNROLL(16) for (std::size_t c = 0; c < kColumns; ++c) {
      const Vector value = broadcast(x[c][row]);
      HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
        sum[c][q] = hn::MulAdd(value, g[q], sum[c][q]);
      }
    }
  }
  HWY_UNROLL(16) for (std::size_t c = 0; c < kColumns; ++c) {
    HWY_UNROLL(64) for (std::size_t q = 0; q < kCount; ++q) {
      store(sum[c][q], gradients + columns[c].offset + vector_offset(q, block_stride));
    }
  }
}

/// Overwrites the gradients of all linear columns of kBlocks blocks.
template <std::size_t kBlocks>
HWY_NOINLINE void multiply_gradient(std::span<const ColumnPlace> columns, const Batch& batch,
                                    const float* z_gradients, std::size_t block_stride,
                                    float* gradients) {
  std::size_t c = 0;
  for (; c + kProductColumns <= columns.size(); c += kProductColumns) {
    multiply_gradient_tile<kProductColumns, kBlocks>(&columns[c], batch, z_gradients, block_stride,
                                                     gradients);
  }
  for (; c < columns.size(); ++c) {
    multiply_gradient_tile<1, kBlocks>(&columns[c], batch, z_gradients, block_stride, gradients);
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
