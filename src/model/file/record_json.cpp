#include "model/file/record_json.h"

#include <algorithm>
#include <limits>
#include <string>

#include "model/file/number_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;
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

std::vector<double> losses_from_json(const json& text, std::size_t num_tasks) {
  std::vector<double> losses = numbers_from_json(text);
  if (!losses.empty() && losses.size() != num_tasks) fail();
  return losses;
}

std::vector<EpochResult> history_from_json(const json& text, int member, std::size_t num_tasks) {
  std::vector<EpochResult> history(text.at("learning_rate").size());
  for (std::size_t row = 0; row < history.size(); ++row) {
    EpochResult& result = history[row];
    result.member = member;
    result.epoch = static_cast<int>(row) + 1;
    result.learning_rate = number_from_json(text.at("learning_rate").at(row));
    result.best_epoch = text.at("best_epoch").at(row);
    result.best = text.at("best").at(row) == 1;
    for (const auto& [name, losses] : kLosses)
      result.*losses = losses_from_json(text.at(name).at(row), num_tasks);
    result.constant_loss = losses_from_json(text.at("constant_loss"), num_tasks);
    result.seconds = std::numeric_limits<double>::quiet_NaN();
  }
  return history;
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
          {"trees", group.num_trees},
          {"learning_rate", group.learning_rate},
          {"batch_size", group.batch_size},
          {"tasks", shares}};
}

GroupKind kind_named(const std::string& name) {
  for (const GroupKind kind : {GroupKind::wide, GroupKind::narrow, GroupKind::linear}) {
    if (name == group_kind_name(kind)) return kind;
  }
  fail();
}

GroupRecord group_from_json(const json& text, std::size_t num_tasks) {
  GroupRecord group{.kind = kind_named(text.at("kind").get<std::string>()),
                    .is_private = text.at("private"),
                    .learns_rest = text.value("rest", false),
                    .num_trees = text.at("trees"),
                    .learning_rate = text.at("learning_rate"),
                    .batch_size = text.at("batch_size"),
                    .shares = {}};
  for (const json& share : text.at("tasks")) {
    group.shares.push_back({.takes_part = share.at("takes_part"),
                            .weight = share.at("weight"),
                            .best_epoch = share.at("best_epoch")});
  }
  if (group.shares.size() != num_tasks) fail();
  return group;
}

}  // namespace

json record_to_json(const MemberRecord& record) {
  json groups = json::array();
  for (const GroupRecord& group : record.groups) groups.push_back(group_to_json(group));
  return {{"seed", record.seed},
          {"training_rows", record.num_training_rows},
          {"validation_rows", record.num_validation_rows},
          {"stopped", record.was_stopped},
          {"validation_losses", numbers_to_json(record.validation_losses)},
          {"groups", groups},
          {"group_of_bundle", record.group_of_bundle},
          {"history", history_to_json(record.history)}};
}

MemberRecord record_from_json(const json& text, int member, std::size_t num_tasks,
                              std::size_t num_bundles) {
  MemberRecord record{
      .seed = text.at("seed"),
      .num_training_rows = text.at("training_rows"),
      .num_validation_rows = text.at("validation_rows"),
      .was_stopped = text.at("stopped"),
      .validation_losses = losses_from_json(text.at("validation_losses"), num_tasks),
      .groups = {},
      .group_of_bundle = text.at("group_of_bundle"),
      .history = history_from_json(text.at("history"), member, num_tasks)};
  for (const json& group : text.at("groups"))
    record.groups.push_back(group_from_json(group, num_tasks));
  const bool groups_fit = std::ranges::all_of(
      record.group_of_bundle, [&](std::uint32_t group) { return group < record.groups.size(); });
  // A model that was not trained (put together by hand) has no groups.
  if (!groups_fit || (!record.groups.empty() && record.group_of_bundle.size() != num_bundles))
    fail();
  return record;
}

}  // namespace softwood
