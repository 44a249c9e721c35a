#include "base/thread_team.h"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>

#include "softwood/error.h"

namespace softwood {
namespace {

TEST(ThreadTeam, every_item_is_done_once_in_every_run) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadTeam team(threads);
    std::vector<int> calls(7, 0);
    for (int run = 0; run < 2000; ++run) {
      team.for_each(calls.size(), [&](std::size_t item) { ++calls[item]; });
    }
    EXPECT_EQ(calls, std::vector<int>(7, 2000)) << threads;
  }
}

TEST(ThreadTeam, no_items_is_no_work) {
  ThreadTeam team(3);
  team.for_each(0, [](std::size_t) { FAIL(); });
}

TEST(ThreadTeam, what_one_run_wrote_the_next_one_sees) {
  ThreadTeam team(4);
  std::vector<std::size_t> values(50, 0);
  for (std::size_t run = 1; run <= 500; ++run) {
    // Each item reads what another item, likely of another thread, wrote in the run before.
    std::vector<std::size_t> next(values.size());
    team.for_each(values.size(),
                  [&](std::size_t item) { next[item] = values[(item + 17) % values.size()] + 1; });
    values = next;
  }
  EXPECT_EQ(values, std::vector<std::size_t>(50, 500));
}

TEST(ThreadTeam, the_lowest_items_exception_is_thrown_and_the_team_lives_on) {
  ThreadTeam team(3);
  for (int run = 0; run < 100; ++run) {
    try {
      team.for_each(9, [](std::size_t item) {
        if (item > 3) throw std::runtime_error("item " + std::to_string(item));
      });
      FAIL() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "item 4");
    }
  }
  int done = 0;
  team.for_each(1, [&](std::size_t) { ++done; });
  EXPECT_EQ(done, 1);
}

TEST(ThreadTeam, a_team_of_one_does_the_items_in_order_until_one_throws) {
  ThreadTeam team(1);
  std::vector<std::size_t> done;
  const auto work = [&](std::size_t item) {
    if (item == 3) throw std::runtime_error("three");
    done.push_back(item);
  };
  EXPECT_THROW(team.for_each(9, work), std::runtime_error);
  EXPECT_EQ(done, (std::vector<std::size_t>{0, 1, 2}));
  team.for_each(3, work);
  EXPECT_EQ(done.size(), 6U);
}

TEST(ThreadTeam, a_negative_number_is_a_mistake) {
  EXPECT_THROW(ThreadTeam::resolve(-1), Error);
  EXPECT_THROW(ThreadTeam(-1), Error);
}

TEST(ThreadTeam, absurd_numbers_are_cut) {
  EXPECT_EQ(ThreadTeam::resolve(7), 7);
  EXPECT_EQ(ThreadTeam::resolve(1000000), 1024);
}

#ifdef __GLIBC__
TEST(ThreadTeam, works_with_as_many_threads_as_the_system_allows) {
  pthread_attr_t kept, vast;
  ASSERT_EQ(pthread_getattr_default_np(&kept), 0);
  ASSERT_EQ(pthread_attr_init(&vast), 0);
  // A stack of half the address space: there is room for one thread, or none.
  ASSERT_EQ(pthread_attr_setstacksize(&vast, std::size_t{1} << 46), 0);
  ASSERT_EQ(pthread_setattr_default_np(&vast), 0);
  {
    ThreadTeam team(8);
    pthread_setattr_default_np(&kept);
    EXPECT_LT(team.size(), 8);
    std::vector<int> calls(20, 0);
    team.for_each(calls.size(), [&](std::size_t item) { ++calls[item]; });
    EXPECT_EQ(calls, std::vector<int>(20, 1));
  }
  pthread_attr_destroy(&vast);
  pthread_attr_destroy(&kept);
}
#endif

}  // namespace
}  // namespace softwood
