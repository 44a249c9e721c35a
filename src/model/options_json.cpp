#include "model/options_json.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "train/option_list.h"

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

template <class T>
void read(const json& value, T& field) {
  field = value.get<T>();
}
template <class T>
void read(const json& value, std::optional<T>& field) {
  field = value.get<T>();
}

bool changes_no_result(std::string_view name) {
  return name == "threads";
}

}  // namespace

json options_to_json(const TrainOptions& options) {
  json out = {{"tasks", json::array()}};
  for (const TaskOptions& task : options.tasks) {
    out["tasks"].push_back({{"target", task.target}, {"loss", task.loss}, {"weight", task.weight}});
  }
  visit_options(options,
                [&](const char*, const char* name, const auto& field, const char*, const char*) {
                  if (!changes_no_result(name)) write(out, name, field);
                });
  return out;
}

TrainOptions options_from_json(const json& in) {
  TrainOptions options;
  for (const json& task : in.at("tasks")) {
    options.tasks.push_back(
        {.target = task.at("target"), .loss = task.at("loss"), .weight = task.at("weight")});
  }
  visit_options(options, [&](const char*, const char* name, auto& field, const char*, const char*) {
    if (in.contains(name)) read(in.at(name), field);
  });
  return options;
}

}  // namespace softwood
