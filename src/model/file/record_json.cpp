#include "model/file/record_json.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/strict_json.h"
#include "model/file/number_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;
/// Sums over members do not wrap.
constexpr std::size_t kMostRows = std::size_t{1} << 48;

using Losses = std::vector<double> EpochResult::*;

constexpr std::pair<const char*, Losses> kLosses[] = {
    {"training_loss", &EpochResult::training_loss},
    {"validation_loss", &EpochResult::validation_loss},
    {"best_validation_loss", &EpochResult::best_validation_loss},
};

[[noreturn]] void fail() {
  throw Error("the model's account of its training does not fit its trees.");
}

/// Column by column: names are written once, not once per epoch.
json history_to_json(const std::vector<EpochResult>& history) {
  json rates = json::array(), best_epochs = json::array(), best = json::array();
  for (const EpochResult& result : history) {
    rates.push_back(number_to_json(result.learning_rate));
    best_epochs.push_back(result.best_epoch);
    best.push_back(result.best ? 1 : 0);
  }
  json columns = {{"learning_rate", rates}, {"best_epoch", best_epochs}, {"best", best}};
  for (const auto& [name, losses] : kLosses) {
    json& column = columns[name] = json::array();
    for (const EpochResult& result : history) column.push_back(numbers_to_json(result.*losses));
  }
  if (!history.empty()) columns["constant_loss"] = numbers_to_json(history[0].constant_loss);
  return columns;
}

std::vector<double> losses_from_json(const json& list, const char* key, std::size_t num_tasks) {
  std::vector<double> losses = numbers_from_json(list, key);
  if (!losses.empty() && losses.size() != num_tasks) fail();
  return losses;
}

/// A place per epoch.
const json& column_of(const json& text, const char* key, std::size_t num_epochs) {
  const json& column = strict_json::list(text, key);
  if (column.size() != num_epochs) fail();
  return column;
}

std::vector<EpochResult> history_from_json(const json& text, int member, std::size_t num_tasks) {
  const std::size_t size = strict_json::list(text, "learning_rate").size();
  const auto column = [&](const char* key) -> const json& { return column_of(text, key, size); };
  std::vector<double> constant_loss;
  if (size > 0)
    constant_loss =
        losses_from_json(strict_json::entry(text, "constant_loss"), "constant_loss", num_tasks);
  std::vector<EpochResult> history(size);
  for (std::size_t row = 0; row < size; ++row) {
    EpochResult& result = history[row];
    result.member = member;
    result.epoch = static_cast<int>(row) + 1;
    result.learning_rate = number_from_json(column("learning_rate")[row], "learning_rate");
    result.best_epoch = strict_json::integer_of<int>(column("best_epoch")[row], "best_epoch", 0);
    result.best = strict_json::integer_of<int>(column("best")[row], "best", 0, 1) == 1;
    for (const auto& [name, losses] : kLosses)
      result.*losses = losses_from_json(column(name)[row], name, num_tasks);
    // Or a few letters of many epochs would stand for the constant losses of many tasks each.
    if (result.training_loss.size() != num_tasks) fail();
    result.constant_loss = constant_loss;
    result.seconds = std::numeric_limits<double>::quiet_NaN();
  }
  return history;
}

/// Between 1 and 2^level at every level; nothing in files that do not tell.
std::vector<double> nodes_visited_from_json(const json& text) {
  if (!text.contains("nodes_visited")) return {};
  std::vector<double> visits = strict_json::finite_numbers(text, "nodes_visited");
  double most = 1;
  for (const double each : visits) {
    if (each < 1 || each > most) strict_json::refuse("nodes_visited", "is out of range");
    most *= 2;
  }
  return visits;
}

json group_to_json(const GroupRecord& group) {
  json shares = json::array();
  for (const GroupRecord::Share& share : group.shares) {
    shares.push_back({{"takes_part", share.takes_part},
                      {"weight", share.weight},
                      {"best_epoch", share.best_epoch}});
  }
  return {{"kind", group_kind_name(group.kind)},
          {"private", group.is_private},
          {"rest", group.learns_rest},
          {"added", group.was_added},
          {"trees", group.num_trees},
          {"learning_rate", group.learning_rate},
          {"batch_size", group.batch_size},
          {"tasks", shares}};
}

GroupRecord group_from_json(const json& text, std::size_t num_tasks) {
  GroupRecord group{
      .kind = strict_json::one_of(text, "kind",
                                  std::array{GroupKind::wide, GroupKind::narrow, GroupKind::linear},
                                  group_kind_name),
      .is_private = strict_json::flag(text, "private"),
      .learns_rest = strict_json::flag_or(text, "rest", false),
      .was_added = strict_json::flag_or(text, "added", false),
      .num_trees = strict_json::integer<std::size_t>(text, "trees"),
      .learning_rate = strict_json::finite_number(text, "learning_rate"),
      .batch_size = strict_json::integer<std::size_t>(text, "batch_size"),
      .shares = {}};
  for (const json& share : strict_json::list(text, "tasks")) {
    group.shares.push_back({.takes_part = strict_json::flag(share, "takes_part"),
                            .weight = strict_json::finite_number(share, "weight"),
                            .best_epoch = strict_json::integer<int>(share, "best_epoch", 0)});
  }
  if (group.shares.size() != num_tasks) fail();
  return group;
}

}  // namespace

json record_to_json(const MemberRecord& record) {
  json groups = json::array();
  for (const GroupRecord& group : record.groups) groups.push_back(group_to_json(group));
  json text = {{"seed", record.seed},
               {"training_rows", record.num_training_rows},
               {"validation_rows", record.num_validation_rows},
               {"stopped", record.was_stopped},
               {"validation_losses", numbers_to_json(record.validation_losses)},
               {"groups", groups},
               {"group_of_bundle", record.group_of_bundle},
               {"history", history_to_json(record.history)}};
  if (!record.nodes_visited.empty()) text["nodes_visited"] = numbers_to_json(record.nodes_visited);
  return text;
}

MemberRecord record_from_json(const json& text, int member, std::size_t num_tasks,
                              std::size_t num_bundles) {
  MemberRecord record{
      .seed = strict_json::integer<std::uint64_t>(text, "seed"),
      .num_training_rows = strict_json::integer<std::size_t>(text, "training_rows", 0, kMostRows),
      .num_validation_rows =
          strict_json::integer<std::size_t>(text, "validation_rows", 0, kMostRows),
      .was_stopped = strict_json::flag(text, "stopped"),
      .validation_losses = losses_from_json(strict_json::entry(text, "validation_losses"),
                                            "validation_losses", num_tasks),
      .groups = {},
      .group_of_bundle = strict_json::integers<std::uint32_t>(text, "group_of_bundle"),
      .nodes_visited = nodes_visited_from_json(text),
      .history = history_from_json(strict_json::object(text, "history"), member, num_tasks)};
  for (const json& group : strict_json::list(text, "groups"))
    record.groups.push_back(group_from_json(group, num_tasks));
  const bool groups_fit = std::ranges::all_of(
      record.group_of_bundle, [&](std::uint32_t group) { return group < record.groups.size(); });
  // A model that was not trained (put together by hand) has no groups.
  if (!groups_fit || (!record.groups.empty() && record.group_of_bundle.size() != num_bundles))
    fail();
  return record;
}

}  // namespace softwood
