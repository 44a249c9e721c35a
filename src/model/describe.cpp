#include "model/describe.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "model/predict.h"
#include "tree/node_visits.h"

namespace softwood {
namespace {

/// What the units multiply: "trees", "linear" or "(trees + linear)".
std::string addends(const ModelParts& parts) {
  bool has_trees = false, has_linear = false;
  for (const Member& member : parts.members) {
    has_trees |= member.ensemble.shape().num_trees() > 0;
    has_linear |= member.linear.has_value();
  }
  if (!has_linear) return "trees";
  return has_trees ? "(trees + linear)" : "linear";
}

std::string describe_task(const Task& task, const ModelParts& parts) {
  std::string text = fmt::format("target   {}  (loss {}", printable(task.target),
                                 printable(task.program.source().name));
  if (!task.labels.empty()) text += fmt::format(", {} classes", task.labels.size());
  text += ")\n";
  for (std::size_t output = 0; output < task.num_outputs(); ++output) {
    text += fmt::format(
        "         {} = {:.6g} + {:.6g} · {}\n", printable(task.program.outputs()[output].name),
        mean_offset(parts, task.first_output + output), task.units.unit[output], addends(parts));
  }
  return text;
}

/// " (48 wide, 96 narrow)"; nothing if the model does not know.
std::string kinds_of_trees(const Member& member) {
  const MemberRecord& record = member.record;
  if (record.groups.empty()) return "";
  std::size_t num_wide = 0, num_narrow = 0;
  for (std::size_t bundle = 0; bundle < record.group_of_bundle.size(); ++bundle) {
    const bool is_narrow = record.groups[record.group_of_bundle[bundle]].kind == GroupKind::narrow;
    (is_narrow ? num_narrow : num_wide) += member.ensemble.shape().bundles[bundle].num_trees;
  }
  return fmt::format(" ({} wide, {} narrow)", num_wide, num_narrow);
}

std::string describe_trees(const Member& member) {
  const EnsembleShape& shape = member.ensemble.shape();
  if (shape.num_trees() == 0 && member.linear) return "";
  return fmt::format("trees    {} of depth {}{}, {} splits, best epoch {}\n", shape.num_trees(),
                     shape.depth, kinds_of_trees(member),
                     shape.activation == Activation::logistic
                         ? "logistic"
                         : fmt::format("smooth-step (γ = {})", shape.gamma),
                     member.best_epoch);
}

/// "linear   in 300 of 310 columns"
std::string describe_linear(const Member& member) {
  if (!member.linear) return "";
  return fmt::format("linear   in {} of {} columns\n", member.linear->num_columns_read(),
                     member.linear->features().num_columns());
}

/// "         from 800 rows in 42 epochs, validation loss 0.123 on 200"
std::string describe_training(const std::string& num_rows, std::size_t num_epochs, bool was_stopped,
                              const std::vector<double>& validation_losses,
                              const std::string& validation_rows) {
  std::string text = fmt::format("         from {} rows in {} epochs{}", num_rows, num_epochs,
                                 was_stopped ? " (stopped)" : "");
  if (!validation_losses.empty()) {
    std::vector<std::string> losses;
    for (const double loss : validation_losses) losses.push_back(fmt::format("{:.6g}", loss));
    text += fmt::format(", validation loss {} on {}", fmt::join(losses, " and "), validation_rows);
  }
  return text + "\n";
}

/// Members that are trained in step have one history, which the first one tells.
std::size_t num_epochs(const ModelParts& parts, const Member& member) {
  const std::size_t own = member.record.history.size();
  return own > 0 ? own : parts.members[0].record.history.size();
}

std::string describe_member(const ModelParts& parts, const Member& member) {
  const MemberRecord& record = member.record;
  const std::string parameters = describe_trees(member) + describe_linear(member);
  if (record.groups.empty()) return parameters;
  return parameters + describe_training(fmt::to_string(record.num_training_rows),
                                        num_epochs(parts, member), record.was_stopped,
                                        record.validation_losses,
                                        fmt::to_string(record.num_validation_rows));
}

/// "353", or "353 to 354".
template <class Count>
std::string range_of(const std::vector<Member>& members, const Count& count) {
  std::size_t least = count(members[0].record), most = least;
  for (const Member& member : members) {
    least = std::min(least, count(member.record));
    most = std::max(most, count(member.record));
  }
  return least == most ? fmt::to_string(least) : fmt::format("{} to {}", least, most);
}

/// All that is told of them is the same but for their rows.
bool are_alike(const ModelParts& parts) {
  const Member& first = parts.members[0];
  for (const Member& member : parts.members) {
    if (describe_trees(member) != describe_trees(first)) return false;
    if (describe_linear(member) != describe_linear(first)) return false;
    if (num_epochs(parts, member) != num_epochs(parts, first)) return false;
    if (member.record.groups.empty() != first.record.groups.empty()) return false;
    if (member.record.was_stopped != first.record.was_stopped) return false;
  }
  return true;
}

/// Each line once.
std::string describe_alike_members(const ModelParts& parts) {
  const Member& first = parts.members[0];
  const std::string text = fmt::format("members  {}, each:\n", parts.members.size()) +
                           describe_trees(first) + describe_linear(first);
  if (first.record.groups.empty()) return text;
  std::size_t all_validation_rows = 0;
  for (const Member& member : parts.members)
    all_validation_rows += member.record.num_validation_rows;
  const auto num_training_rows = [](const MemberRecord& record) {
    return record.num_training_rows;
  };
  return text + describe_training(range_of(parts.members, num_training_rows),
                                  num_epochs(parts, first), first.record.was_stopped,
                                  mean_validation_losses(parts),
                                  fmt::format("{} of all members", all_validation_rows));
}

/// "visits   a row reaches 12.3 of a tree's 255 splits (4.8 %)"
std::string describe_visits(const ModelParts& parts) {
  const std::vector<double> visits = mean_nodes_visited(parts);
  if (visits.empty()) return "";
  return fmt::format("visits   a row reaches {:.3g} of a tree's {} splits ({:.3g} %)\n",
                     std::accumulate(visits.begin(), visits.end(), 0.0),
                     (std::size_t{1} << visits.size()) - 1, 100 * share_visited(visits));
}

/// "curves   8413 of their 64000 numbers kept"; nothing if all are.
std::string describe_curves(const ModelParts& parts) {
  std::size_t kept = 0, all = 0;
  for (const Member& member : parts.members) {
    if (member.kept.keeps_all()) continue;
    kept += member.kept.count();
    all += member.kept.size();
  }
  return all == 0 ? "" : fmt::format("curves   {} of their {} numbers kept\n", kept, all);
}

std::string describe_members(const ModelParts& parts) {
  if (parts.members.size() > 1 && are_alike(parts)) return describe_alike_members(parts);
  std::string text;
  for (const Member& member : parts.members) text += describe_member(parts, member);
  return text;
}

}  // namespace

std::string describe_model(const ModelParts& parts) {
  std::string text;
  for (const Task& task : parts.tasks) text += describe_task(task, parts);
  return text + describe_members(parts) + describe_curves(parts) + describe_visits(parts) +
         "columns\n" + parts.encoder.describe();
}

}  // namespace softwood
