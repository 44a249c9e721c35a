#include "base/small_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "softwood/error.h"

namespace softwood {

std::string read_small_file(const std::string& path, std::size_t most, const char* what) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  std::string bytes;
  ssize_t count = descriptor < 0 ? -1 : 1;
  while (count > 0 && bytes.size() <= most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(kPiece, most + 1 - before));
    do {
      count = ::read(descriptor, bytes.data() + before, bytes.size() - before);
    } while (count < 0 && errno == EINTR);
    bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  const int reason = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (count < 0)
    throw Error(fmt::format("cannot read {} '{}': {}.", what, path, std::strerror(reason)));
  return bytes;
}

}  // namespace softwood
