#include "base/thread_team.h"

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

namespace softwood {
namespace {

TEST(ThreadTeam, every_member_works_once_per_run) {
  ThreadTeam team(3);
  std::vector<int> calls(3, 0);
  for (int run = 0; run < 1000; ++run) team.run([&](int member) { ++calls[member]; });
  EXPECT_EQ(calls, (std::vector<int>{1000, 1000, 1000}));
}

TEST(ThreadTeam, for_each_does_every_item_once) {
  ThreadTeam team(4);
  std::vector<int> calls(1001, 0);
  team.for_each(calls.size(), [&](std::size_t item) { ++calls[item]; });
  EXPECT_EQ(calls, std::vector<int>(1001, 1));
}

TEST(ThreadTeam, the_lowest_members_exception_is_thrown_and_the_team_lives_on) {
  ThreadTeam team(3);
  try {
    team.run([](int member) {
      if (member > 0) throw std::runtime_error("member " + std::to_string(member));
    });
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "member 1");
  }
  int sum = 0;
  team.run([&](int member) {
    if (member == 0) sum = 5;
  });
  EXPECT_EQ(sum, 5);
}

TEST(ThreadTeam, shares_cover_everything_once) {
  for (const std::size_t count : {0u, 1u, 2u, 7u, 100u}) {
    std::size_t next = 0;
    for (int part = 0; part < 3; ++part) {
      const auto [begin, end] = share_of(count, part, 3);
      EXPECT_EQ(begin, next);
      next = end;
    }
    EXPECT_EQ(next, count);
  }
}

}  // namespace
}  // namespace softwood
