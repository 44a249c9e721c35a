#pragma once

#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace softwood::fuzz {

/// A model file taken apart by what docs/model_format.md says, so that anything can be put into it.
struct ModelPieces {
  std::map<std::string, std::string> metadata;  ///< without the model and the checksum
  nlohmann::json description;
  nlohmann::json tensors;  ///< the header's other entries
  std::string numbers;
};

ModelPieces take_apart(std::string_view bytes);

/// A file of them, its checksum right. Texts that start with kRaw stand in it as they are, without
/// it and without quotes; so do keys that start with kTwin, in quotes: what a JSON library does not
/// hold.
std::string put_together(const ModelPieces& pieces);
inline constexpr std::string_view kRaw = "@raw@", kTwin = "@twin@";

/// A checksum keeps damage out, not intent: made right, so that what is behind it is seen.
std::string with_checksum(std::string_view bytes);

}  // namespace softwood::fuzz
