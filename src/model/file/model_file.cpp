#include "model/file/model_file.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/file/bundle_tensors.h"
#include "model/file/linear_tensors.h"
#include "model/file/record_json.h"
#include "model/file/shape_json.h"
#include "model/file/task_json.h"
#include "options/options_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

constexpr int kOldest = 3, kNewest = 5;

std::string entry(const Safetensors& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? std::string() : found->second;
}

/// Throws Error unless this Softwood reads it.
void check_version(const Safetensors& file) {
  if (entry(file, "format") != "softwood") throw Error("the file is no Softwood model.");
  const std::string text = entry(file, "version");
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && version >= kOldest && version <= kNewest) return;
  const std::string writer = entry(file, "softwood");
  throw Error(fmt::format(
      "the model has format version {}{}; this Softwood reads {} to {}. {}", text,
      writer.empty() ? "" : fmt::format(", of Softwood {}", writer), kOldest, kNewest,
      is_number && version > kNewest ? "Use a newer Softwood." : "Train again with this one."));
}

json member_to_json(const Member& member) {
  return {{"trees", shape_to_json(member.ensemble.shape())},
          {"offset", member.offset},
          {"best_epoch", member.best_epoch},
          {"linear", member.linear.has_value()},
          {"training", record_to_json(member.record)}};
}

/// Everything but the numbers of its trees and its linear part.
Member member_from_json(const json& text, int number, const Encoder& encoder, const Tasks& tasks) {
  Member member{.ensemble = Ensemble(shape_from_json(text.at("trees"), encoder)),
                .values = {},
                .offset = text.at("offset").get<std::vector<double>>(),
                .best_epoch = text.at("best_epoch"),
                .record = {}};
  const EnsembleShape& shape = member.ensemble.shape();
  if (shape.num_outputs != tasks.num_outputs() || member.offset.size() != tasks.num_outputs())
    throw Error("the model's trees do not fit its losses.");
  // Version 3 has none.
  if (text.contains("training"))
    member.record = record_from_json(text["training"], number, tasks.size(), shape.bundles.size());
  return member;
}

void write_values(const Member& member, std::size_t index, Safetensors& file) {
  for (std::size_t bundle = 0; bundle < member.ensemble.shape().bundles.size(); ++bundle)
    write_bundle(member.ensemble, index, bundle, member.values, file);
  if (member.linear) write_linear(*member.linear, index, file);
}

void read_values(const Safetensors& file, std::size_t index, Member& member) {
  member.values = member.ensemble.make_buffer();
  for (std::size_t bundle = 0; bundle < member.ensemble.shape().bundles.size(); ++bundle)
    read_bundle(member.ensemble, index, bundle, file, member.values);
}

ModelParts read_parts(const json& description, const Safetensors& file) {
  ModelParts parts;
  parts.encoder = Encoder::from_json(description.at("encoder"));
  for (const json& text : description.at("tasks")) parts.tasks.push_back(task_from_json(text));
  for (const json& text : description.at("members")) {
    const std::size_t index = parts.members.size();
    parts.members.push_back(
        member_from_json(text, static_cast<int>(index) + 1, parts.encoder, parts.tasks));
    read_values(file, index, parts.members.back());
    // Only from version 5 on.
    if (text.value("linear", false)) {
      parts.members.back().linear =
          read_linear(file, index, parts.encoder, parts.tasks.num_outputs());
    }
  }
  if (parts.members.empty()) throw Error("the model has no trees.");
  parts.options = options_from_json(description.at("options"));
  return parts;
}

}  // namespace

Safetensors to_safetensors(const ModelParts& parts) {
  json tasks = json::array(), members = json::array();
  for (const Task& task : parts.tasks) tasks.push_back(task_to_json(task));
  for (const Member& member : parts.members) members.push_back(member_to_json(member));
  const json description = {{"encoder", parts.encoder.to_json()},
                            {"tasks", tasks},
                            {"members", members},
                            {"options", options_to_json(parts.options)}};
  Safetensors file;
  file.metadata = {{"format", "softwood"},
                   {"version", std::to_string(kNewest)},
                   {"softwood", SOFTWOOD_VERSION},
                   {"model", description.dump()}};
  for (std::size_t index = 0; index < parts.members.size(); ++index)
    write_values(parts.members[index], index, file);
  return file;
}

ModelParts from_safetensors(const Safetensors& file) {
  check_version(file);
  try {
    return read_parts(json::parse(entry(file, "model")), file);
  } catch (const json::exception&) {
    throw Error("the model's description is unreadable.");
  }
}

}  // namespace softwood
