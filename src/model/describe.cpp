#include "model/describe.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/predict.h"

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
  std::string text = fmt::format("target   {}  (loss {}", task.target, task.program.source().name);
  if (!task.labels.empty()) text += fmt::format(", {} classes", task.labels.size());
  text += ")\n";
  for (std::size_t output = 0; output < task.num_outputs(); ++output) {
    text += fmt::format("         {} = {:.6g} + {:.6g} · {}\n", task.program.outputs()[output].name,
                        mean_offset(parts, task.first_output + output), task.units.unit[output],
                        addends(parts));
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
std::string describe_training(const MemberRecord& record) {
  if (record.groups.empty()) return "";
  std::string text = fmt::format("         from {} rows in {} epochs{}", record.num_training_rows,
                                 record.history.size(), record.was_stopped ? " (stopped)" : "");
  if (!record.validation_losses.empty()) {
    std::vector<std::string> losses;
    for (const double loss : record.validation_losses)
      losses.push_back(fmt::format("{:.6g}", loss));
    text += fmt::format(", validation loss {} on {}", fmt::join(losses, " and "),
                        record.num_validation_rows);
  }
  return text + "\n";
}

}  // namespace

std::string describe_model(const ModelParts& parts) {
  std::string text;
  for (const Task& task : parts.tasks) text += describe_task(task, parts);
  for (const Member& member : parts.members)
    text += describe_trees(member) + describe_linear(member) + describe_training(member.record);
  return text + "columns\n" + parts.encoder.describe();
}

}  // namespace softwood
