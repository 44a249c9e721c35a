#include "model/file/model_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/file/bundle_tensors.h"
#include "options/options_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

constexpr int kVersion = 3;

/// A number as JSON; those that JSON lacks as {"number": "inf"}, for a plain string is a column.
json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  return {{"number", fmt::format("{}", value)}};
}

double number_from_json(const json& text) {
  if (!text.is_object()) return text.get<double>();
  return std::strtod(text.at("number").get<std::string>().c_str(), nullptr);
}

json setting_to_json(const LossSetting& setting) {
  if (const auto* column = std::get_if<std::string>(&setting)) return *column;
  if (const auto* number = std::get_if<double>(&setting)) return number_to_json(*number);
  json list = json::array();
  for (const double number : std::get<std::vector<double>>(setting))
    list.push_back(number_to_json(number));
  return list;
}

LossSetting setting_from_json(const json& text) {
  if (text.is_string()) return text.get<std::string>();
  if (!text.is_array()) return number_from_json(text);
  std::vector<double> numbers;
  for (const json& number : text) numbers.push_back(number_from_json(number));
  return numbers;
}

json task_to_json(const Task& task) {
  json settings = json::object();
  for (const auto& [name, setting] : task.program.source().settings)
    settings[name] = setting_to_json(setting);
  return {{"target", task.target},
          {"target_kind", task.target_kind},
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
  LossSource source;
  source.name = text.at("loss").at("name");
  source.text = text.at("loss").at("text");
  for (const auto& [name, setting] : text.at("loss").at("settings").items())
    source.settings[name] = setting_from_json(setting);
  Task task;
  task.target = text.at("target");
  task.target_kind = text.at("target_kind");
  task.weight = text.at("weight");
  task.labels = text.at("labels").get<std::vector<std::string>>();
  task.program = LossProgram::compile(source, task.labels.size());
  task.units.offset = text.at("offset").get<std::vector<double>>();
  task.units.unit = text.at("unit").get<std::vector<double>>();
  task.units.loss_scale = text.at("loss_scale");
  if (task.units.offset.size() != task.num_outputs() ||
      task.units.unit.size() != task.num_outputs()) {
    throw Error("the model's units do not fit its loss.");
  }
  return task;
}

json shape_to_json(const EnsembleShape& shape) {
  json bundles = json::array();
  for (const Bundle& bundle : shape.bundles) {
    bundles.push_back({{"columns", bundle.columns},
                       {"trees", bundle.num_trees},
                       {"first_output", bundle.first_output},
                       {"outputs", bundle.num_outputs}});
  }
  return {{"depth", shape.depth},
          {"activation", shape.activation == Activation::logistic ? "logistic" : "smooth_step"},
          {"gamma", shape.gamma},
          {"outputs", shape.num_outputs},
          {"bundles", bundles}};
}

/// Knots are all a prediction needs of a column: slopes and means are in the curves already.
ColumnBasis basis_for_prediction(const EncodedColumn& column, const ColumnScale& scale) {
  ColumnBasis basis;
  basis.source = scale.column;
  basis.num_knots = scale.is_coarse ? column.coarse.size() + 1 : column.num_knots();
  if (scale.is_coarse) basis.scale = coarse_positions(column);
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      basis.kind = ColumnBasis::Kind::curve;
      basis.slope.assign(basis.num_knots - 1, 0.0F);
      break;
    case EncodedColumn::Kind::levels:
      basis.kind = ColumnBasis::Kind::levels;
      break;
    case EncodedColumn::Kind::linear:
      basis.kind = ColumnBasis::Kind::linear;
      break;
  }
  basis.mean.assign(basis.num_parameters(), 0.0F);
  return basis;
}

Bundle bundle_from_json(const json& text, std::size_t num_columns, std::size_t num_outputs) {
  Bundle bundle;
  bundle.columns = text.at("columns").get<std::vector<std::uint32_t>>();
  bundle.num_trees = text.at("trees");
  bundle.first_output = text.at("first_output");
  bundle.num_outputs = text.at("outputs");
  const bool columns_fit = std::all_of(bundle.columns.begin(), bundle.columns.end(),
                                       [&](std::uint32_t column) { return column < num_columns; });
  if (!columns_fit || bundle.num_outputs > num_outputs ||
      bundle.first_output > num_outputs - bundle.num_outputs) {
    throw Error("the model's trees do not fit its columns or outputs.");
  }
  return bundle;
}

EnsembleShape shape_from_json(const json& text, const Encoder& encoder) {
  EnsembleShape shape;
  shape.depth = text.at("depth");
  shape.activation =
      text.at("activation") == "logistic" ? Activation::logistic : Activation::smooth_step;
  shape.gamma = text.at("gamma");
  shape.num_outputs = text.at("outputs");
  if (shape.depth < 1 || shape.depth > kMaxDepth) throw Error("the model's depth is out of range.");
  for (const ColumnScale& scale : encoder.scales()) {
    shape.columns.push_back(basis_for_prediction(encoder.columns()[scale.column], scale));
  }
  for (const json& bundle : text.at("bundles")) {
    shape.bundles.push_back(bundle_from_json(bundle, shape.columns.size(), shape.num_outputs));
  }
  return shape;
}

Member read_member(const json& text, const Encoder& encoder, std::size_t index,
                   const Safetensors& file) {
  Member member{.ensemble = Ensemble(shape_from_json(text.at("trees"), encoder)),
                .values = {},
                .offset = text.at("offset").get<std::vector<double>>(),
                .best_epoch = text.at("best_epoch")};
  member.values = member.ensemble.make_buffer();
  for (std::size_t bundle = 0; bundle < member.ensemble.shape().bundles.size(); ++bundle) {
    read_bundle(member.ensemble, index, bundle, file, member.values);
  }
  return member;
}

json parse_description(const Safetensors& file) {
  const auto entry = [&](const char* key) {
    const auto found = file.metadata.find(key);
    return found == file.metadata.end() ? std::string() : found->second;
  };
  if (entry("format") != "softwood") throw Error("the file is no Softwood model.");
  if (entry("version") != std::to_string(kVersion)) {
    throw Error(
        fmt::format("the model has format version {}; this Softwood reads version {}. Use the "
                    "Softwood that wrote it, or train again.",
                    entry("version"), kVersion));
  }
  return json::parse(entry("model"));
}

}  // namespace

Safetensors to_safetensors(const ModelParts& parts) {
  json tasks = json::array(), members = json::array();
  for (const Task& task : parts.tasks) tasks.push_back(task_to_json(task));
  for (const Member& member : parts.members) {
    members.push_back({{"trees", shape_to_json(member.ensemble.shape())},
                       {"offset", member.offset},
                       {"best_epoch", member.best_epoch}});
  }
  const json description = {{"encoder", parts.encoder.to_json()},
                            {"tasks", tasks},
                            {"members", members},
                            {"options", options_to_json(parts.options)}};
  Safetensors file;
  file.metadata = {
      {"format", "softwood"}, {"version", std::to_string(kVersion)}, {"model", description.dump()}};
  for (std::size_t index = 0; index < parts.members.size(); ++index) {
    const Member& member = parts.members[index];
    for (std::size_t bundle = 0; bundle < member.ensemble.shape().bundles.size(); ++bundle) {
      write_bundle(member.ensemble, index, bundle, member.values, file);
    }
  }
  return file;
}

ModelParts from_safetensors(const Safetensors& file) {
  try {
    const json description = parse_description(file);
    Encoder encoder = Encoder::from_json(description.at("encoder"));
    Tasks tasks;
    for (const json& text : description.at("tasks")) tasks.push_back(task_from_json(text));
    ModelParts parts;
    for (const json& text : description.at("members")) {
      parts.members.push_back(read_member(text, encoder, parts.members.size(), file));
      const Member& member = parts.members.back();
      if (member.ensemble.shape().num_outputs != tasks.num_outputs() ||
          member.offset.size() != tasks.num_outputs())
        throw Error("the model's trees do not fit its losses.");
    }
    if (parts.members.empty()) throw Error("the model has no trees.");
    parts.encoder = std::move(encoder);
    parts.tasks = std::move(tasks);
    parts.options = options_from_json(description.at("options"));
    return parts;
  } catch (const json::exception&) {
    throw Error("the model's description is unreadable.");
  }
}

}  // namespace softwood
