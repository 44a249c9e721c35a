#include "cli/output_files.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/output_target.h"
#include "cli/data_source.h"
#include "softwood/error.h"

namespace softwood::cli {
namespace {

/// Of two outputs: by what is there, or by where it will be.
bool are_one_file(const std::string& first, const std::string& second) {
  const OutputTarget one = OutputTarget::find(first), other = OutputTarget::find(second);
  // A device or a pipe takes what comes, one after the other.
  if (one.kind != OutputTarget::Kind::file || other.kind != one.kind) return false;
  if (one.old_file && other.old_file) {
    return one.old_file->st_dev == other.old_file->st_dev &&
           one.old_file->st_ino == other.old_file->st_ino;
  }
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
  if (!path.empty() && path != "-") outputs_.push_back({option, path});
  return *this;
}

void RunFiles::check() const {
  for (std::size_t at = 0; at < outputs_.size(); ++at) {
    const auto& [option, path] = outputs_[at];
    for (const std::string& input : inputs_) {
      if (!is_read(path, input)) continue;
      throw Error(fmt::format("'{}' is read and would be replaced by {}: choose another output.",
                              input, option));
    }
    for (std::size_t before = 0; before < at; ++before) {
      if (!are_one_file(outputs_[before].path, path)) continue;
      throw Error(fmt::format("{} '{}' and {} '{}' are one file: choose another for one of them.",
                              outputs_[before].option, outputs_[before].path, option, path));
    }
    AtomicFile::check_writable(path);
  }
}

}  // namespace softwood::cli
