#include "data/file/file_kind.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <zlib.h>

#include "data/file/file_kind_words.h"
#include "data/file/read_table.h"
#include "data/reading.h"

namespace softwood {
namespace {

using namespace std::string_view_literals;
using testing::HasSubstr;
using testing::Not;

FileKind kind_of(std::string_view bytes) {
  return find_kind_of_bytes(bytes, bytes);
}

TEST(FileKind, files_are_known_by_their_bytes) {
  EXPECT_EQ(kind_of("PAR1\x15\x04\x15\x00"sv), FileKind::parquet);
  EXPECT_EQ(kind_of("ARROW1\0\0\xFF"sv), FileKind::arrow);
  EXPECT_EQ(kind_of("\xFF\xFF\xFF\xFF\x10\x01\0\0\x10"sv), FileKind::arrow_stream);
  EXPECT_EQ(kind_of("ORC\x11\0\0"sv), FileKind::orc);
  EXPECT_EQ(kind_of("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"sv), FileKind::old_excel);
  EXPECT_EQ(kind_of("SQLite format 3\0\x10"sv), FileKind::sqlite);
  EXPECT_EQ(kind_of("BZh91AY&SY\x01"sv), FileKind::bzip2);
  EXPECT_EQ(kind_of("\xFD\x37zXZ\0\0"sv), FileKind::xz);
  EXPECT_EQ(kind_of("\x28\xB5\x2F\xFD\x04"sv), FileKind::zstd);
  EXPECT_EQ(kind_of("\x93NUMPY\1"sv), FileKind::numpy);
  EXPECT_EQ(kind_of("\x89HDF\r\n\x1A\n"sv), FileKind::hdf5);
  EXPECT_EQ(kind_of("\x80\x04\x95\0"sv), FileKind::pickle);
  EXPECT_EQ(kind_of("<stata_dta><header>"), FileKind::stata);
  EXPECT_EQ(kind_of("\x72\x02\x01\0"sv), FileKind::stata);
  EXPECT_EQ(kind_of("%PDF-1.7\n"), FileKind::pdf);
  EXPECT_EQ(kind_of("\xFF\xFE"
                    "a\0,\0"sv),
            FileKind::utf16);
  EXPECT_EQ(kind_of("a\0,\0b\0\n\0"
                    "1\0"sv),
            FileKind::utf16);
  EXPECT_EQ(kind_of("\n <!DOCTYPE HTML><head>"), FileKind::html);
  EXPECT_EQ(kind_of("<HTML>"), FileKind::html);
  EXPECT_EQ(kind_of("\xEF\xBB\xBF<?xml version"), FileKind::xml);
  EXPECT_EQ(
      kind_of("\x20\0\0\0\0\0\0\0{\"__metadata__\":{\"checksum\":\"0\",\"format\":\"softwood\""sv),
      FileKind::model);
}

TEST(FileKind, json_is_known_by_its_brackets) {
  EXPECT_EQ(kind_of("{\"a\": 1}\n{\"a\": 2}\n"), FileKind::json_lines);
  EXPECT_EQ(kind_of(" {\n \"a\": 1}"), FileKind::json_lines);
  EXPECT_EQ(kind_of("[{\"a\": 1}]"), FileKind::json);
  EXPECT_EQ(kind_of("[\n [1, 2]]"), FileKind::json);
}

/// The end of an archive that lists these names: entries, then how many bytes they take.
std::string zip_directory(const std::vector<std::string>& names) {
  std::string entries;
  for (const std::string& name : names) {
    std::string entry = "PK\1\2" + std::string(42, '\0') + name + "extra";
    entry[28] = static_cast<char>(name.size());
    entry[30] = 5;
    entries += entry;
  }
  std::string end = "PK\5\6" + std::string(18, '\0');
  end[12] = static_cast<char>(entries.size());
  return entries + end;
}

TEST(FileKind, archives_are_told_apart_by_what_they_list) {
  const std::string local = "PK\3\4" + std::string(26, '\0');
  const std::string workbook = zip_directory({"_rels/.rels", "xl/workbook.xml"});
  EXPECT_EQ(kind_of(local + zip_directory({"data.csv"})), FileKind::zip);
  EXPECT_EQ(find_kind_of_bytes(local, workbook), FileKind::excel);
  EXPECT_EQ(kind_of(local + workbook + zip_directory({"a.xlsx"})), FileKind::zip);
  EXPECT_EQ(kind_of(local + "PK\5\6"), FileKind::zip);
  EXPECT_EQ(kind_of(local + "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
            FileKind::open_document);
}

TEST(FileKind, texts_that_only_begin_like_another_kind_are_texts) {
  for (const std::string_view text :
       {"", "P", "PAR1,PAR2\n1,2\n", "ORC,b\n1,2\n", "FEA1;b\n", "BZh91AY&SY,b\n", "[a],[b]\n1,2\n",
        "{a},b\n1,2\n", "a,b\n1,2\n", "% comment\n@relation x\n", "<5,>5\n1,2\n", "X\n1\n",
        "RDX,y\n", "\"{\"\"a\"\": 1}\",b\n", "\xE4,b\n1,2\n", "PK,id\n1,2\n"}) {
    EXPECT_EQ(kind_of(text), FileKind::text) << text;
  }
  EXPECT_EQ(kind_of("a,\0\n1,2\n3,4\n"sv), FileKind::text);
}

/// A file that is there as long as the test runs.
class KindOfFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "file_kind_" +
            testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  void TearDown() override { std::filesystem::remove(path_); }
  void write(std::string_view bytes) { std::ofstream(path_, std::ios::binary) << bytes; }

  std::string path_;
};

TEST_F(KindOfFile, a_file_is_refused_with_its_kind_and_what_to_do) {
  write("PAR1\x15\x04\x15\0 and much more"sv);
  const std::string message = error_of([&] { read_table(path_); });
  EXPECT_THAT(message, HasSubstr("'" + path_ + "' is a Parquet file"));
  EXPECT_THAT(message, HasSubstr("pip install ."));
  EXPECT_THAT(message, HasSubstr("pandas.read_parquet('" + path_ + "').to_csv('" + path_ +
                                 ".csv', index=False)"));
}

TEST_F(KindOfFile, what_is_gzipped_is_looked_into) {
  gzFile file = gzopen(path_.c_str(), "wb");
  const std::string text = "{\"a\": 1}\n" + std::string(100'000, ' ');
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  EXPECT_EQ(find_file_kind(path_), FileKind::json_lines);
  EXPECT_THAT(error_of([&] { read_table(path_); }), HasSubstr("is JSON, an object per line"));
}

TEST_F(KindOfFile, the_list_of_a_long_archive_is_found_at_its_end) {
  write("PK\3\4" + std::string(200'000, 'x') + zip_directory({"a", "xl/workbook.bin"}));
  EXPECT_EQ(find_file_kind(path_), FileKind::excel);
}

TEST_F(KindOfFile, what_is_not_there_or_empty_is_left_to_the_reader) {
  EXPECT_EQ(find_file_kind(path_), FileKind::text);
  EXPECT_EQ(find_file_kind("-"), FileKind::text);
  EXPECT_EQ(find_file_kind(testing::TempDir()), FileKind::text);
  write("");
  EXPECT_EQ(find_file_kind(path_), FileKind::text);
}

TEST(FileKindWords, every_kind_has_its_words) {
  for (int kind = 1; kind <= static_cast<int>(FileKind::model); ++kind) {
    const std::string message =
        error_of([&] { refuse_foreign_kind(static_cast<FileKind>(kind), "a file"); });
    EXPECT_THAT(message, HasSubstr("'a file' is "));
    EXPECT_THAT(message, Not(HasSubstr("{")));
    EXPECT_EQ(message.back(), '.');
  }
  refuse_foreign_kind(FileKind::text, "a file");
}

TEST(FileKindWords, bytes_of_a_pipe_are_refused_as_well) {
  EXPECT_THAT(error_of([] { read_table_bytes("PAR1\x15\0"sv, "standard input"); }),
              HasSubstr("come through a pipe"));
}

}  // namespace
}  // namespace softwood
