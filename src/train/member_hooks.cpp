#include "train/member_hooks.h"

#include <algorithm>
#include <numeric>

namespace softwood {

MemberHooks::MemberHooks(const Hooks& user, std::size_t num_members)
    : user_(user), fractions_(num_members, 0.0) {}

bool MemberHooks::stopped() {
  const std::lock_guard lock(mutex_);
  return stopped_;
}

bool MemberHooks::asked_to_stop() {
  const std::lock_guard lock(mutex_);
  if (!stopped_ && user_.should_stop) stopped_ = user_.should_stop();
  return stopped_;
}

Progress MemberHooks::of_all(std::size_t member, Progress progress) {
  fractions_[member] = progress.fraction;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  progress.member = static_cast<int>(member) + 1;
  progress.members = static_cast<int>(fractions_.size());
  progress.fraction = std::accumulate(fractions_.begin(), fractions_.end(), 0.0) /
                      static_cast<double>(fractions_.size());
  progress.seconds = passed.count();
  progress.seconds_left =
      progress.seconds * (1 - progress.fraction) / std::max(progress.fraction, 1e-9);
  return progress;
}

Hooks MemberHooks::of(std::size_t member) {
  Hooks hooks;
  hooks.should_stop = [this] { return asked_to_stop(); };
  // Without a hook of the user's there is still another member's stop to hear of.
  hooks.on_progress = [this, member](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    const Progress all = of_all(member, progress);
    if (!stopped_ && user_.should_stop) stopped_ = user_.should_stop();
    if (!stopped_ && user_.on_progress) stopped_ = !user_.on_progress(all);
    return !stopped_;
  };
  hooks.on_epoch = [this, member](const Progress& progress, const EpochResult& result) {
    const std::lock_guard lock(mutex_);
    const Progress all = of_all(member, progress);
    EpochResult own = result;
    own.member = all.member;
    if (!stopped_ && user_.on_epoch) stopped_ = !user_.on_epoch(all, own);
    return !stopped_;
  };
  return hooks;
}

}  // namespace softwood
