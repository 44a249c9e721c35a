#include "train/thin/thin_members.h"

#include <algorithm>
#include <cmath>

#include "model/prediction_bases.h"
#include "train/thin/output_change.h"

namespace softwood {
namespace {

using Results = std::vector<MemberThinning::Result>;

/// Tolerances that are tried: 2^(−14), 2^(−13.5), …, 1.
constexpr int kSteps = 28;
double tolerance_of(int step) {
  return std::exp2((step - kSteps) / 2.0);
}

struct Trial {
  Results results;
  double cost = 0;
};

}  // namespace

double thin_members(std::vector<Member>& members, const Tasks& tasks, const Encoder& encoder,
                    const Examples& rows, double keep_loss, ThreadTeam& team) {
  if (keep_loss == 0 || rows.size() == 0 || !std::ranges::all_of(members, can_be_thinned)) return 0;
  const OutputChange change(members, tasks, rows, team);
  const KnotPlaces places = knot_places(encoder);
  const KnotWeights weights =
      knot_weights(members.front().ensemble.shape().columns, change.chosen());
  std::vector<MemberThinning> thinnings;
  for (const Member& member : members) thinnings.emplace_back(member, places, weights, team);
  const auto attempt = [&](int step) {
    Trial trial;
    for (const MemberThinning& thinning : thinnings)
      trial.results.push_back(thinning.at(tolerance_of(step), team));
    trial.cost = change.loss_share(trial.results, team);
    return trial;
  };
  Trial best = attempt(0);
  if (!(best.cost <= keep_loss)) return 0;
  int low = 0, high = kSteps + 1;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    Trial trial = attempt(middle);
    if (trial.cost <= keep_loss) {
      best = std::move(trial);
      low = middle;
    } else {
      high = middle;
    }
  }
  for (std::size_t index = 0; index < members.size(); ++index) {
    members[index].values = std::move(best.results[index].values);
    members[index].kept = std::move(best.results[index].kept);
  }
  return best.cost;
}

}  // namespace softwood
