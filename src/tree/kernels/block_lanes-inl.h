// The numbers of one block for one row, a lane each, as so many vectors as the machine needs for
// them.
#if defined(SOFTWOOD_TREE_BLOCK_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_BLOCK_LANES_INL_H
#undef SOFTWOOD_TREE_BLOCK_LANES_INL_H
#else
#define SOFTWOOD_TREE_BLOCK_LANES_INL_H
#endif

#include <cstdint>

#include "tree/kernels/block_paths.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

using Integers = hn::RebindToSigned<Floats>;

/// Where a table says yes.
HWY_INLINE auto is_set(const LaneTable& table, std::size_t vector) {
  return hn::MaskFromVec(
      hn::BitCast(Floats(), hn::Load(Integers(), table.data() + vector * kVectorSize)));
}

/// kLanes floats.
struct BlockLanes {
  Vector vectors[kVectors];

  static HWY_INLINE BlockLanes loaded(const float* from) {
    BlockLanes lanes;
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      lanes.vectors[q] = load(from + q * kVectorSize);
    }
    return lanes;
  }
  static HWY_INLINE BlockLanes loaded_anywhere(const float* from) {
    BlockLanes lanes;
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      lanes.vectors[q] = hn::LoadU(Floats(), from + q * kVectorSize);
    }
    return lanes;
  }
  HWY_INLINE void stored(float* to) const {
    HWY_UNROLL(16)
    for (std::size_t q = 0; q < kVectors; ++q) store(vectors[q], to + q * kVectorSize);
  }
  HWY_INLINE float sum() const {
    Vector total = vectors[0];
    HWY_UNROLL(16) for (std::size_t q = 1; q < kVectors; ++q) total = hn::Add(total, vectors[q]);
    return hn::GetLane(hn::SumOfLanes(Floats(), total));
  }
  /// Bit j: whether lane j is anything but zero; a NaN is.
  HWY_INLINE std::uint32_t not_zero() const {
    std::uint32_t bits = 0;
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      std::uint8_t bytes[8] = {};
      hn::StoreMaskBits(Floats(), hn::Not(hn::Eq(vectors[q], zero())), bytes);
      bits |= (bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8) << (q * kVectorSize);
    }
    return bits;
  }
};

/// result[j] = from[order[j]].
HWY_INLINE BlockLanes permuted(const BlockLanes& from, const LaneTable& order) {
  BlockLanes to;
  if constexpr (kVectors == 1) {
    to.vectors[0] =
        hn::TableLookupLanes(from.vectors[0], hn::SetTableIndices(Floats(), order.data()));
  } else if constexpr (kVectorSize == 1) {
    for (std::size_t j = 0; j < kLanes; ++j) {
      to.vectors[j] = from.vectors[static_cast<std::size_t>(order[j])];
    }
  } else {
    const auto within = hn::Set(Integers(), static_cast<std::int32_t>(kVectorSize - 1));
    HWY_UNROLL(4) for (std::size_t q = 0; q < kVectors; ++q) {
      const auto lanes = hn::Load(Integers(), order.data() + q * kVectorSize);
      const auto lane = hn::IndicesFromVec(Floats(), hn::And(lanes, within));
      to.vectors[q] = hn::TableLookupLanes(from.vectors[0], lane);
      for (std::size_t source = 1; source < kVectors; ++source) {
        const auto first = static_cast<std::int32_t>(source * kVectorSize);
        const auto here = hn::Gt(lanes, hn::Set(Integers(), first - 1));
        to.vectors[q] = hn::IfThenElse(
            hn::MaskFromVec(hn::BitCast(Floats(), hn::VecFromMask(Integers(), here))),
            hn::TableLookupLanes(from.vectors[source], lane), to.vectors[q]);
      }
    }
  }
  return to;
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
