// z = b + Σ_c φ_c of one block for the rows that visit it, lanes over nodes. Every row's sum has
// the same parts in the same order, whichever rows are with it.
#if defined(SOFTWOOD_TREE_BLOCK_SCORES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_BLOCK_SCORES_INL_H
#undef SOFTWOOD_TREE_BLOCK_SCORES_INL_H
#else
#define SOFTWOOD_TREE_BLOCK_SCORES_INL_H
#endif

#include <span>

#include "tree/batch.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Rows scored together, which share the loads of weights and places.
inline constexpr std::size_t kVisitRows = kVectorSize == 16 ? 4 : 1;
/// Sums per row that do not wait for each other: a single row has nothing else to do meanwhile.
inline constexpr std::size_t kVisitSums = 4;

/// kRows rows' numbers of the batch, and their sums.
template <std::size_t kRows>
struct VisitScores {
  const std::uint32_t* offsets[kRows];
  const float* fractions[kRows];
  Vector sums[kRows][kVisitSums][kVectors];

  HWY_INLINE VisitScores(const Batch& batch, const std::uint32_t* rows, const float* biases) {
    HWY_UNROLL(4) for (std::size_t r = 0; r < kRows; ++r) {
      offsets[r] = batch.row_offsets(rows[r]);
      fractions[r] = batch.row_fractions(rows[r]);
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        sums[r][0][q] = load(biases + q * kVectorSize);
        HWY_UNROLL(4)
        for (std::size_t part = 1; part < kVisitSums; ++part) sums[r][part][q] = zero();
      }
    }
  }

  /// (1 − t)·V[k] to one sum, t·V[k + 1] to the next.
  template <std::size_t kPart>
  HWY_INLINE void look_up(const ColumnPlace& place, const float* weights) {
    HWY_UNROLL(4) for (std::size_t r = 0; r < kRows; ++r) {
      const float* knot = weights + place.offset + offsets[r][place.column];
      const Vector t = broadcast(fractions[r][place.column]);
      const Vector rest = hn::Sub(broadcast(1.0F), t);
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        const float* at = knot + q * kVectorSize;
        sums[r][kPart][q] = hn::MulAdd(rest, load(at), sums[r][kPart][q]);
        sums[r][kPart + 1][q] = hn::MulAdd(t, load(at + kLanes), sums[r][kPart + 1][q]);
      }
    }
  }
  HWY_INLINE void look_up_all(std::span<const ColumnPlace> columns, const float* weights) {
    std::size_t c = 0;
    for (; c + 2 <= columns.size(); c += 2) {
      look_up<0>(columns[c], weights);
      look_up<2>(columns[c + 1], weights);
    }
    if (c < columns.size()) look_up<0>(columns[c], weights);
  }

  template <std::size_t kPart>
  HWY_INLINE void multiply(const ColumnPlace& place, const float* weights) {
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      const Vector w = load(weights + place.offset + q * kVectorSize);
      HWY_UNROLL(4) for (std::size_t r = 0; r < kRows; ++r) {
        const Vector x = broadcast(fractions[r][place.column]);
        sums[r][kPart][q] = hn::MulAdd(x, w, sums[r][kPart][q]);
      }
    }
  }
  HWY_INLINE void multiply_all(std::span<const ColumnPlace> columns, const float* weights) {
    std::size_t c = 0;
    for (; c + kVisitSums <= columns.size(); c += kVisitSums) {
      multiply<0>(columns[c], weights);
      multiply<1>(columns[c + 1], weights);
      multiply<2>(columns[c + 2], weights);
      multiply<3>(columns[c + 3], weights);
    }
    for (; c < columns.size(); ++c) multiply<0>(columns[c], weights);
  }

  template <class Map>
  HWY_INLINE void store_mapped(const Map& map, float* to) const {
    HWY_UNROLL(4) for (std::size_t r = 0; r < kRows; ++r) {
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        const Vector z =
            hn::Add(hn::Add(sums[r][0][q], sums[r][1][q]), hn::Add(sums[r][2][q], sums[r][3][q]));
        store(map(z), to + r * kLanes + q * kVectorSize);
      }
    }
  }
};

/// to [visit][kLanes] = map(z) of `count` rows; `weights`, `biases`: of the block.
template <class Map>
HWY_NOINLINE void score_visits(const BundleLayout& layout, const Batch& batch,
                               const std::uint32_t* rows, std::size_t count, const float* weights,
                               const float* biases, const Map& map, float* to) {
  const auto run = [&]<std::size_t kRows>(std::size_t visit) HWY_ATTR {
    VisitScores<kRows> scores(batch, rows + visit, biases);
    scores.multiply_all(layout.linear_columns, weights);
    scores.look_up_all(layout.knot_columns, weights);
    scores.store_mapped(map, to + visit * kLanes);
  };
  std::size_t visit = 0;
  for (; visit + kVisitRows <= count; visit += kVisitRows) {
    run.template operator()<kVisitRows>(visit);
  }
  for (; visit < count; ++visit) run.template operator()<1>(visit);
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
