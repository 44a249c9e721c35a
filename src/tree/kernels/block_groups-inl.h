// A bundle's blocks of nodes, a few at a time: one pass over the rows' intervals serves them all.
#if defined(SOFTWOOD_TREE_BLOCK_GROUPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_BLOCK_GROUPS_INL_H
#undef SOFTWOOD_TREE_BLOCK_GROUPS_INL_H
#else
#define SOFTWOOD_TREE_BLOCK_GROUPS_INL_H
#endif

#include "tree/kernels/kernel_sizes.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Calls pass.run<kBlocks>(first block) over all blocks, kMaxBlocks at a time where the registers
/// allow.
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

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
