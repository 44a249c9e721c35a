#include "model/model_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {

std::vector<double> mean_validation_losses(const ModelParts& parts) {
  std::vector<double> sums, counts;
  for (const Member& member : parts.members) {
    const std::vector<double>& own = member.record.validation_losses;
    const auto num_rows = static_cast<double>(member.record.num_validation_rows);
    sums.resize(own.size(), 0.0);
    counts.resize(own.size(), 0.0);
    for (std::size_t task = 0; task < own.size(); ++task) {
      if (std::isnan(own[task])) continue;  // no row of its fold has a response
      sums[task] += num_rows * own[task];
      counts[task] += num_rows;
    }
  }
  for (std::size_t task = 0; task < sums.size(); ++task) sums[task] /= counts[task];
  return sums;
}

std::vector<double> mean_nodes_visited(const ModelParts& parts) {
  std::vector<double> visits;
  double num_tellers = 0;
  for (const Member& member : parts.members) {
    const std::vector<double>& own = member.record.nodes_visited;
    if (own.empty()) continue;
    ++num_tellers;
    visits.resize(std::max(visits.size(), own.size()));
    for (std::size_t level = 0; level < own.size(); ++level) visits[level] += own[level];
  }
  for (double& each : visits) each /= num_tellers;
  return visits;
}

const Member& find_member(const ModelParts& parts, std::size_t member) {
  if (member < parts.members.size()) return parts.members[member];
  throw Error(fmt::format("there is no member {}: the model has {}, counted from 0.", member,
                          parts.members.size()));
}

}  // namespace softwood
