#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "softwood/train.h"

namespace softwood {

/// Hooks for members that train at the same time: the user's are called by one thread at a time and
/// told the progress of all. Once one says stop, all stop.
class MemberHooks {
 public:
  MemberHooks(const Hooks& user, std::size_t num_members);

  Hooks of(std::size_t member);
  /// A hook has said stop.
  bool stopped();

 private:
  bool asked_to_stop();
  Progress of_all(std::size_t member, Progress progress);

  const Hooks& user_;
  std::mutex mutex_;
  std::vector<double> fractions_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool stopped_ = false;
};

}  // namespace softwood
