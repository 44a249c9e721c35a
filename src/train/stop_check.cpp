#include "train/stop_check.h"

#include <chrono>

#include "softwood/error.h"

namespace softwood {

std::function<void()> make_stop_check(const Hooks& hooks) {
  if (!hooks.should_stop) return {};
  using Clock = std::chrono::steady_clock;
  return [&hooks, next = Clock::time_point()]() mutable {
    if (Clock::now() < next) return;
    if (hooks.should_stop()) throw Stopped();
    next = Clock::now() + std::chrono::milliseconds(50);
  };
}

}  // namespace softwood
