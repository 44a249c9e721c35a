#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace softwood {

/// A few threads that do short pieces of work together, thousands of times a second. Whoever is
/// free takes the next item, and nobody waits for a thread that has taken none: on a busy machine,
/// where a thread may be off its core for milliseconds, the others just do its share. Not
/// re-entrant.
class ThreadTeam {
 public:
  /// `num_threads` includes the caller; see resolve(). If the system allows fewer, there are fewer.
  explicit ThreadTeam(int num_threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// `num_threads`, at most 1,024; available_threads() for 0. Throws Error if it is negative.
  static int resolve(int num_threads);

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls work(item) once for every item in [0, count) and returns when all are done. The caller
  /// takes items from the front, others from the back, so in repeated runs an item tends to stay on
  /// its core. If some throw, the exception of the lowest item is thrown on, and items above it may
  /// be left undone.
  void for_each(std::size_t count, const std::function<void(std::size_t item)>& work);

 private:
  void work_until_stopped();
  bool take(bool from_front, std::size_t& item);
  void do_item(std::size_t item);

  const std::function<void(std::size_t)>* work_ =
      nullptr;                             // valid while an item is untaken or undone
  std::atomic<std::uint64_t> untaken_{0};  // [first, last): first << 32 | last
  std::atomic<std::size_t> undone_{0};
  std::atomic<std::uint32_t> generation_{0};  // counts the calls, for those who sleep
  std::atomic<bool> stopping_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::size_t failed_item_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace softwood
