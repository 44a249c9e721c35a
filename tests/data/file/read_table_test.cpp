#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

class ReadTable : public testing::Test {
 protected:
  ~ReadTable() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(folder_);
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) /
                                  testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(ReadTable, the_name_decides_between_arff_and_csv) {
  const std::string arff = "@relation r\n@attribute a numeric\n@data\n5\n";
  EXPECT_EQ(read_table(write("t.ARFF", arff)).column("a").values[0], 5);
  EXPECT_EQ(read_table(write("t.txt", "a,b\n5,6\n")).column("b").values[0], 6);
}

TEST_F(ReadTable, messages_name_the_path) {
  const std::string path = write("bad.csv", "a,b\n1\n");
  EXPECT_THAT(error_of([&] { read_table(path); }),
              testing::StartsWith(path + ":2: 1 field where 2"));
  EXPECT_EQ(read_table(write("good.csv", "a,b\n1,2\n")).origin, folder_ / "good.csv");
}

}  // namespace
}  // namespace softwood
