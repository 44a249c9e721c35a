#include "base/thread_team.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace softwood {
namespace {

/// About 20 µs: longer than the pause between two steps of training, short enough to waste nothing.
constexpr int kSpins = 400;

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
  if (num_threads > 0) return num_threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadTeam::ThreadTeam(int num_threads) {
  const int total = resolve(num_threads);
  failures_.resize(total);
  for (int member = 1; member < total; ++member) {
    workers_.emplace_back([this, member] { work_until_stopped(member); });
  }
}

ThreadTeam::~ThreadTeam() {
  stopping_.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::do_piece(int member) {
  try {
    (*work_)(member);
  } catch (...) {
    failures_[member] = std::current_exception();
  }
}

void ThreadTeam::work_until_stopped(int member) {
  std::uint32_t seen = 0;
  while (true) {
    wait_while_equal(generation_, seen);
    ++seen;
    if (stopping_.load(std::memory_order_relaxed)) return;
    do_piece(member);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

void ThreadTeam::run(const std::function<void(int)>& work) {
  work_ = &work;
  std::fill(failures_.begin(), failures_.end(), nullptr);
  unfinished_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  if (!workers_.empty()) {
    generation_.fetch_add(1, std::memory_order_release);
    generation_.notify_all();
  }
  do_piece(0);
  for (int left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire)) {
    wait_while_equal(unfinished_, left);
  }
  for (const std::exception_ptr& failure : failures_) {
    if (failure) std::rethrow_exception(failure);
  }
}

void ThreadTeam::for_each(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  run([&](int) {
    for (std::size_t item = next.fetch_add(1); item < count; item = next.fetch_add(1)) work(item);
  });
}

std::pair<std::size_t, std::size_t> share_of(std::size_t count, int part, int num_parts) {
  return {count * part / num_parts, count * (part + 1) / num_parts};
}

}  // namespace softwood
