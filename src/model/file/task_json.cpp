#include "model/file/task_json.h"

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/strict_json.h"
#include "model/file/number_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

/// Longer than anybody writes one.
constexpr std::size_t kMostLossText = 1'000'000;

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
  if (text.contains("target_kind") && text["target_kind"].is_number())
    return kKinds[strict_json::integer<std::size_t>(text, "target_kind", 0, kKinds.size() - 1)]
        .first;
  return strict_json::one_of(text, "target_kind", kKinds,
                             [](const auto& kind) { return kind.second; })
      .first;
}

json setting_to_json(const LossSetting& setting) {
  if (const auto* column = std::get_if<std::string>(&setting)) return *column;
  if (const auto* number = std::get_if<double>(&setting)) return number_to_json(*number);
  return numbers_to_json(std::get<std::vector<double>>(setting));
}

LossSetting setting_from_json(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return number_from_json(value, "settings");
  return numbers_from_json(value, "settings");
}

LossSource source_from_json(const json& text) {
  LossSource source;
  source.name = strict_json::text(text, "name");
  source.text = strict_json::text(text, "text");
  if (source.text.size() > kMostLossText) strict_json::refuse("text", "is too long for a loss");
  for (const auto& [name, setting] : strict_json::object(text, "settings").items())
    source.settings[name] = setting_from_json(setting);
  return source;
}

/// Everywhere a class's number is a place among the labels and among the probabilities.
void check_labels(const Task& task) {
  const std::size_t count = task.labels.size();
  const bool classes = task.program.uses_classes() || task.is_classifier();
  bool fits = classes ? count >= 2 && count <= kMaxClasses : count == 0 || count == 2;
  if (!task.program.uses_classes() && count > 2) fits = false;
  for (const LossProgram::Prediction& prediction : task.program.predictions()) {
    const bool is_second_of_two = prediction.size == 1 && count == 2;
    if (prediction.name == "probability" && prediction.size != count && !is_second_of_two)
      fits = false;
    if (!prediction.labels.empty() && prediction.labels.size() != prediction.size) fits = false;
  }
  const std::set<std::string> distinct(task.labels.begin(), task.labels.end());
  if (!fits || distinct.size() != count) throw Error("the model's labels do not fit its loss.");
}

void check_units(const Task& task) {
  if (task.num_outputs() == 0 || task.program.predictions().empty() ||
      task.units.offset.size() != task.num_outputs() ||
      task.units.unit.size() != task.num_outputs())
    throw Error("the model's units do not fit its loss.");
  for (const double unit : task.units.unit) {
    if (!(unit > 0)) strict_json::refuse("unit", "is not above 0");
  }
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

Task task_from_json(const json& text, LossCompiler& losses) {
  Task task;
  task.target = strict_json::text(text, "target");
  task.target_kind = kind_from_json(text);
  task.weight = strict_json::finite_number(text, "weight");
  if (task.weight < 0) strict_json::refuse("weight", "is negative");
  if (strict_json::list(text, "labels").size() > kMaxClasses)
    strict_json::refuse("labels", "are too many");
  task.labels = strict_json::texts(text, "labels");
  const json& loss = strict_json::object(text, "loss");
  task.program = losses.compile(loss.dump(), source_from_json(loss), task.labels.size());
  task.units.offset = strict_json::finite_numbers(text, "offset");
  task.units.unit = strict_json::finite_numbers(text, "unit");
  task.units.loss_scale = strict_json::positive_number(text, "loss_scale");
  check_units(task);
  check_labels(task);
  return task;
}

}  // namespace softwood
