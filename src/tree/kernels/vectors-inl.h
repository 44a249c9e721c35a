// The vectors that every kernel of this folder works with. Included once per SIMD target.
#if defined(SOFTWOOD_TREE_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_VECTORS_INL_H
#undef SOFTWOOD_TREE_VECTORS_INL_H
#else
#define SOFTWOOD_TREE_VECTORS_INL_H
#endif

#include <hwy/highway.h>

#include "tree/ensemble.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most kLanes floats: a block of nodes or a tile of rows is kVectors of them.
using Floats = hn::CappedTag<float, kLanes>;
using Vector = hn::Vec<Floats>;
inline constexpr std::size_t kVectorSize = hn::MaxLanes(Floats());
inline constexpr std::size_t kVectors = kLanes / kVectorSize;

HWY_INLINE Vector load(const float* from) {
  return hn::Load(Floats(), from);
}
HWY_INLINE void store(Vector value, float* to) {
  hn::Store(value, Floats(), to);
}
HWY_INLINE Vector broadcast(float value) {
  return hn::Set(Floats(), value);
}
HWY_INLINE Vector zero() {
  return hn::Zero(Floats());
}

/// The same value, which the compiler must hold in a register: else it may read memory again for
/// every use, and reads are what the kernels wait for. Clang knows no such constraint for vectors
/// of functions with a target of their own.
HWY_INLINE Vector in_register(Vector value) {
#if HWY_ARCH_X86_64 && HWY_COMPILER_GCC_ACTUAL && HWY_TARGET != HWY_SCALAR
  asm("" : "+v"(value.raw));
#endif
  return value;
}

/// Vector q of a few blocks of nodes whose numbers lie `block_stride` floats apart.
HWY_INLINE std::size_t vector_offset(std::size_t q, std::size_t block_stride) {
  return q / kVectors * block_stride + q % kVectors * kVectorSize;
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
