#include "train/member_hooks.h"

#include <gtest/gtest.h>

#include "softwood/error.h"
#include "train/stop_check.h"

namespace softwood {
namespace {

Progress at(double fraction) {
  Progress progress;
  progress.epoch = 4;
  progress.fraction = fraction;
  return progress;
}

TEST(MemberHooks, progress_is_that_of_all_members) {
  Progress told;
  Hooks user;
  user.on_progress = [&](const Progress& progress) {
    told = progress;
    return true;
  };
  MemberHooks shared(user, 4);
  EXPECT_TRUE(shared.of(1).on_progress(at(0.5)));
  EXPECT_EQ(told.member, 2);
  EXPECT_EQ(told.members, 4);
  EXPECT_EQ(told.epoch, 4);
  EXPECT_DOUBLE_EQ(told.fraction, 0.125);
  shared.of(3).on_progress(at(1));
  EXPECT_EQ(told.member, 4);
  EXPECT_DOUBLE_EQ(told.fraction, 0.375);
  EXPECT_GE(told.seconds_left, 0);
}

TEST(MemberHooks, epochs_know_their_member) {
  int member = 0;
  Hooks user;
  user.on_epoch = [&](const Progress& progress, const EpochResult& result) {
    EXPECT_EQ(progress.member, result.member);
    member = result.member;
    return true;
  };
  MemberHooks shared(user, 3);
  for (std::size_t index = 0; index < 3; ++index) {
    EXPECT_TRUE(shared.of(index).on_epoch(at(0.1), {}));
    EXPECT_EQ(member, static_cast<int>(index) + 1);
  }
}

TEST(MemberHooks, one_stop_stops_all) {
  int asked = 0;
  Hooks user;
  user.on_progress = [&](const Progress&) {
    ++asked;
    return false;
  };
  user.on_epoch = [](const Progress&, const EpochResult&) { return true; };
  MemberHooks shared(user, 2);
  EXPECT_TRUE(shared.of(1).on_epoch(at(0.1), {}));
  EXPECT_FALSE(shared.stopped());
  EXPECT_FALSE(shared.of(0).on_progress(at(0.1)));
  EXPECT_TRUE(shared.stopped());
  EXPECT_FALSE(shared.of(1).on_epoch(at(0.2), {}));
  EXPECT_FALSE(shared.of(1).on_progress(at(0.2)));
  EXPECT_EQ(asked, 1);  // who has said stop is not asked again
}

TEST(MemberHooks, an_epochs_stop_stops_all_too) {
  Hooks user;
  user.on_epoch = [](const Progress&, const EpochResult&) { return false; };
  MemberHooks shared(user, 2);
  EXPECT_FALSE(shared.of(0).on_epoch(at(0.1), {}));
  EXPECT_FALSE(shared.of(1).on_progress(at(0.1)));
}

TEST(MemberHooks, without_hooks_of_the_users_training_goes_on) {
  const Hooks user;
  MemberHooks shared(user, 2);
  EXPECT_TRUE(shared.of(0).on_progress(at(0.1)));
  EXPECT_TRUE(shared.of(1).on_epoch(at(0.1), {}));
  EXPECT_FALSE(shared.stopped());
}

TEST(MemberHooks, whoever_asks_hears_of_a_stop) {
  bool stop = false;
  Hooks user;
  user.should_stop = [&] { return stop; };
  MemberHooks shared(user, 2);
  EXPECT_FALSE(shared.of(0).should_stop());
  EXPECT_TRUE(shared.of(0).on_progress(at(0.1)));
  stop = true;
  EXPECT_TRUE(shared.of(1).should_stop());
  stop = false;
  EXPECT_TRUE(shared.of(0).should_stop());
  EXPECT_FALSE(shared.of(0).on_progress(at(0.2)));
}

TEST(StopCheck, throws_once_the_hook_says_stop) {
  bool stop = false;
  Hooks hooks;
  EXPECT_FALSE(make_stop_check(hooks));
  hooks.should_stop = [&] { return stop; };
  EXPECT_NO_THROW(make_stop_check(hooks)());
  stop = true;
  EXPECT_THROW(make_stop_check(hooks)(), Stopped);
}

}  // namespace
}  // namespace softwood
