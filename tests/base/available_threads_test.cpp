#include "base/available_threads.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sched.h>

namespace softwood {
namespace {

/// A made-up /sys/fs/cgroup.
class Groups : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "groups_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = root_ + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  std::string root_;
};

TEST_F(Groups, a_quota_of_version_2_is_read) {
  write("box/cpu.max", "150000 100000\n");
  EXPECT_EQ(cpu_quota(root_, "0::/box\n"), 1.5);
}

TEST_F(Groups, the_least_quota_of_all_groups_around_counts) {
  write("cpu.max", "max 100000\n");
  write("box/cpu.max", "200000 100000\n");
  write("box/inner/cpu.max", "400000 100000\n");
  EXPECT_EQ(cpu_quota(root_, "0::/box/inner\n"), 2);
}

TEST_F(Groups, a_quota_of_version_1_is_read) {
  write("cpu,cpuacct/box/cpu.cfs_quota_us", "50000\n");
  write("cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(root_, "5:memory:/box\n4:cpu,cpuacct:/box\n"), 0.5);
}

TEST_F(Groups, without_a_quota_there_is_no_limit) {
  write("box/cpu.max", "max 100000\n");
  write("cpu/box/cpu.cfs_quota_us", "-1\n");
  write("cpu/box/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(cpu_quota(root_, "4:cpu:/box\n0::/box\n"));
  EXPECT_FALSE(cpu_quota(root_, ""));
  EXPECT_FALSE(cpu_quota(root_, "nonsense\n0::\n1:cpu:relative\n"));
}

TEST(AvailableThreads, follow_omp_num_threads) {
  const char* before = std::getenv("OMP_NUM_THREADS");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("OMP_NUM_THREADS");
  const int all = available_threads();
  EXPECT_GE(all, 1);
  for (const char* stated : {"1", "1,2", "0", "-3", "many", "1000000000000"}) {
    setenv("OMP_NUM_THREADS", stated, 1);
    EXPECT_EQ(available_threads(), stated[0] == '1' && stated[1] != '0' ? 1 : all) << stated;
  }
  unsetenv("OMP_NUM_THREADS");
  if (before != nullptr) setenv("OMP_NUM_THREADS", kept.c_str(), 1);
}

TEST(AvailableThreads, follow_the_processors_the_process_is_bound_to) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(available_threads(), 1);
  sched_setaffinity(0, sizeof all, &all);
}

}  // namespace
}  // namespace softwood
