#include "data/file/text_limit.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "data/file/file_bytes.h"
#include "data/gzipped.h"
#include "data/reading.h"

namespace softwood {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class LimitedText : public testing::Test {
 protected:
  ~LimitedText() override { std::filesystem::remove(path_); }

  /// The size of the text that is read, by each way of reading a file.
  std::vector<std::size_t> sizes(const std::string& bytes, std::size_t most) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    std::vector<std::size_t> sizes = {FileBytes(path_, 1, most).text().size(),
                                      FileBytes(bytes, path_, most).text().size()};
    for (const std::size_t fewest_in_file : {std::size_t{1}, bytes.size(), std::size_t{1} << 30})
      sizes.push_back(FileBytes::open(path_, fewest_in_file, 1, most)->text().size());
    return sizes;
  }
  /// The error of each way.
  std::vector<std::string> errors(const std::string& bytes, std::size_t most) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    return {error_of([&] { FileBytes(path_, 1, most); }),
            error_of([&] { FileBytes(bytes, path_, most); }),
            error_of([&] { FileBytes::open(path_, 1, 1, most); }),
            error_of([&] { FileBytes::open(path_, std::size_t{1} << 30, 1, most); })};
  }

  // Of its own: tests run side by side.
  std::string path_ = fmt::format("{}limited_text_{}", testing::TempDir(), getpid());
  const std::string text_ = fmt::format("{}\n", std::string(300'000, '1'));
};

TEST_F(LimitedText, packed_text_up_to_the_limit_is_read_and_more_is_refused) {
  for (const std::size_t size : sizes(gzipped(text_), text_.size())) EXPECT_EQ(size, text_.size());
  for (const std::string& error : errors(gzipped(text_), text_.size() - 1)) {
    EXPECT_THAT(error, AllOf(HasSubstr(path_), HasSubstr("0.0003 GB"), HasSubstr("pipe"),
                             HasSubstr("--most-gigabytes"), HasSubstr("most_gigabytes=")));
  }
}

TEST_F(LimitedText, a_plain_file_has_no_limit) {
  for (const std::size_t size : sizes(text_, 10)) EXPECT_EQ(size, text_.size());
}

TEST_F(LimitedText, of_packed_bytes_that_are_no_text_little_is_unpacked) {
  const std::string piece = gzipped(std::string(1 << 20, '\0'));
  std::string packed;
  for (int megabyte = 0; megabyte < 200; ++megabyte) packed += piece;
  for (const std::size_t size : sizes(packed, std::size_t{1} << 30)) {
    EXPECT_GE(size, std::size_t{16} << 20);
    EXPECT_LE(size, std::size_t{64} << 20);
  }
}

}  // namespace
}  // namespace softwood
