#include "data/file/cut_pages.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace softwood {
namespace {

struct Range {
  std::atomic<char*> begin = nullptr;  // nullptr: of nobody
  std::atomic<char*> end = nullptr;
};

// What the handler may look at: no lock, no allocation.
std::array<Range, 16> ranges;
std::size_t page_size = 0;
struct sigaction before {};

/// A cut file has no page from here on; as many at once as leave the mappings few.
constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

char* end_of_range(const char* address) {
  for (const Range& range : ranges) {
    const char* const begin = range.begin.load();
    char* const end = range.end.load();
    if (begin != nullptr && begin <= address && address < end) return end;
  }
  return nullptr;
}

/// Made elsewhere and moved, so that no other thread sees them half done.
bool put_line_feeds(char* page, std::size_t size) {
  void* const made =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return false;
  std::memset(made, '\n', size);
#ifdef __linux__
  return ::mremap(made, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, page) != MAP_FAILED;
#else
  ::munmap(made, size);
  void* const there =
      ::mmap(page, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (there == MAP_FAILED) return false;
  std::memset(there, '\n', size);
  return true;
#endif
}

bool is_mended(const siginfo_t& info) {
  if (info.si_code != BUS_ADRERR) return false;
  char* const address = static_cast<char*>(info.si_addr);
  const char* const end = end_of_range(address);
  if (end == nullptr) return false;
  char* const page = address - reinterpret_cast<std::uintptr_t>(address) % page_size;
  return put_line_feeds(page, std::min(kBlockBytes, static_cast<std::size_t>(end - page)));
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int reason = errno;
  const bool mended = is_mended(*info);
  errno = reason;
  if (mended) return;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  } else {
    std::signal(signal, SIG_DFL);
    ::raise(signal);  // when this handler has returned
  }
}

void install() {
  page_size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction ours {};
  ours.sa_sigaction = on_bus_error;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(SIGBUS, &ours, &before);
}

std::mutex taking;

}  // namespace

CutPagesGuard::CutPagesGuard(char* begin, std::size_t size) {
  static std::once_flag once;
  std::call_once(once, install);
  const std::lock_guard lock(taking);
  const auto* const free = std::ranges::find_if(
      ranges, [](const Range& range) { return range.begin.load() == nullptr; });
  place_ = static_cast<std::size_t>(free - ranges.begin());
  if (place_ == ranges.size()) return;
  ranges[place_].end = begin + (size + page_size - 1) / page_size * page_size;
  ranges[place_].begin = begin;
}

CutPagesGuard::~CutPagesGuard() {
  if (place_ < ranges.size()) ranges[place_].begin = nullptr;
}

}  // namespace softwood
