#include "base/atomic_file.h"

#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "softwood/error.h"

namespace softwood {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() { fs::create_directories(folder_); }
  ~AtomicFileTest() override { fs::remove_all(folder_); }

  static std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string content() const { return content_of(path_); }
  std::size_t files_in_folder() const { return std::distance(fs::directory_iterator(folder_), {}); }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  static void save(const std::string& path, std::string_view text) {
    AtomicFile file(path);
    file.write(text);
    file.commit();
  }
  static std::string message_of(const std::string& path) {
    try {
      AtomicFile::check_writable(path);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
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

TEST_F(AtomicFileTest, a_commit_without_a_write_is_an_empty_file) {
  std::ofstream(path_) << "old";
  AtomicFile(path_).commit();
  EXPECT_TRUE(fs::exists(path_));
  EXPECT_EQ(content(), "");
}

TEST_F(AtomicFileTest, nothing_is_there_before_the_first_write) {
  AtomicFile file(path_);
  EXPECT_EQ(files_in_folder(), 0u);
  file.write("x");
  EXPECT_EQ(files_in_folder(), 1u);
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(AtomicFileTest, a_missing_folder_is_an_error_that_names_the_file) {
  EXPECT_NE(message_of(in_folder("nowhere/out.txt")).find("nowhere/out.txt"), std::string::npos);
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

TEST_F(AtomicFileTest, a_link_stays_and_its_target_is_replaced) {
  fs::create_directory(in_folder("deep"));
  std::ofstream(in_folder("deep/real")) << "old";
  fs::create_symlink("deep/real", in_folder("middle"));
  fs::create_symlink(in_folder("middle"), path_);
  save(path_, "new");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_TRUE(fs::is_symlink(in_folder("middle")));
  EXPECT_FALSE(fs::is_symlink(in_folder("deep/real")));
  EXPECT_EQ(content_of(in_folder("deep/real")), "new");
}

TEST_F(AtomicFileTest, the_target_of_a_dangling_link_is_made) {
  fs::create_symlink("later", path_);
  AtomicFile::check_writable(path_);
  EXPECT_FALSE(fs::exists(in_folder("later")));
  save(path_, "new");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(content_of(in_folder("later")), "new");
}

TEST_F(AtomicFileTest, links_in_a_circle_are_an_error) {
  fs::create_symlink("out.txt", in_folder("back"));
  fs::create_symlink("back", path_);
  EXPECT_NE(message_of(path_).find("symbolic links"), std::string::npos);
}

TEST_F(AtomicFileTest, a_link_to_a_device_stays) {
  fs::create_symlink("/dev/null", path_);
  save(path_, "new");
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, the_mode_of_an_old_file_is_kept_and_a_new_one_follows_the_umask) {
  struct stat info {};
  for (const mode_t mode : {0600u, 0640u, 0777u}) {
    std::ofstream(path_) << "old";
    ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
    save(path_, "new");
    ASSERT_EQ(::stat(path_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, mode);
  }
  const mode_t mask = ::umask(0027);
  save(in_folder("fresh"), "new");
  ::umask(mask);
  ASSERT_EQ(::stat(in_folder("fresh").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0640u);
}

TEST_F(AtomicFileTest, the_owner_of_an_old_file_is_kept_where_possible) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  std::ofstream(path_) << "old";
  ASSERT_EQ(::chown(path_.c_str(), 1234, 2345), 0);
  save(path_, "new");
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_uid, 1234u);
  EXPECT_EQ(info.st_gid, 2345u);
}

TEST_F(AtomicFileTest, a_pipe_is_not_opened_before_it_is_written) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  AtomicFile::check_writable(path_);  // would wait for a reader for ever
  std::future<std::string> read = std::async([&] { return content(); });
  AtomicFile::check_writable(path_);  // would be the end of the file for the reader
  save(path_, "through the pipe");
  EXPECT_EQ(read.get(), "through the pipe");
  EXPECT_TRUE(fs::is_fifo(path_));
}

TEST_F(AtomicFileTest, an_open_descriptor_is_written_where_it_stands) {
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_TRUE(write_all(descriptor, "before "));
  save("/dev/fd/" + std::to_string(descriptor), "after");
  ::close(descriptor);
  EXPECT_EQ(content(), "before after");
  EXPECT_NE(message_of("/dev/fd/987").find("Bad file descriptor"), std::string::npos);
}

TEST_F(AtomicFileTest, folders_and_long_names_are_errors_and_the_longest_name_is_none) {
  EXPECT_NE(message_of(folder_.string()).find("Is a directory"), std::string::npos);
  EXPECT_NE(message_of(in_folder("none/")).find("irectory"), std::string::npos);
  EXPECT_NE(message_of(in_folder(std::string(256, 'a'))).find("too long"), std::string::npos);
  EXPECT_NE(message_of(in_folder("x/y")).find("No such file"), std::string::npos);
  EXPECT_NE(message_of("").find("No such file"), std::string::npos);
  const std::string longest = in_folder(std::string(255, 'a'));
  save(longest, "new");
  EXPECT_EQ(content_of(longest), "new");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, a_folder_that_takes_no_files_is_an_error_at_once) {
  EXPECT_NE(message_of("/proc/out.txt").find("cannot create"), std::string::npos);
}

TEST_F(AtomicFileTest, what_dead_runs_have_left_is_removed_and_what_living_ones_write_is_not) {
  const std::string dead = in_folder(".out.txt.softwood-12345-0123abcd.part");
  const std::string other = in_folder(".other.softwood-12345-0123abcd.part");
  std::ofstream(dead) << "half";
  std::ofstream(other) << "half";
  AtomicFile living(path_);
  living.write("first");
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(other));  // of another output
  save(path_, "second");
  EXPECT_EQ(content(), "second");
  living.commit();
  EXPECT_EQ(content(), "first");
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(AtomicFileTest, a_killed_process_leaves_a_file_that_the_next_one_removes) {
  const pid_t child = ::fork();
  if (child == 0) {
    AtomicFile file(path_);
    file.write("half");
    ::_exit(0);  // no destructor, as after kill -9
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_EQ(files_in_folder(), 1u);
  save(path_, "whole");
  EXPECT_EQ(content(), "whole");
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(AtomicFileTest, eight_writers_at_once_leave_one_whole_file) {
  const std::string text(100'000, 'x');
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 8; ++writer) {
    writers.emplace_back([&, letter = static_cast<char>('a' + writer)] {
      for (int time = 0; time < 50; ++time) save(path_, std::string(100'000, letter));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string written = content();
  EXPECT_EQ(written.size(), text.size());
  EXPECT_EQ(written, std::string(100'000, written[0]));
  EXPECT_EQ(files_in_folder(), 1u);
}

}  // namespace
}  // namespace softwood
