#include "data/file/spool.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "data/file/file_bytes.h"
#include "data/gzipped.h"
#include "data/reading.h"

namespace softwood {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A folder of its own for temporary files, and a pipe into which the test writes.
class Spooled : public testing::Test {
 protected:
  Spooled() {
    std::filesystem::create_directories(folder_);
    ::setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~Spooled() override {
    if (writer_.joinable()) writer_.join();
    ::unsetenv("TMPDIR");
    std::filesystem::remove_all(folder_);
    std::filesystem::remove(pipe_);
    std::filesystem::remove(file_);
  }

  /// The path of a pipe through which the bytes come, once, in pieces.
  std::string piped(const std::string& bytes, std::size_t piece = 4093) {
    if (writer_.joinable()) writer_.join();
    std::filesystem::remove(pipe_);
    EXPECT_EQ(::mkfifo(pipe_.c_str(), 0600), 0);
    writer_ = std::thread([this, bytes, piece] {
      std::ofstream out(pipe_, std::ios::binary);
      for (std::size_t at = 0; at < bytes.size(); at += piece) {
        out << std::string_view(bytes).substr(at, piece) << std::flush;
      }
    });
    return pipe_;
  }
  std::string written(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    return file_;
  }
  bool nothing_is_left() const { return std::filesystem::is_empty(folder_); }

  std::string name_ = testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string folder_ = testing::TempDir() + name_ + ".folder";
  std::string pipe_ = testing::TempDir() + name_ + ".pipe";
  std::string file_ = testing::TempDir() + name_ + ".csv";
  std::thread writer_;
};

std::string many_lines(int num_lines = 20000) {
  std::string text = "a,b,c\n";
  for (int line = 0; line < num_lines; ++line) {
    text += std::to_string(line * 7919 % 10007) + "," + std::to_string(0.25 * line) +
            (line % 3 == 0 ? ",x\n" : ",\"y, z\"\n");
  }
  return text;
}

TEST_F(Spooled, a_long_stream_is_in_a_file_and_a_short_one_in_memory) {
  const std::string text = many_lines();
  const auto longer = FileBytes::open(piped(text), text.size());
  EXPECT_NE(longer->mapped(), nullptr);
  EXPECT_TRUE(longer->text() == text);
  EXPECT_EQ(longer->origin(), pipe_);
  const auto shorter = FileBytes::open(piped(text), text.size() + 1);
  EXPECT_EQ(shorter->mapped(), nullptr);
  EXPECT_TRUE(shorter->text() == text);
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(Spooled, gzip_is_unpacked_on_the_way_from_files_and_streams) {
  const std::string text = many_lines(), half = text.substr(0, text.size() / 2);
  const std::string packed = gzipped(half) + gzipped(text.substr(half.size())) + std::string(9, 0);
  for (const std::size_t piece : {1UL, 3UL, 4096UL, 1UL << 20}) {
    const auto stream = FileBytes::open(piped(packed, piece), 1000);
    EXPECT_NE(stream->mapped(), nullptr);
    EXPECT_TRUE(stream->text() == text) << piece;
  }
  for (const std::size_t fewest_bytes : {std::size_t{0}, std::size_t{100}, text.size()}) {
    const auto file = FileBytes::open(written(packed), fewest_bytes);
    EXPECT_NE(file->mapped(), nullptr);
    EXPECT_TRUE(file->text() == text) << fewest_bytes;
  }
  EXPECT_EQ(FileBytes::open(file_, text.size() + 1)->mapped(), nullptr);
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(Spooled, a_plain_file_is_not_copied) {
  ::setenv("TMPDIR", "/proc/self/nowhere", 1);
  const std::string text = many_lines(100);
  EXPECT_NE(FileBytes::open(written(text), 0)->mapped(), nullptr);
  EXPECT_EQ(FileBytes::open(file_, text.size() + 1)->mapped(), nullptr);
}

/// What an error says, but for the path in quotes.
template <class Read>
std::string text_or_error(const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    const std::string message = error.what();
    return "error: " + message.substr(message.rfind('\''));
  }
}

TEST_F(Spooled, odd_texts_are_as_they_are_in_memory) {
  const std::string mark = "\xEF\xBB\xBF";
  const std::vector<std::string> texts = {"a,b\n1,2",
                                          "a,b\r1,2\r3,4",
                                          mark + "a\n1\n",
                                          mark + "a\r1",
                                          "\n",
                                          "a",
                                          "a\r\n1\r\n2\n",
                                          gzipped("a\n1\n"),
                                          ""};
  for (const std::string& text : texts) {
    for (const std::string& bytes : {text, gzipped(text)}) {
      const std::string expected =
          text_or_error([&] { return std::string(FileBytes(written(bytes)).text()); });
      for (const std::size_t fewest_bytes : {0, 1, 3, 1000}) {
        const auto open = [&](const std::string& path) {
          return text_or_error(
              [&] { return std::string(FileBytes::open(path, fewest_bytes)->text()); });
        };
        EXPECT_EQ(open(file_), expected);
        EXPECT_EQ(open(piped(bytes)), expected);
      }
    }
  }
  EXPECT_THAT(error_of([&] {
                FileBytes::open(piped("\xFF\xFE"
                                      "a\n"),
                                1);
              }),
              HasSubstr("is UTF-16"));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(Spooled, damaged_gzip_is_the_same_error_as_in_memory) {
  const std::string packed = gzipped(many_lines());
  std::string damaged = packed;
  damaged[packed.size() - 6] ^= 1;
  std::string damaged_start = packed;
  damaged_start[2] = 0;
  for (const std::string& bytes :
       {damaged, damaged_start, packed + "rest", packed + "\x1F", packed + "\x1Fx",
        packed + std::string(3, 0) + packed, packed + packed.substr(0, 2),
        packed.substr(0, packed.size() - 1), packed.substr(0, 5000), packed.substr(0, 2)}) {
    written(bytes);
    const std::string expected = error_of([&] { FileBytes file(file_); });
    EXPECT_THAT(expected, HasSubstr("is gzip, but"));
    EXPECT_EQ(error_of([&] { FileBytes::open(file_, 1000); }), expected);
    EXPECT_EQ(error_of([&] { FileBytes::open(file_, 1 << 30); }), expected);
  }
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(Spooled, a_folder_or_nothing_is_an_error) {
  EXPECT_THAT(error_of([&] { FileBytes::open(folder_, 1); }), HasSubstr("Is a directory"));
  EXPECT_THAT(error_of([&] { FileBytes::open(folder_ + "/no", 1); }), HasSubstr("No such file"));
}

TEST_F(Spooled, no_room_is_an_error_that_says_what_to_do) {
  written(gzipped(many_lines(200000)));
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1 << 20, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of([&] { FileBytes::open(file_, 1000); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(error, AllOf(HasSubstr(file_), HasSubstr("'" + folder_ + "'"),
                           HasSubstr("set TMPDIR to another folder")));
  EXPECT_TRUE(nothing_is_left());
}

TEST_F(Spooled, tables_are_those_of_plain_files) {
  const std::string text = many_lines(800000);
  ASSERT_GT(text.size(), std::size_t{16} << 20);
  written(text);
  const Table plain = read_table(file_);
  ReadOptions options;
  options.defer_numbers = true;
  const auto expect_same = [&](const Table& table) {
    EXPECT_TRUE(table.column("a").values.is_deferred());
    for (const char* name : {"a", "b"}) {
      EXPECT_TRUE(table.column(name).values == plain.column(name).values) << name;
    }
    EXPECT_TRUE(table.column("c").codes == plain.column("c").codes);
    EXPECT_EQ(table.column("c").levels, plain.column("c").levels);
  };
  expect_same(read_table(piped(text, 1 << 16), options));
  expect_same(read_table(written(gzipped(text)), options));
  EXPECT_FALSE(read_table(file_).column("a").values.is_deferred());
  EXPECT_TRUE(nothing_is_left());
}

}  // namespace
}  // namespace softwood
