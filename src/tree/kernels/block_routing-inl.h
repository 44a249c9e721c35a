// Routing of one row through one block, lanes over nodes and children: the formulas of
// routing-inl.h, level by level, where every node's number is spread over the children below it.
#if defined(SOFTWOOD_TREE_BLOCK_ROUTING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_BLOCK_ROUTING_INL_H
#undef SOFTWOOD_TREE_BLOCK_ROUTING_INL_H
#else
#define SOFTWOOD_TREE_BLOCK_ROUTING_INL_H
#endif

#include "tree/kernels/activation-inl.h"
#include "tree/kernels/block_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

HWY_INLINE BlockLanes probabilities(const SmoothStep& activation, const BlockLanes& u) {
  BlockLanes s;
  HWY_UNROLL(16)
  for (std::size_t q = 0; q < kVectors; ++q) s.vectors[q] = activation.probability(u.vectors[q]);
  return s;
}

/// r of one level's nodes to r of the next level's; `s`: of the nodes.
HWY_INLINE BlockLanes next_reach(const BlockLanes& r, const BlockLanes& s,
                                 const LaneTable& goes_right) {
  BlockLanes next;
  HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
    const Vector left = hn::Mul(r.vectors[q], s.vectors[q]);
    next.vectors[q] = hn::IfThenElse(is_set(goes_right, q), hn::Sub(r.vectors[q], left), left);
  }
  return next;
}

/// r at the root of the subtree, where there are children.
template <int kLevels>
HWY_INLINE BlockLanes root_reach(float reach) {
  BlockLanes r;
  HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
    r.vectors[q] = broadcast(reach);
    if constexpr (kLevels < SubtreeBlocks::kLevels) {
      r.vectors[q] = hn::IfThenElseZero(is_set(Paths<kLevels>::kIsChild, q), r.vectors[q]);
    }
  }
  return r;
}

/// The probability of every child, zero where there is none.
template <int kLevels>
HWY_INLINE BlockLanes children_reach(const SmoothStep& activation, const BlockLanes& u,
                                     float reach) {
  const BlockLanes s = probabilities(activation, u);
  BlockLanes r = root_reach<kLevels>(reach);
  HWY_UNROLL(4) for (std::size_t level = 0; level < kLevels; ++level) {
    r = next_reach(r, permuted(s, Paths<kLevels>::kNode[level]), Paths<kLevels>::kGoesRight[level]);
  }
  return r;
}

/// There and back.
template <int kLevels>
struct BlockAscent {
  BlockLanes s_on_path[kLevels];
  BlockLanes r[kLevels + 1];  // of the node of that level above each child; last: of the child

  HWY_INLINE BlockAscent(const SmoothStep& activation, const BlockLanes& u, float reach) {
    const BlockLanes s = probabilities(activation, u);
    r[0] = root_reach<kLevels>(reach);
    HWY_UNROLL(4) for (std::size_t level = 0; level < kLevels; ++level) {
      s_on_path[level] = permuted(s, Paths<kLevels>::kNode[level]);
      r[level + 1] = next_reach(r[level], s_on_path[level], Paths<kLevels>::kGoesRight[level]);
    }
  }

  const BlockLanes& children() const { return r[kLevels]; }

  /// From v of the children: overwrites `v` with v of the root, in all lanes that have a child;
  /// returns ∂loss/∂z of the nodes, zero where there is none. What is not reached does not count.
  HWY_INLINE BlockLanes run(const SmoothStep& activation, const BlockLanes& u,
                            BlockLanes& v) const {
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      v.vectors[q] = hn::IfThenZeroElse(hn::Eq(children().vectors[q], zero()), v.vectors[q]);
    }
    BlockLanes gradients;
    HWY_UNROLL(16)
    for (std::size_t q = 0; q < kVectors; ++q) gradients.vectors[q] = zero();
    HWY_UNROLL(4) for (std::size_t up = 1; up <= kLevels; ++up) {
      const std::size_t level = kLevels - up;
      const BlockLanes other = permuted(v, Paths<kLevels>::kOther[level]);
      BlockLanes at_children;
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        const auto goes_right = is_set(Paths<kLevels>::kGoesRight[level], q);
        const Vector left = hn::IfThenElse(goes_right, other.vectors[q], v.vectors[q]);
        const Vector right = hn::IfThenElse(goes_right, v.vectors[q], other.vectors[q]);
        const Vector difference = hn::Sub(left, right);
        at_children.vectors[q] = hn::Mul(r[level].vectors[q], difference);
        v.vectors[q] = hn::MulAdd(s_on_path[level].vectors[q], difference, right);
      }
      const BlockLanes at_nodes = permuted(at_children, Paths<kLevels>::kChildBelow);
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        gradients.vectors[q] = hn::IfThenElse(is_set(Paths<kLevels>::kIsAt[level], q),
                                              at_nodes.vectors[q], gradients.vectors[q]);
      }
    }
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      gradients.vectors[q] = hn::Mul(gradients.vectors[q], activation.slope(u.vectors[q]));
    }
    return gradients;
  }
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
