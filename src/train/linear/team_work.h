#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

#include "base/thread_team.h"

namespace softwood {

/// Work of a team that its caller may break off: the caller's thread asks `stop_check`, which
/// throws to end it, and the others leave their items unfinished.
class TeamWork {
 public:
  /// Both borrowed; `stop_check` may be empty.
  TeamWork(ThreadTeam& team, const std::function<void()>& stop_check)
      : team_(team), stop_check_(stop_check), caller_(std::this_thread::get_id()) {}

  /// To be called all along inside items, by any thread.
  void checkpoint() {
    if (is_stopped_) throw LeftUnfinished{};
    if (!stop_check_ || std::this_thread::get_id() != caller_) return;
    try {
      stop_check_();
    } catch (...) {
      reason_ = std::current_exception();
      is_stopped_ = true;
      throw LeftUnfinished{};
    }
  }

  /// ThreadTeam::for_each(); throws what `stop_check` threw.
  void for_each(std::size_t count, const std::function<void(std::size_t item)>& work) {
    try {
      team_.for_each(count, work);
    } catch (const LeftUnfinished&) {
      std::rethrow_exception(reason_);
    }
  }

 private:
  struct LeftUnfinished {};

  ThreadTeam& team_;
  const std::function<void()>& stop_check_;
  std::thread::id caller_;
  std::atomic<bool> is_stopped_{false};
  std::exception_ptr reason_;
};

}  // namespace softwood
