#include "data/file/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "softwood/error.h"

namespace softwood {

InputFile::InputFile(const std::string& path)
    : origin_(path == "-" ? "standard input" : path),
      descriptor_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail();
}

InputFile::~InputFile() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

void InputFile::fail() const {
  throw Error(fmt::format("cannot read '{}': {}.", origin_, std::strerror(errno)));
}

std::size_t InputFile::size() const {
  struct stat info {};
  if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) return 0;
  return static_cast<std::size_t>(info.st_size);
}

bool InputFile::is_at_start() const {
  return ::lseek(descriptor_, 0, SEEK_CUR) == 0;
}

bool InputFile::read_more(ByteBuffer& bytes) const {
  constexpr std::size_t kLargestRead = std::size_t{1} << 30;  // Linux reads no more at once
  const std::size_t room = std::min(bytes.capacity() - bytes.size(), kLargestRead);
  const ssize_t count = ::read(descriptor_, bytes.data() + bytes.size(), room);
  if (count < 0 && errno != EINTR) fail();
  if (count > 0) bytes.resize(bytes.size() + static_cast<std::size_t>(count));
  return count != 0;
}

}  // namespace softwood
