#include "data/file/mapped_file.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

namespace softwood {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

class MappedFileTest : public testing::Test {
 protected:
  MappedFileTest() {
    std::ofstream(path_, std::ios::binary) << std::string(4 * kMegabyte + 77, 'x');
  }
  ~MappedFileTest() override { std::remove(path_.c_str()); }

  const std::string path_ = testing::TempDir() + "mapped_" + std::to_string(::getpid());
};

TEST_F(MappedFileTest, what_is_cut_off_reads_as_line_feeds) {
  const auto file = MappedFile::open(path_, 0);
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(std::ranges::count(file->bytes(), 'x'), 4 * kMegabyte + 77);
  std::filesystem::resize_file(path_, 10000);
  EXPECT_TRUE(file->is_cut());
  EXPECT_EQ(file->bytes().back(), '\n');
  const std::string_view kept = file->bytes().substr(0, 10000);
  EXPECT_EQ(std::ranges::count(kept, 'x'), 10000);
  const std::string_view gone = file->bytes().substr(3 * 4096);
  EXPECT_EQ(std::ranges::count(gone, '\n'), gone.size());
}

TEST_F(MappedFileTest, many_files_may_be_mapped_and_cut_after_each_other) {
  for (int round = 0; round < 40; ++round) {
    std::ofstream(path_, std::ios::binary) << std::string(kMegabyte, 'x');
    const auto file = MappedFile::open(path_, 0);
    std::filesystem::resize_file(path_, 0);
    ASSERT_EQ(file->bytes().front(), '\n');
  }
}

TEST_F(MappedFileTest, a_signal_that_is_not_of_a_cut_file_ends_the_process) {
  const auto file = MappedFile::open(path_, 0);
  EXPECT_EXIT(::raise(SIGBUS), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace softwood
