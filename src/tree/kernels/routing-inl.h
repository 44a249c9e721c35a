// Routing through one tree, lanes over rows. A node's children: 2i + 1 (left), 2i + 2 (right).
//   reach, top-down:       r_left = r_i · s_i,  r_right = r_i − r_left;  r at a leaf is its
//   probability gradient, bottom-up:   v_i = v_right + s_i (v_left − v_right),  v at a leaf = Σ_k
//   o_k · ∂loss/∂out_k
//                          ∂loss/∂z_i = r_i (v_left − v_right) S'(z_i)
#if defined(SOFTWOOD_TREE_ROUTING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_ROUTING_INL_H
#undef SOFTWOOD_TREE_ROUTING_INL_H
#else
#define SOFTWOOD_TREE_ROUTING_INL_H
#endif

#include "tree/kernels/activation-inl.h"
#include "tree/kernels/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Smaller subtrees are unrolled and live in registers; those of this depth and more are calls.
inline constexpr int kCalledDepth = 3;

/// The first leaf of the right half of a subtree of `kLevels` levels whose leaves start at `leaf`.
template <int kLevels>
HWY_INLINE std::size_t right_half(std::size_t leaf) {
  return leaf + (std::size_t{1} << (kLevels - 1));
}

// Each walk below serves one vector of rows of one tree: node i at nodes + i · kLanes.
// visit<kLevels>: the subtree of that many levels under `node`, whose leaves start at `leaf`.

/// v_root for one output: no reach is needed. Leaf l's value is leaves[l · leaf_stride].
template <class S>
struct Collapse {
  const S& activation;
  const float* nodes;
  const float* leaves;
  std::size_t leaf_stride;

  template <int kLevels>
  HWY_INLINE Vector visit(std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels == 0) {
      return broadcast(leaves[leaf * leaf_stride]);
    } else {
      const Vector s = activation.probability(load(nodes + node * kLanes));
      const Vector left = child<kLevels - 1>(2 * node + 1, leaf);
      const Vector right = child<kLevels - 1>(2 * node + 2, right_half<kLevels>(leaf));
      return hn::MulAdd(s, hn::Sub(left, right), right);
    }
  }
  template <int kLevels>
  HWY_INLINE Vector child(std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels < kCalledDepth) return visit<kLevels>(node, leaf);
    if constexpr (kLevels >= kCalledDepth) return call<kLevels>(node, leaf);
  }
  template <int kLevels>
  HWY_NOINLINE Vector call(std::size_t node, std::size_t leaf) const {
    return visit<kLevels>(node, leaf);
  }
};

/// The probability of every leaf, at reach + leaf · kLanes.
template <class S>
struct Descent {
  const S& activation;
  const float* nodes;
  float* reach;

  template <int kLevels>
  HWY_INLINE void visit(Vector r, std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels == 0) {
      store(r, reach + leaf * kLanes);
    } else {
      const Vector left = hn::Mul(r, activation.probability(load(nodes + node * kLanes)));
      child<kLevels - 1>(left, 2 * node + 1, leaf);
      child<kLevels - 1>(hn::Sub(r, left), 2 * node + 2, right_half<kLevels>(leaf));
    }
  }
  template <int kLevels>
  HWY_INLINE void child(Vector r, std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels < kCalledDepth) visit<kLevels>(r, node, leaf);
    if constexpr (kLevels >= kCalledDepth) call<kLevels>(r, node, leaf);
  }
  template <int kLevels>
  HWY_NOINLINE void call(Vector r, std::size_t node, std::size_t leaf) const {
    visit<kLevels>(r, node, leaf);
  }
};

/// There and back: every node's kept number becomes its gradient; v of the root is returned.
/// `leaves(r, leaf)` gets a leaf's reach and gives its v.
template <class S, class Leaves>
struct Ascent {
  const S& activation;
  const Leaves& leaves;
  float* nodes;

  template <int kLevels>
  HWY_INLINE Vector visit(Vector r, std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels == 0) {
      return leaves(r, leaf);
    } else {
      const Vector kept = load(nodes + node * kLanes);
      const Vector s = activation.probability(kept);
      const Vector r_left = hn::Mul(r, s);
      const Vector r_right = hn::Sub(r, r_left);
      const Vector left = child<kLevels - 1>(r_left, 2 * node + 1, leaf);
      const Vector right = child<kLevels - 1>(r_right, 2 * node + 2, right_half<kLevels>(leaf));
      const Vector difference = hn::Sub(left, right);
      store(hn::Mul(hn::Mul(r, difference), activation.slope(kept)), nodes + node * kLanes);
      return hn::MulAdd(s, difference, right);
    }
  }
  template <int kLevels>
  HWY_INLINE Vector child(Vector r, std::size_t node, std::size_t leaf) const {
    if constexpr (kLevels < kCalledDepth) return visit<kLevels>(r, node, leaf);
    if constexpr (kLevels >= kCalledDepth) return call<kLevels>(r, node, leaf);
  }
  template <int kLevels>
  HWY_NOINLINE Vector call(Vector r, std::size_t node, std::size_t leaf) const {
    return visit<kLevels>(r, node, leaf);
  }
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
