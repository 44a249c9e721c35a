#pragma once

#include <memory>
#include <vector>

#include "base/thread_team.h"
#include "model/model_parts.h"
#include "train/thin/knot_weights.h"
#include "tree/kept_knots.h"

namespace softwood {

/// A member's curves with fewer knots: found out once what leaving each out costs, for any
/// tolerance.
class MemberThinning {
 public:
  /// Borrowed while this lives: the member, `places`, `weights` (of its ensemble's columns).
  MemberThinning(const Member& member, const KnotPlaces& places, const KnotWeights& weights,
                 ThreadTeam& team);
  ~MemberThinning();
  MemberThinning(MemberThinning&&) noexcept;

  struct Result {
    AlignedVector<float> values;  ///< as fill_in() makes them of what is kept
    KeptKnots kept;
  };
  /// `tolerance`: about what a split's curves together may change its tree's output by (root mean
  /// square, in g), where their splits are even. What is kept is rounded to 16 bits.
  Result at(double tolerance, ThreadTeam& team) const;

 private:
  struct BundleThinning;
  const Member& member_;
  const KnotPlaces& places_;
  const KnotWeights& weights_;
  std::vector<BundleThinning> bundles_;
};

/// All its curves' numbers have 16-bit neighbours.
bool can_be_thinned(const Member& member);

}  // namespace softwood
