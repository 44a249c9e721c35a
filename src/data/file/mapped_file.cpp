#include "data/file/mapped_file.h"

#include <algorithm>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace softwood {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

/// Zeros in front of which the file is laid: its last page and one more page remain of them.
char* map_with_zeros_behind(int descriptor, std::size_t size, std::size_t mapped) {
  void* zeros = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (zeros == MAP_FAILED) return nullptr;
  void* data = ::mmap(zeros, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE,
                      descriptor, 0);
  if (data != MAP_FAILED) return static_cast<char*>(data);
  ::munmap(zeros, mapped);
  return nullptr;
}

}  // namespace

MappedFile::State MappedFile::state_of(int descriptor) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return {};
#ifdef __APPLE__
  const timespec changed = info.st_mtimespec;
#else
  const timespec changed = info.st_mtim;
#endif
  return {.size = static_cast<std::size_t>(info.st_size),
          .seconds = changed.tv_sec,
          .nanoseconds = changed.tv_nsec,
          .is_regular = S_ISREG(info.st_mode)};
}

std::unique_ptr<MappedFile> MappedFile::open(const std::string& path, std::size_t fewest_bytes) {
  struct stat info {};
  // A pipe is not to be opened twice: what is written to it goes to one reader only.
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return nullptr;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return descriptor < 0 ? nullptr : take(descriptor, fewest_bytes);
}

std::unique_ptr<MappedFile> MappedFile::take(int descriptor, std::size_t fewest_bytes) {
  const State state = state_of(descriptor);
  char* data = nullptr;
  const std::size_t mapped = (state.size / page_size() + 2) * page_size();
  if (state.is_regular && state.size > 0 && state.size >= fewest_bytes) {
    data = map_with_zeros_behind(descriptor, state.size, mapped);
  }
  if (data == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  return std::unique_ptr<MappedFile>(new MappedFile(descriptor, state, data, mapped));
}

MappedFile::~MappedFile() {
  ::munmap(data_, mapped_);
  ::close(descriptor_);
}

void MappedFile::end_last_line() {
  data_[size_++] = '\n';
}

void MappedFile::let_go(const char* begin, const char* end) const {
  const std::size_t page = page_size();
  // The last page may hold a line end that is not in the file.
  const std::size_t last = (size_ - 1) / page * page;
  const std::size_t from = (static_cast<std::size_t>(begin - data_) + page - 1) / page * page;
  const std::size_t to = std::min(static_cast<std::size_t>(end - data_) / page * page, last);
  if (from < to) ::madvise(data_ + from, to - from, MADV_DONTNEED);
}

bool MappedFile::is_cut() const {
  return state_of(descriptor_).size < state_.size;
}

bool MappedFile::is_unchanged() const {
  return state_of(descriptor_) == state_;
}

}  // namespace softwood
