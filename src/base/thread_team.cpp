#include "base/thread_team.h"

#include <algorithm>
#include <cassert>
#include <system_error>

#include <fmt/format.h>

#include "base/available_threads.h"
#include "softwood/error.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace softwood {
namespace {

/// About 20 µs: longer than the pause between two steps of training, short enough to waste nothing.
constexpr int kSpins = 400;
/// More never help, and a mistyped number should not stop the machine.
constexpr int kMostThreads = 1024;

void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

/// Waits until `flag` differs from `old`: spins a little, then sleeps.
template <class T>
void wait_while_equal(std::atomic<T>& flag, T old) {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (flag.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  flag.wait(old, std::memory_order_acquire);
}

}  // namespace

int ThreadTeam::resolve(int num_threads) {
  if (num_threads < 0)
    throw Error(fmt::format("threads is {}, but must be at least 0.", num_threads));
  return num_threads == 0 ? available_threads() : std::min(num_threads, kMostThreads);
}

ThreadTeam::ThreadTeam(int num_threads) {
  const int wanted = resolve(num_threads);
  workers_.reserve(static_cast<std::size_t>(wanted - 1));
  try {
    while (size() < wanted) workers_.emplace_back([this] { work_until_stopped(); });
  } catch (const std::system_error&) {
    // The system allows no more of them: those that are there do all the work.
  }
}

ThreadTeam::~ThreadTeam() {
  stopping_.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

bool ThreadTeam::take(bool from_front, std::size_t& item) {
  std::uint64_t seen = untaken_.load(std::memory_order_acquire);
  while (true) {
    const std::uint64_t first = seen >> 32, last = seen & 0xffffffff;
    if (first >= last) return false;
    item = from_front ? first : last - 1;
    const std::uint64_t left = from_front ? (first + 1) << 32 | last : first << 32 | (last - 1);
    if (untaken_.compare_exchange_weak(seen, left, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      return true;
    }
  }
}

void ThreadTeam::do_item(std::size_t item) {
  try {
    (*work_)(item);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_ || item < failed_item_) {
      failure_ = std::current_exception();
      failed_item_ = item;
    }
  }
  if (undone_.fetch_sub(1, std::memory_order_acq_rel) == 1) undone_.notify_one();
}

void ThreadTeam::work_until_stopped() {
  while (true) {
    // Read before looking for items: what comes after that look changes it.
    const std::uint32_t generation = generation_.load(std::memory_order_acquire);
    if (stopping_.load(std::memory_order_relaxed)) return;
    for (std::size_t item = 0; take(/*from_front=*/false, item);) do_item(item);
    wait_while_equal(generation_, generation);
  }
}

void ThreadTeam::for_each(std::size_t count, const std::function<void(std::size_t)>& work) {
  assert(count < (std::uint64_t{1} << 32));
  if (workers_.empty()) {
    for (std::size_t item = 0; item < count; ++item) work(item);
    return;
  }
  work_ = &work;
  failure_ = nullptr;
  undone_.store(count, std::memory_order_relaxed);
  untaken_.store(count, std::memory_order_release);
  if (count > 1) {
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }
  for (std::size_t item = 0; take(/*from_front=*/true, item);) do_item(item);
  for (std::size_t left = undone_.load(std::memory_order_acquire); left != 0;
       left = undone_.load(std::memory_order_acquire)) {
    wait_while_equal(undone_, left);
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace softwood
