#include "data/file/temporary_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace softwood {
namespace {

std::vector<std::string> folders() {
  std::vector<std::string> folders = {"/tmp", "/var/tmp"};
  const char* chosen = std::getenv("TMPDIR");
  if (chosen != nullptr && *chosen != '\0') folders.insert(folders.begin(), chosen);
  return folders;
}

/// Where files cannot be made without a name, they lose it at once.
int open_named_and_unlink(const std::string& folder) {
  std::string name = folder + "/softwood.XXXXXX";
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0) return descriptor;
  ::unlink(name.c_str());
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return descriptor;
}

int open_without_name(const std::string& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
  if (descriptor >= 0) return descriptor;
#endif
  return open_named_and_unlink(folder);
}

}  // namespace

std::unique_ptr<TemporaryFile> TemporaryFile::make() {
  for (std::string& folder : folders()) {
    const int descriptor = open_without_name(folder);
    if (descriptor < 0) continue;
    return std::unique_ptr<TemporaryFile>(new TemporaryFile(std::move(folder), descriptor));
  }
  return nullptr;
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool TemporaryFile::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

int TemporaryFile::release() {
  return std::exchange(descriptor_, -1);
}

}  // namespace softwood
