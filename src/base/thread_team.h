#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

namespace softwood {

/// A few threads that do short pieces of work together, thousands of times a second: the caller is
/// member 0, the others spin briefly between two pieces and then sleep. Not re-entrant.
class ThreadTeam {
 public:
  /// `num_threads` ≥ 1; 0 means as many as the machine has.
  explicit ThreadTeam(int num_threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// `num_threads`, or as many as the machine has for 0.
  static int resolve(int num_threads);

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls work(member) once on each of the size() threads and returns when all are done.
  /// If some throw, the exception of the lowest member is thrown on.
  void run(const std::function<void(int member)>& work);

  /// Calls work(item) for every item in [0, count), dealt to the members in turn as they get free.
  /// Only for work whose result does not depend on which member does it.
  void for_each(std::size_t count, const std::function<void(std::size_t item)>& work);

 private:
  void work_until_stopped(int member);
  void do_piece(int member);

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<std::uint32_t> generation_{0};
  std::atomic<int> unfinished_{0};
  std::atomic<bool> stopping_{false};
  std::vector<std::exception_ptr> failures_;
  std::vector<std::thread> workers_;
};

/// The contiguous share of [0, count) of one of `num_parts` parts; parts differ by at most one.
std::pair<std::size_t, std::size_t> share_of(std::size_t count, int part, int num_parts);

}  // namespace softwood
