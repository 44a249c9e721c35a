#include "model/member_sums.h"

namespace softwood {

std::vector<double> member_sums(const Member& member, MatrixView<const float> positions,
                                ThreadTeam& team) {
  std::vector<double> g = tree_sums(member.ensemble, member.values, positions, team);
  if (member.linear)
    member.linear->add_sums(positions, {g.data(), member.offset.size(), positions.cols}, team);
  return g;
}

std::vector<double> member_sums(const Member& member, const ChosenRows& chosen, ThreadTeam& team) {
  std::vector<double> g = tree_sums(member.ensemble, member.values, chosen, team);
  if (member.linear) {
    member.linear->add_sums(chosen.positions, chosen.rows,
                            {g.data(), member.offset.size(), chosen.rows.size()}, team);
  }
  return g;
}

}  // namespace softwood
