#include "base/part_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <random>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

namespace softwood {
namespace {

constexpr std::string_view kEnd = ".part";
constexpr int kMostTries = 100;

/// The start of all part files of a target: ".NAME.softwood-". A long name is cut, so that the rest
/// has room behind it.
std::string start_of_name(const OutputTarget& target) {
  constexpr std::size_t kRest = 48;  // dot, mark, two numbers, end
  std::string name = std::filesystem::path(target.path).filename().string();
  const long longest = ::pathconf(target.folder().c_str(), _PC_NAME_MAX);
  const std::size_t most = longest > static_cast<long>(kRest) ? longest - kRest : 64;
  if (name.size() > most) {
    std::size_t size = most;
    // Not amid a letter: some file systems want UTF-8.
    while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80) --size;
    name.resize(size);
  }
  return "." + name + ".softwood-";
}

std::string new_path(const OutputTarget& target) {
  std::random_device draw;
  return fmt::format("{}/{}{}-{:08x}{}", target.folder(), start_of_name(target), ::getpid(), draw(),
                     kEnd);
}

/// Under its lock: its owner either holds that, or finds out that the file is gone.
void remove_if_dead(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) ::unlink(path.c_str());
  ::close(descriptor);
}

void remove_dead_ones(const OutputTarget& target) {
  const std::string start = start_of_name(target);
  std::error_code failure;  // a folder that cannot be listed keeps them
  std::filesystem::directory_iterator entry(target.folder(), failure), end;
  for (; !failure && entry != end; entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(start) && name.ends_with(kEnd)) remove_if_dead(entry->path().string());
  }
}

/// A call that may be interrupted by a signal, until it is not.
template <class Call>
bool succeeds(Call call) {
  int status = -1;
  do {
    status = call();
  } while (status != 0 && errno == EINTR);
  return status == 0;
}

/// The system will not do it, here or for this user; anything else is a disk that fails.
bool is_refused() {
  return errno == EPERM || errno == EACCES || errno == EINVAL || errno == ENOTSUP ||
         errno == EOPNOTSUPP || errno == ENOSYS;
}

/// Makes the change of name itself durable.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

PartFile::PartFile(const OutputTarget& target) : target_(target) {
  remove_dead_ones(target_);
  create();
  try {
    if (target_.old_file) take_permissions();
  } catch (...) {
    remove();  // no destructor follows
    throw;
  }
}

void PartFile::create() {
  // What replaces a file that nobody else may read is never open to them either.
  const mode_t mode = target_.old_file ? 0600 : 0666;
  for (int tries = 0; tries < kMostTries; ++tries) {
    path_ = new_path(target_);
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ < 0 && (errno == EEXIST || errno == EINTR)) continue;
    if (descriptor_ < 0) break;
    // Without locks (some network drives) nobody removes it either.
    succeeds([&] { return ::flock(descriptor_, LOCK_EX); });
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0 || info.st_nlink > 0) return;
    // Another run took it for dead before it was locked.
    ::close(descriptor_);
    descriptor_ = -1;
  }
  path_.clear();
  fail_by_errno("create", target_.path);
}

void PartFile::take_permissions() const {
  const struct stat& old = *target_.old_file;
  mode_t mode = old.st_mode & 0777;
  // Giving a file away is for root; its group may be any that the user is in.
  if (!give_to(old.st_uid, old.st_gid) && !give_to(static_cast<uid_t>(-1), old.st_gid))
    mode = (mode & ~mode_t{0070}) | ((mode & 0007) << 3);  // another group is others
  // Where there are no modes it stays with its owner.
  if (!succeeds([&] { return ::fchmod(descriptor_, mode); }) && !is_refused())
    fail_by_errno("keep the permissions of", target_.path);
}

bool PartFile::give_to(uid_t owner, gid_t group) const {
  if (succeeds([&] { return ::fchown(descriptor_, owner, group); })) return true;
  if (!is_refused()) fail_by_errno("keep the owner of", target_.path);
  return false;
}

PartFile::~PartFile() {
  remove();
}

void PartFile::remove() const {
  if (!path_.empty()) ::unlink(path_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PartFile::sync() const {
  if (!succeeds([&] { return ::fsync(descriptor_); })) fail_by_errno("write", target_.path);
}

void PartFile::become_target() {
  sync();
  // Before it is closed, for then it would look dead.
  if (!succeeds([&] { return ::rename(path_.c_str(), target_.path.c_str()); }))
    fail_by_errno("replace", target_.path);
  path_.clear();
  sync_folder(target_.folder());
}

void check_room_for_part_file(const OutputTarget& target) {
#ifdef O_TMPFILE
  const int descriptor = ::open(target.folder().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    ::close(descriptor);
    return;
  }
#endif
  const std::string path = new_path(target);
  const int named = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (named < 0) fail_by_errno("create", target.path);
  ::unlink(path.c_str());
  ::close(named);
}

}  // namespace softwood
