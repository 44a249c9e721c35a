#include "data/file/file_bytes.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "data/gzipped.h"
#include "data/reading.h"

namespace softwood {
namespace {

std::string content_of(const std::string& bytes) {
  return std::string(FileBytes(bytes, "test.csv").text());
}

std::string long_text() {
  std::string text;
  for (long line = 0; line < 50000; ++line) text += std::to_string(line * line) + "\n";
  return text;
}

TEST(FileBytes, text_comes_as_it_is_and_ends_with_a_line_end) {
  EXPECT_EQ(content_of("a,b\n1,2\n"), "a,b\n1,2\n");
  EXPECT_EQ(content_of("a,b\n1,2"), "a,b\n1,2\n");
}

TEST(FileBytes, a_byte_order_mark_is_taken_off) {
  EXPECT_EQ(content_of("\xEF\xBB\xBF"
                       "a\n"),
            "a\n");
}

TEST(FileBytes, lone_carriage_returns_of_old_files_are_line_ends) {
  EXPECT_EQ(content_of("a\r1\r2"), "a\n1\n2\n");
  EXPECT_EQ(content_of("a\r\n1"), "a\r\n1\n");
}

TEST(FileBytes, utf16_says_what_to_do) {
  const std::string message = error_of([] {
    content_of(
        "\xFF\xFE"
        "a");
  });
  EXPECT_THAT(message, testing::HasSubstr("Convert it to UTF-8"));
}

TEST(FileBytes, nothing_is_an_error) {
  EXPECT_THAT(error_of([] { content_of(""); }), testing::HasSubstr("'test.csv' is empty"));
  EXPECT_THAT(error_of([] { content_of("\xEF\xBB\xBF"); }), testing::HasSubstr("is empty"));
  EXPECT_THAT(error_of([] { content_of(gzipped("")); }), testing::HasSubstr("is empty"));
}

TEST(FileBytes, gzip_is_unpacked_by_its_content) {
  EXPECT_EQ(content_of(gzipped("a,b\n1,2\n")), "a,b\n1,2\n");
  EXPECT_EQ(content_of(gzipped(long_text())), long_text());
}

TEST(FileBytes, gzip_files_pasted_together_are_one_text) {
  EXPECT_EQ(content_of(gzipped("a\n") + gzipped("b\n")), "a\nb\n");
  EXPECT_EQ(content_of(gzipped("a\n") + std::string(5, '\0')), "a\n");
}

TEST(FileBytes, gzip_that_is_cut_anywhere_is_an_error) {
  const std::string packed = gzipped(long_text());
  for (std::size_t size = 2; size < packed.size(); size += packed.size() / 50 + 1) {
    EXPECT_THAT(error_of([&] { content_of(packed.substr(0, size)); }),
                testing::HasSubstr("'test.csv' is gzip, but it ends too early"));
  }
}

TEST(FileBytes, damaged_gzip_is_an_error) {
  std::string packed = gzipped(long_text());
  packed[packed.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(error_of([&] { content_of(packed); }), testing::HasSubstr("is damaged"));
  EXPECT_THAT(error_of([] { content_of(gzipped("a\n") + "rest"); }),
              testing::HasSubstr("other bytes follow"));
}

class FileOnDisk : public testing::Test {
 protected:
  ~FileOnDisk() override { std::filesystem::remove(path_); }
  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }

  std::string path_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(FileOnDisk, a_large_file_is_read_whole_by_any_number_of_threads) {
  std::string text;
  while (text.size() < (std::size_t{9} << 20)) text += long_text();
  write(text);
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(FileBytes(path_, threads).text() == text) << threads;
  }
}

TEST_F(FileOnDisk, a_missing_file_is_an_error_that_names_it) {
  EXPECT_THAT(error_of([&] { FileBytes file(path_); }),
              testing::AllOf(testing::HasSubstr(path_), testing::HasSubstr("No such file")));
}

TEST_F(FileOnDisk, a_folder_is_an_error) {
  EXPECT_THAT(error_of([] { FileBytes file(testing::TempDir()); }),
              testing::HasSubstr("cannot read"));
}

}  // namespace
}  // namespace softwood
