#include "model/file/model_file.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/strict_json.h"
#include "model/file/bounded_json.h"
#include "model/file/bundle_tensors.h"
#include "model/file/learned_json.h"
#include "model/file/linear_tensors.h"
#include "model/file/record_json.h"
#include "model/file/shape_json.h"
#include "model/file/task_json.h"
#include "model/file/tree_tensors.h"
#include "model/prediction_bases.h"
#include "options/options_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using nlohmann::json;

constexpr int kOldest = 3, kNewest = 7;
/// From here on a member's trees have one tensor of each kind, not each bundle.
constexpr int kTreeTensors = 7;

std::string entry(const Safetensors& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? std::string() : found->second;
}

/// Throws Error unless this Softwood reads it.
int check_version(const Safetensors& file) {
  if (entry(file, "format") != "softwood") throw Error("the file is no Softwood model.");
  const std::string text = entry(file, "version");
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (is_number && version >= kOldest && version <= kNewest) return version;
  const std::string writer = entry(file, "softwood");
  throw Error(fmt::format(
      "the model has format version {}{}; this Softwood reads {} to {}. {}", shortened(text, 20),
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

/// What a file may cost, by its version and size.
struct FileLimits {
  int version = 0;
  /// Bytes of curves of which knots were left out: such a knot takes a bit in the file, and more
  /// than a float in memory.
  std::size_t memory = 0;
};

/// Its trees' shape, once the file has been seen to hold them: now they may be sized by it.
EnsembleShape checked_shape(const json& text, std::size_t index,
                            const std::vector<ColumnBasis>& columns, FileLimits& limits,
                            const Safetensors& file) {
  EnsembleShape shape = shape_from_json(text, columns);
  if (limits.version >= kTreeTensors) {
    check_trees(shape, index, file, limits.memory);
    return shape;
  }
  for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle)
    check_bundle(shape, index, bundle, file);
  return shape;
}

/// Everything but the numbers of its trees and its linear part.
Member member_from_json(const json& text, std::size_t index,
                        const std::vector<ColumnBasis>& columns, const Tasks& tasks,
                        FileLimits& limits, const Safetensors& file) {
  Member member{.ensemble = Ensemble(checked_shape(strict_json::object(text, "trees"), index,
                                                   columns, limits, file)),
                .values = {},
                .offset = strict_json::finite_numbers(text, "offset"),
                .best_epoch = strict_json::integer<int>(text, "best_epoch", 0),
                .record = {}};
  const EnsembleShape& shape = member.ensemble.shape();
  if (shape.num_outputs != tasks.num_outputs() || member.offset.size() != tasks.num_outputs())
    throw Error("the model's trees do not fit its losses.");
  // Version 3 has none.
  if (text.contains("training"))
    member.record = record_from_json(text["training"], static_cast<int>(index) + 1, tasks.size(),
                                     shape.bundles.size());
  const std::size_t num_levels = member.record.nodes_visited.size();
  if (num_levels != 0 && num_levels != static_cast<std::size_t>(shape.depth))
    throw Error("the model's account of the nodes that rows visit does not fit its trees.");
  return member;
}

void write_values(const Member& member, std::size_t index, Safetensors& file) {
  write_trees(member, index, file);
  if (member.linear) write_linear(*member.linear, index, file);
}

/// Returns how many tensors there were.
std::size_t read_values(Safetensors& file, int version, std::size_t index, const KnotPlaces& places,
                        Member& member) {
  if (version >= kTreeTensors) {
    read_trees(file, index, places, member);
    return num_tree_tensors(member);
  }
  member.values = member.ensemble.make_buffer();
  for (std::size_t bundle = 0; bundle < member.ensemble.shape().bundles.size(); ++bundle)
    read_bundle(member.ensemble, index, bundle, file, member.values);
  return 3 * member.ensemble.shape().bundles.size();
}

/// Every member has the scales of all columns: a few letters for each of many members must not take
/// a large encoder many times over. Trained models are far from it.
void check_members(std::size_t num_members, const std::vector<ColumnBasis>& columns,
                   std::size_t file_size) {
  constexpr std::size_t kFreeBytes = std::size_t{32} << 20, kBytesPerByte = 32;
  std::size_t bytes = 0;
  for (const ColumnBasis& column : columns) {
    bytes += sizeof column +
             sizeof(float) * (column.scale.size() + column.slope.size() + column.mean.size());
  }
  if (num_members == 0) throw Error("the model has no trees.");
  if (num_members > (kFreeBytes + kBytesPerByte * file_size) / std::max<std::size_t>(1, bytes))
    throw Error("the model has too many members.");
}

/// The order is that of what hangs on what: nothing is sized by a number that has not been compared
/// with the file, its encoder and its losses.
ModelParts read_parts(const json& description, int version, std::size_t file_size,
                      Safetensors& file) {
  constexpr std::size_t kFreeBytes = std::size_t{32} << 20, kBytesPerByte = 40;
  FileLimits limits{version, kFreeBytes + kBytesPerByte * file_size};
  ModelParts parts;
  parts.encoder = Encoder::from_json(strict_json::object(description, "encoder"));
  LossCompiler losses;
  for (const json& text : strict_json::list(description, "tasks"))
    parts.tasks.push_back(task_from_json(text, losses));
  if (parts.tasks.empty()) throw Error("the model has no response.");
  const std::vector<ColumnBasis> columns = prediction_bases(parts.encoder);
  const KnotPlaces places = knot_places(parts.encoder);
  const json& members = strict_json::list(description, "members");
  check_members(members.size(), columns, file_size);
  std::size_t num_tensors = 0;
  for (const json& text : members) {
    const std::size_t index = parts.members.size();
    Member& member = parts.members.emplace_back(
        member_from_json(text, index, columns, parts.tasks, limits, file));
    num_tensors += read_values(file, version, index, places, member);
    // Only from version 5 on.
    if (strict_json::flag_or(text, "linear", false))
      member.linear = read_linear(file, index, parts.encoder, parts.tasks.num_outputs());
    if (member.linear) num_tensors += 2;
  }
  if (num_tensors != file.tensors.size())
    throw Error("the model has tensors that belong to no member.");
  parts.options = options_from_json(strict_json::object(description, "options"));
  // Only from version 6 on.
  if (description.contains("learned"))
    parts.learned = learned_from_json(strict_json::list(description, "learned"));
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
                            {"options", options_to_json(parts.options)},
                            {"learned", learned_to_json(parts.learned)}};
  Safetensors file;
  file.metadata = {{"format", "softwood"},
                   {"version", std::to_string(kNewest)},
                   {"softwood", SOFTWOOD_VERSION},
                   {"model", description.dump()}};
  for (std::size_t index = 0; index < parts.members.size(); ++index)
    write_values(parts.members[index], index, file);
  return file;
}

ModelParts from_safetensors(Safetensors file) {
  const int version = check_version(file);
  const std::string text = std::move(file.metadata["model"]);
  std::size_t file_size = text.size();
  for (const auto& [name, tensor] : file.tensors)
    file_size += tensor.size() * bytes_of(tensor.type);
  try {
    return read_parts(parse_bounded_json(text, file_size), version, file_size, file);
  } catch (const json::exception&) {
    throw Error("the model's description is unreadable.");
  }
}

}  // namespace softwood
