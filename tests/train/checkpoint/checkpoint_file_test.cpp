#include "train/checkpoint/checkpoint_file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "softwood/error.h"

namespace softwood {
namespace {

namespace fs = std::filesystem;

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile() { fs::create_directory(folder_); }
  ~CheckpointFile() override { fs::remove_all(folder_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  void write(int epoch) const {
    write_checkpoint(path_, {.about = {{"epoch", epoch}}, .state = std::string(60, 's')});
  }

  // Of its own: tests run side by side.
  const fs::path folder_ = testing::TempDir() + "checkpoint_file_test_" + std::to_string(getpid());
  const std::string path_ = folder_ / "point";
};

TEST_F(CheckpointFile, gives_back_what_was_written_and_keeps_the_one_before) {
  write(1);
  write(2);
  EXPECT_EQ(read_checkpoint(path_).about.at("epoch"), 2);
  EXPECT_EQ(read_checkpoint(path_).state, std::string(60, 's'));
  EXPECT_EQ(read_checkpoint(path_before(path_)).about.at("epoch"), 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
}

TEST_F(CheckpointFile, every_bit_flip_and_every_truncation_is_refused) {
  write(1);
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    put(whole.substr(0, at));
    EXPECT_THROW(read_checkpoint(path_), Error) << "cut to " << at;
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = whole;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      put(flipped);
      EXPECT_THROW(read_checkpoint(path_), Error) << "bit " << bit << " of byte " << at;
    }
  }
  put(whole + "x");
  EXPECT_THROW(read_checkpoint(path_), Error);
}

TEST_F(CheckpointFile, a_folder_or_nothing_at_all_is_named) {
  EXPECT_THROW(read_checkpoint(folder_), Error);
  try {
    read_checkpoint(folder_ / "none");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("none"));
  }
}

}  // namespace
}  // namespace softwood
