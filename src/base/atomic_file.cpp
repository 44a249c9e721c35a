#include "base/atomic_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "softwood/error.h"

namespace softwood {
namespace {

bool is_special_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/// Makes the rename itself durable.
void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// New files get the permissions the user's umask gives any other file, not mkstemp's 0600.
void apply_umask(int descriptor) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor, 0666 & ~mask);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (is_special_file(path_)) {
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) fail("open");
    return;
  }
  if (std::filesystem::is_directory(path_)) {
    errno = EISDIR;
    fail("write");
  }
  std::string name = path_ + ".XXXXXX";
  std::vector<char> pattern(name.begin(), name.end());
  pattern.push_back('\0');
  const int descriptor = ::mkstemp(pattern.data());
  if (descriptor < 0) fail("create");
  apply_umask(descriptor);
  temporary_ = pattern.data();
  file_ = ::fdopen(descriptor, "wb");
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* doing) const {
  throw Error(fmt::format("cannot {} '{}': {}.", doing, path_, std::strerror(errno)));
}

void AtomicFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("write");
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) fail("write");
  if (!temporary_.empty() && ::fsync(::fileno(file_)) != 0) fail("write");
  std::FILE* closing = file_;
  file_ = nullptr;
  if (std::fclose(closing) != 0) fail("write");
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("replace");
  temporary_.clear();
  sync_folder_of(path_);
}

}  // namespace softwood
