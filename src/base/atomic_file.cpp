#include "base/atomic_file.h"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace softwood {
namespace {

using Kind = OutputTarget::Kind;

int open_stream(const OutputTarget& target) {
  if (target.kind == Kind::descriptor) return ::fcntl(target.descriptor, F_DUPFD_CLOEXEC, 0);
  while (true) {
    const int descriptor = ::open(target.path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor >= 0 || errno != EINTR) return descriptor;
  }
}

/// A descriptor that somebody else has made non-blocking.
void wait_for_room(int descriptor) {
  pollfd waiting{.fd = descriptor, .events = POLLOUT, .revents = 0};
  ::poll(&waiting, 1, -1);
}

}  // namespace

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    if (count >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return false;
    wait_for_room(descriptor);
  }
  return true;
}

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)), target_(OutputTarget::find(path_)) {
  if (target_.kind == Kind::file) check_room_for_part_file(target_);
}

AtomicFile::~AtomicFile() {
  if (part_ == nullptr && descriptor_ >= 0) ::close(descriptor_);
}

void AtomicFile::open() {
  if (descriptor_ >= 0) return;
  if (target_.kind == Kind::file) {
    part_ = std::make_unique<PartFile>(target_);
    descriptor_ = part_->descriptor();
  } else {
    descriptor_ = open_stream(target_);
    if (descriptor_ < 0) fail_by_errno("open", path_);
  }
}

void AtomicFile::write(std::string_view bytes) {
  open();
  if (!write_all(descriptor_, bytes)) fail_by_errno("write", path_);
}

void AtomicFile::sync() {
  open();
  if (part_ != nullptr) part_->sync();
}

void AtomicFile::commit() {
  open();
  const int descriptor = std::exchange(descriptor_, -1);
  if (part_ != nullptr) {
    part_->become_target();
    part_.reset();
  } else if (::close(descriptor) != 0 && errno != EINTR) {
    fail_by_errno("write", path_);
  }
}

}  // namespace softwood
