#include "base/atomic_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "softwood/error.h"

namespace softwood {
namespace {

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() { std::filesystem::create_directories(folder_); }
  ~AtomicFileTest() override { std::filesystem::remove_all(folder_); }

  std::string content() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files_in_folder() const {
    return std::distance(std::filesystem::directory_iterator(folder_), {});
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string path_ = (folder_ / "out.txt").string();
};

TEST_F(AtomicFileTest, committed_bytes_are_in_the_file) {
  AtomicFile file(path_);
  file.write("one ");
  file.write("two");
  file.commit();
  EXPECT_EQ(content(), "one two");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, without_commit_the_old_file_stays) {
  std::ofstream(path_) << "old";
  {
    AtomicFile file(path_);
    file.write("new");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, a_missing_folder_is_an_error_that_names_the_file) {
  try {
    AtomicFile file((folder_ / "nowhere" / "out.txt").string());
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nowhere/out.txt"), std::string::npos);
  }
}

TEST_F(AtomicFileTest, a_full_disk_is_an_error) {
  AtomicFile file("/dev/full");
  EXPECT_THROW(
      {
        file.write("x");
        file.commit();
      },
      Error);
}

}  // namespace
}  // namespace softwood
