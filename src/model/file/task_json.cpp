#include "model/file/task_json.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "model/file/number_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<ColumnKind, std::string_view>, 3> kKinds = {
    {{ColumnKind::numeric, "numeric"},
     {ColumnKind::categorical, "categorical"},
     {ColumnKind::datetime, "datetime"}}};

std::string kind_to_json(ColumnKind kind) {
  for (const auto& [each, name] : kKinds) {
    if (each == kind) return std::string(name);
  }
  return {};
}

/// Version 3 has the kind's number.
ColumnKind kind_from_json(const json& text) {
  for (std::size_t number = 0; number < kKinds.size(); ++number) {
    const auto& [kind, name] = kKinds[number];
    if (text.is_string() ? text.get<std::string>() == name : text.get<std::size_t>() == number)
      return kind;
  }
  throw Error(fmt::format("the model's response is of an unknown kind: {}.", text.dump()));
}

json setting_to_json(const LossSetting& setting) {
  if (const auto* column = std::get_if<std::string>(&setting)) return *column;
  if (const auto* number = std::get_if<double>(&setting)) return number_to_json(*number);
  return numbers_to_json(std::get<std::vector<double>>(setting));
}

LossSetting setting_from_json(const json& text) {
  if (text.is_string()) return text.get<std::string>();
  if (!text.is_array()) return number_from_json(text);
  return numbers_from_json(text);
}

LossSource source_from_json(const json& text) {
  LossSource source;
  source.name = text.at("name");
  source.text = text.at("text");
  for (const auto& [name, setting] : text.at("settings").items())
    source.settings[name] = setting_from_json(setting);
  return source;
}

}  // namespace

json task_to_json(const Task& task) {
  json settings = json::object();
  for (const auto& [name, setting] : task.program.source().settings)
    settings[name] = setting_to_json(setting);
  return {{"target", task.target},
          {"target_kind", kind_to_json(task.target_kind)},
          {"weight", task.weight},
          {"loss",
           {{"name", task.program.source().name},
            {"text", task.program.source().text},
            {"settings", settings}}},
          {"labels", task.labels},
          {"offset", task.units.offset},
          {"unit", task.units.unit},
          {"loss_scale", task.units.loss_scale}};
}

Task task_from_json(const json& text) {
  Task task;
  task.target = text.at("target");
  task.target_kind = kind_from_json(text.at("target_kind"));
  task.weight = text.at("weight");
  task.labels = text.at("labels").get<std::vector<std::string>>();
  task.program = LossProgram::compile(source_from_json(text.at("loss")), task.labels.size());
  task.units.offset = text.at("offset").get<std::vector<double>>();
  task.units.unit = text.at("unit").get<std::vector<double>>();
  task.units.loss_scale = text.at("loss_scale");
  if (task.units.offset.size() != task.num_outputs() ||
      task.units.unit.size() != task.num_outputs()) {
    throw Error("the model's units do not fit its loss.");
  }
  return task;
}

}  // namespace softwood
