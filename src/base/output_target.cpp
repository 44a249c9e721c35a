#include "base/output_target.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "softwood/error.h"

namespace softwood {
namespace {

constexpr int kMostLinks = 40;  // as many as Linux follows

[[noreturn]] void fail(const std::string& path, int reason) {
  errno = reason;
  fail_by_errno("write", path);
}

/// "/proc/self/fd/1" is 1; what it links to may be no path at all, or a file that the shell appends
/// to.
int descriptor_named(const std::string& path) {
  for (const std::string_view folder : {"/proc/self/fd/", "/dev/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc() && stop == end) return number;
  }
  return -1;
}

/// What a link holds, as seen from where the link stands; "" if `path` is no link.
std::string next_link(const std::string& path) {
  std::error_code none;
  const std::filesystem::path link = std::filesystem::read_symlink(path, none);
  if (none || link.empty()) return "";
  return (std::filesystem::path(path).parent_path() / link).string();
}

OutputTarget of_descriptor(const std::string& path, int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) fail_by_errno("write", path);
  if ((flags & O_ACCMODE) == O_RDONLY) fail(path, EBADF);
  return {OutputTarget::Kind::descriptor, path, descriptor, {}};
}

OutputTarget without_links(const std::string& path) {
  OutputTarget target{.path = path};
  for (int links = 0; links <= kMostLinks; ++links) {
    if (const int number = descriptor_named(target.path); number >= 0)
      return of_descriptor(path, number);
    std::string next = next_link(target.path);
    if (next.empty()) return target;
    target.path = std::move(next);
  }
  fail(path, ELOOP);
}

}  // namespace

void fail_by_errno(const char* doing, const std::string& path) {
  throw Error(fmt::format("cannot {} '{}': {}.", doing, path, std::strerror(errno)));
}

std::string OutputTarget::folder() const {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

OutputTarget OutputTarget::find(const std::string& path) {
  if (path.find('\0') != std::string::npos) fail(path.c_str(), EINVAL);
  OutputTarget target = without_links(path);
  if (target.kind == Kind::descriptor) return target;
  struct stat info {};
  if (::stat(target.path.c_str(), &info) != 0) {
    if (errno != ENOENT) fail_by_errno("write", path);
    if (path.empty() || path.ends_with('/')) fail(path, path.empty() ? ENOENT : EISDIR);
    return target;
  }
  if (S_ISDIR(info.st_mode)) fail(path, EISDIR);
  if (S_ISBLK(info.st_mode)) throw Error(fmt::format("cannot write '{}': it is a disk.", path));
  if (S_ISSOCK(info.st_mode)) throw Error(fmt::format("cannot write '{}': it is a socket.", path));
  // Renaming would replace a file that its owner has protected from being written.
  if (::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0)
    fail_by_errno("write", path);
  if (S_ISREG(info.st_mode)) {
    target.old_file = info;
  } else {
    target.kind = Kind::stream;
  }
  return target;
}

}  // namespace softwood
