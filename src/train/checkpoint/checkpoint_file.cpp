#include "train/checkpoint/checkpoint_file.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <zlib.h>

#include "base/atomic_file.h"
#include "model/file/bounded_json.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::string_view kMagic = "softwood checkpoint 1\n";

/// Behind the magic: the length of `about`, of the state, and the CRC-32 of all that follows.
struct Lengths {
  std::uint64_t about = 0, state = 0, checksum = 0;
};

std::uint64_t checksum_of(std::string_view about, std::string_view state) {
  uLong crc = crc32_z(0, nullptr, 0);
  for (const std::string_view part : {about, state})
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
  return crc;
}

[[noreturn]] void damaged(const std::string& path, const char* how) {
  throw Error(fmt::format("'{}' is no checkpoint of Softwood, or it is damaged ({}).", path, how));
}

/// Not deep: what is printed of it in messages is printed by recursion.
nlohmann::json parse_about(const std::string& text, const std::string& path) {
  try {
    nlohmann::json about = parse_bounded_json(text, text.size());
    if (about.is_object()) return about;
  } catch (const Error&) {
  }
  damaged(path, "no description");
}

/// Never by a link: what damages one file is not to damage the other. False: there is none yet.
bool keep_before(const std::string& path) {
  if (!std::filesystem::exists(path)) return false;
  const std::string before = path_before(path);
  std::error_code failed;
  do {
    std::filesystem::rename(path, before, failed);
  } while (failed == std::errc::interrupted);
  if (failed) throw Error(fmt::format("cannot replace '{}': {}.", before, failed.message()));
  return true;
}

}  // namespace

std::string path_before(const std::string& path) {
  return path + ".before";
}

void write_checkpoint(const std::string& path, const CheckpointContent& content) {
  const std::string about = content.about.dump();
  const Lengths lengths{about.size(), content.state.size(), checksum_of(about, content.state)};
  AtomicFile file(path);
  file.write(kMagic);
  file.write({reinterpret_cast<const char*>(&lengths), sizeof lengths});
  file.write(about);
  file.write(content.state);
  file.sync();  // a disk that is full says so before the last one is moved
  const bool moved = keep_before(path);
  try {
    file.commit();
  } catch (const Error&) {
    std::error_code stays_before;
    if (moved) std::filesystem::rename(path_before(path), path, stays_before);
    throw;
  }
}

CheckpointContent read_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(fmt::format("cannot open '{}': {}.", path, std::strerror(errno)));
  std::string start(kMagic.size() + sizeof(Lengths), '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (!in || !start.starts_with(kMagic)) damaged(path, "its first bytes are others");
  Lengths lengths;
  std::memcpy(&lengths, start.data() + kMagic.size(), sizeof lengths);
  // Before anything has their size.
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  const std::uintmax_t left = unknown ? 0 : size - start.size();
  if (lengths.about > left || lengths.state != left - lengths.about) damaged(path, "cut short");
  CheckpointContent content;
  std::string about(lengths.about, '\0');
  content.state.resize(lengths.state);
  in.read(about.data(), static_cast<std::streamsize>(about.size()));
  in.read(content.state.data(), static_cast<std::streamsize>(content.state.size()));
  if (!in) damaged(path, "cut short");
  if (checksum_of(about, content.state) != lengths.checksum) damaged(path, "wrong checksum");
  content.about = parse_about(about, path);
  return content;
}

}  // namespace softwood
