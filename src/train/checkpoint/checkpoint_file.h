#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace softwood {

/// What a checkpoint file holds: what the run is, and where it stands.
struct CheckpointContent {
  nlohmann::json about;  ///< run, data, epoch, ended: see Checkpoints
  std::string state;     ///< to_bytes(RunState)
};

/// The one before the last, which stays until the next is whole.
std::string path_before(const std::string& path);

/// Replaces the checkpoint at `path`; what stood there becomes path_before(path). At every moment
/// one of the two is whole. Throws Error if the disk refuses.
void write_checkpoint(const std::string& path, const CheckpointContent& content);

/// Throws Error if the file cannot be read or is damaged.
CheckpointContent read_checkpoint(const std::string& path);

}  // namespace softwood
