#include "model/model_parts.h"

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {

std::vector<double> mean_validation_losses(const ModelParts& parts) {
  std::vector<double> mean;
  for (const Member& member : parts.members) {
    const std::vector<double>& own = member.record.validation_losses;
    mean.resize(own.size(), 0.0);
    for (std::size_t task = 0; task < own.size(); ++task)
      mean[task] += own[task] / static_cast<double>(parts.members.size());
  }
  return mean;
}

const Member& find_member(const ModelParts& parts, std::size_t member) {
  if (member < parts.members.size()) return parts.members[member];
  throw Error(fmt::format("there is no member {}: the model has {}, counted from 0.", member,
                          parts.members.size()));
}

}  // namespace softwood
