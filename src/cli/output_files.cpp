#include "cli/output_files.h"

#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/output_target.h"
#include "cli/data_source.h"
#include "softwood/error.h"

namespace softwood::cli {
namespace {

std::string place_of(const std::string& output) {
  return output == "-" ? "/dev/stdout" : output;
}

std::optional<struct stat> what_is_there(const OutputTarget& target) {
  if (target.kind == OutputTarget::Kind::file) return target.old_file;
  struct stat info {};
  const int failed = target.kind == OutputTarget::Kind::descriptor
                         ? ::fstat(target.descriptor, &info)
                         : ::stat(target.path.c_str(), &info);
  return failed == 0 ? std::optional(info) : std::nullopt;
}

/// Of two outputs: by what is there, or by where it will be. In a pipe nobody could tell where one
/// ends and the other begins; a terminal or /dev/null takes what comes.
bool are_one_file(const std::string& first, const std::string& second) {
  const OutputTarget one = OutputTarget::find(place_of(first));
  const OutputTarget other = OutputTarget::find(place_of(second));
  const auto there = what_is_there(one), other_there = what_is_there(other);
  if (there && other_there) {
    return there->st_dev == other_there->st_dev && there->st_ino == other_there->st_ino &&
           !S_ISCHR(there->st_mode);
  }
  if (there || other_there) return false;
  std::error_code unknown;
  return std::filesystem::weakly_canonical(one.path, unknown) ==
         std::filesystem::weakly_canonical(other.path, unknown);
}

bool is_read(const std::string& output, const std::string& input) {
  std::error_code unknown;  // no such file: nothing to replace
  return std::filesystem::is_regular_file(output, unknown) &&
         std::filesystem::equivalent(output, input, unknown);
}

}  // namespace

RunFiles& RunFiles::reads(const std::string& path) {
  if (!path.empty()) inputs_.push_back(path == "-" ? "/dev/stdin" : split_table_name(path).path);
  return *this;
}

RunFiles& RunFiles::reads_loss(const std::string& loss) {
  if (!loss.starts_with('@')) return *this;
  // Brackets may be settings or a part of the name: what does not exist is not replaced.
  return reads(loss.substr(1)).reads(loss.substr(1, loss.find('(') - 1));
}

RunFiles& RunFiles::writes(const std::string& option, const std::string& path) {
  if (!path.empty()) outputs_.push_back({option, path});
  return *this;
}

void RunFiles::check() const {
  for (std::size_t at = 0; at < outputs_.size(); ++at) {
    const auto& [option, path] = outputs_[at];
    for (const std::string& input : inputs_) {
      if (!is_read(place_of(path), input)) continue;
      throw Error(fmt::format("'{}' is read and would be replaced by {}: choose another output.",
                              input, option));
    }
    for (std::size_t before = 0; before < at; ++before) {
      if (!are_one_file(outputs_[before].path, path)) continue;
      throw Error(
          fmt::format("{} '{}' and {} '{}' are one file or stream: choose another for one "
                      "of them.",
                      outputs_[before].option, outputs_[before].path, option, path));
    }
    AtomicFile::check_writable(place_of(path));
  }
}

}  // namespace softwood::cli
