#include "options/options_json.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "base/strict_json.h"
#include "base/utf8.h"
#include "options/old_names.h"
#include "options/option_list.h"

namespace softwood {
namespace {

using nlohmann::json;

template <class T>
void write(json& out, const char* name, const T& field) {
  out[name] = field;
}
template <class T>
void write(json& out, const char* name, const std::optional<T>& field) {
  if (field) out[name] = *field;
}

void read(const json& value, const char* name, std::string& field) {
  field = strict_json::text_of(value, name);
}
void read(const json& value, const char* name, std::vector<std::string>& field) {
  if (!value.is_array()) strict_json::refuse(name, "is no list");
  field.clear();
  for (const json& each : value) field.push_back(strict_json::text_of(each, name));
}
void read(const json& value, const char* name, bool& field) {
  field = strict_json::flag_of(value, name);
}
void read(const json& value, const char* name, double& field) {
  field = strict_json::finite_of(value, name);
}
template <std::integral T>
void read(const json& value, const char* name, T& field) {
  field = strict_json::integer_of<T>(value, name);
}
template <class T>
void read(const json& value, const char* name, std::optional<T>& field) {
  read(value, name, field.emplace());
}

/// Under the option's name, or under one that it had when the model was written.
const json* find(const json& in, std::string_view name) {
  if (in.contains(name)) return &in.at(std::string(name));
  for (const OldName& each : kOldNames) {
    if (each.name == name && in.contains(each.old_name)) return &in.at(std::string(each.old_name));
  }
  return nullptr;
}

bool changes_no_result(std::string_view name) {
  return name == "threads";
}

}  // namespace

json options_to_json(const TrainOptions& options) {
  json out = {{"tasks", json::array()}};
  for (const TaskOptions& task : options.tasks) {
    json& told = out["tasks"].emplace_back();
    told = {{"target", task.target}, {"loss", as_utf8(task.loss)}, {"weight", task.weight}};
    if (task.stop_weight) told["stop_weight"] = *task.stop_weight;
  }
  visit_options(options, [&](const DeclaredOption& option, const auto& field) {
    if (!changes_no_result(option.name)) write(out, option.name, field);
  });
  return out;
}

TrainOptions options_from_json(const json& in) {
  TrainOptions options;
  for (const json& task : strict_json::list(in, "tasks")) {
    TaskOptions& told = options.tasks.emplace_back();
    told.target = strict_json::text(task, "target");
    told.loss = strict_json::text(task, "loss");
    told.weight = strict_json::finite_number(task, "weight");
    if (task.contains("stop_weight"))
      told.stop_weight = strict_json::finite_number(task, "stop_weight");
  }
  visit_options(options, [&](const DeclaredOption& option, auto& field) {
    if (const json* value = find(in, option.name)) read(*value, option.name, field);
  });
  return with_values_of_today(std::move(options), {});
}

}  // namespace softwood
