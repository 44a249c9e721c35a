#pragma once

#include <cstddef>

namespace softwood::loss {

/// Counts the steps (limits.h) of all that this thread compiles while it lives.
class StepMeter {
 public:
  StepMeter() : before_(total_) {}

  std::size_t steps() const { return total_ - before_; }
  /// For Graph.
  static void count(std::size_t steps) { total_ += steps; }

 private:
  static thread_local std::size_t total_;
  const std::size_t before_;
};

}  // namespace softwood::loss
