#include "data/csv/deferred_numbers.h"

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include "data/csv/reader.h"
#include "data/encoder/encoder.h"
#include "data/table/column_groups.h"
#include "data/table/table_rows.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using testing::HasSubstr;

/// A file that goes when the test does.
class TextFile {
 public:
  explicit TextFile(const std::string& text)
      : path_(testing::TempDir() + "deferred_" + std::to_string(::getpid()) + "_" +
              std::to_string(next_++) + ".csv") {
    write(text);
  }
  ~TextFile() { std::remove(path_.c_str()); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  void write(const std::string& text) const { std::ofstream(path_, std::ios::binary) << text; }
  const std::string& path() const { return path_; }

 private:
  static inline int next_ = 0;
  std::string path_;
};

/// All that reading a text comes to: what is said, and the table or the error.
struct Reading {
  Table table;
  std::string words;
};

template <class Read>
Reading reading(ReadOptions options, const Read& read) {
  Reading result;
  options.threads = 2;
  options.on_note = [&](const std::string& text) { result.words += "note: " + text + "\n"; };
  options.on_warning = [&](const std::string& text) { result.words += "warning: " + text + "\n"; };
  options.on_skip = [&](std::size_t row) { result.words += "skip " + std::to_string(row) + "\n"; };
  try {
    result.table = read(options);
  } catch (const Error& error) {
    result.words += std::string("error: ") + error.what();
  }
  return result;
}

void expect_same(const Table& deferred, const Table& plain) {
  ASSERT_EQ(deferred.names(), plain.names());
  for (std::size_t place = 0; place < plain.columns().size(); ++place) {
    const Column &a = deferred.columns()[place], &b = plain.columns()[place];
    EXPECT_EQ(a.kind, b.kind) << a.name;
    ASSERT_EQ(a.size(), b.size()) << a.name;
    EXPECT_EQ(a.count_missing(), b.count_missing()) << a.name;
    EXPECT_EQ(0, std::memcmp(a.values.data(), b.values.data(), sizeof(double) * b.values.size()));
    EXPECT_EQ(a.codes, b.codes) << a.name;
    EXPECT_EQ(a.levels, b.levels) << a.name;
    EXPECT_EQ(a.date_order, b.date_order) << a.name;
    EXPECT_EQ(a.undeclared, b.undeclared) << a.name;
  }
}

void expect_read_alike(const std::string& text, const ReadOptions& options,
                       std::size_t chunk_bytes) {
  const TextFile file(text);
  const Reading plain = reading(options, [&](const ReadOptions& each) {
    return read_csv(FileBytes(text, file.path()), each, chunk_bytes);
  });
  const auto mapped = FileBytes::map(file.path(), 0);
  if (mapped == nullptr) return;
  const Reading deferred = reading(options, [&](const ReadOptions& each) {
    return read_csv_deferred(mapped, each, chunk_bytes);
  });
  EXPECT_EQ(deferred.words, plain.words) << text;
  expect_same(deferred.table, plain.table);
}

Table read_deferred(const TextFile& file, const ReadOptions& options = {}) {
  return read_csv_deferred(FileBytes::map(file.path(), 0), options, 64);
}

TEST(DeferredNumbers, columns_of_numbers_are_read_when_they_are_looked_at) {
  const TextFile file("a,b,c\n1,x,2.5\n-,y,\n3,x,1e3\n");
  const Table table = read_deferred(file);
  const Cells<double>& a = table.column("a").values;
  EXPECT_TRUE(a.is_deferred());
  EXPECT_FALSE(table.column("b").values.is_deferred());
  EXPECT_EQ(a.size(), 3);
  EXPECT_EQ(table.column("a").count_missing(), 1);
  EXPECT_EQ(a[2], 3);
  a.release();
  EXPECT_EQ(a[0], 1);
  EXPECT_EQ(table.column("c").text(2), "1000");
  EXPECT_TRUE(table.column("c").is_missing(1));
}

TEST(DeferredNumbers, copies_share_the_source_and_changes_are_the_copys_own) {
  const TextFile file("a,b\n1,2\n3,4\n");
  const Table table = read_deferred(file);
  Cells<double> copy = table.column("a").values;
  copy[0] = 7;
  EXPECT_FALSE(copy.is_deferred());
  EXPECT_EQ(table.column("a").values[0], 1);
}

TEST(DeferredNumbers, several_columns_come_in_one_pass_and_go_together) {
  const TextFile file("a,b\n1,2\n3,4\n");
  const Table table = read_deferred(file);
  const std::vector<const Column*> both = {&table.columns()[0], &table.columns()[1]};
  load_columns(both);
  EXPECT_EQ(table.column("b").values[1], 4);
  release_columns(both);
  EXPECT_EQ(table.column("b").values[0], 2);
}

TEST(DeferredNumbers, a_file_that_changes_meanwhile_is_an_error) {
  for (const char* text : {"a,b\n1,2\n3,4\n5,6\n", "a\n", "a,b\n1,2\n3,x\n"}) {
    const TextFile file("a,b\n1,2\n3,4\n");
    const Table table = read_deferred(file);
    file.write(text);
    try {
      table.column("a").values.data();
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("has changed while it was being read"));
    }
  }
}

TEST(DeferredNumbers, a_file_that_is_cut_before_it_is_looked_through_is_an_error) {
  std::string text = "a,b\n";
  while (text.size() < (1 << 18)) text += "1,2\n";
  const TextFile file(text);
  const auto mapped = FileBytes::map(file.path(), 0);
  std::filesystem::resize_file(file.path(), 8192);
  try {
    read_csv_deferred(mapped, {}, 1000);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("has changed while it was being read"));
  }
}

TEST(DeferredNumbers, odd_files_are_read_as_from_memory) {
  const std::vector<std::string> texts = {
      "a,b\n1,2\n3,4",
      "\xEF\xBB\xBF"
      "a;b\n1,5;2\n2,5;x\n",
      "a;b\n950;1\n1.234;2\n12.500;3\n",
      "a,b\n\"1,234\",1\n\"2,345\",2\n",
      "a,b\n-,1\n-,2\n",
      "a\n1\n\n2\n\n",
      "a,b\n1,5\" pipe\n2,6\" pipe\n3,\"x,\ny\"\n4,7\" tube\n5,z\n",
      "a,b\n1,2\n3\n4,5,6\n7,8\n",
      "a,b\r\n1,2\r\n\r\n3,4\r\n",
      "a,when\n1,2020-01-01\n2,2020-02-01\n,\n",
      "a,b\n\"1\",\"2\"\n\" 3 \",NA\n",
      "a,b\n1,\"open\n2,3\n",
      "a,b\n",
      "name,x\nfirst,1\nsecond,2\nTotal,3\n",
      "a,b\ntrue,1\nfalse,2\n",
  };
  for (const std::string& text : texts) {
    for (const OnError on_error : {OnError::stop, OnError::missing, OnError::skip}) {
      for (const std::size_t chunk_bytes : {1, 7, 1000}) {
        ReadOptions options;
        options.on_error = on_error;
        expect_read_alike(text, options, chunk_bytes);
        options.read_as["a"] = {ColumnKind::numeric, {}};
        options.read_as["b"] = {ColumnKind::numeric, {}};
        expect_read_alike(text, options, chunk_bytes);
      }
    }
  }
}

RC_GTEST_PROP(DeferredNumbers, any_cells_are_read_as_from_memory, ()) {
  const auto cell = rc::gen::element<std::string>(
      "1", "2.5", "-3e4", "", "NA", "-", "x", "\"y\"\"z\"", "1,5", "\"1,5\"", "0.125", "12.500",
      " 7 ", "inf", "\"a\nb\"", "5\" pipe", "2020-01-02", "1,234");
  const std::string delimiter = *rc::gen::element<std::string>(",", ";");
  const auto num_columns = *rc::gen::inRange<std::size_t>(1, 5);
  std::string text;
  for (std::size_t column = 0; column < num_columns; ++column) {
    text += (column == 0 ? "c" : delimiter + "c") + std::to_string(column);
  }
  text += "\n";
  const auto num_rows = *rc::gen::inRange(0, 30);
  for (int row = 0; row < num_rows; ++row) {
    for (std::size_t column = 0; column < num_columns; ++column) {
      if (column > 0) text += delimiter;
      text += *cell;
    }
    if (*rc::gen::inRange(0, 20) == 0) text += delimiter;
    text += "\n";
  }
  ReadOptions options;
  options.delimiter = delimiter[0];
  options.on_error = *rc::gen::element(OnError::stop, OnError::missing, OnError::skip);
  if (*rc::gen::arbitrary<bool>()) options.read_as["c0"] = {ColumnKind::numeric, {}};
  expect_read_alike(text, options, *rc::gen::inRange<std::size_t>(1, 200));
}

TEST(DeferredNumbers, rows_are_selected_as_from_memory) {
  const TextFile file("a,b,c\n1,x,2\n3,y,4\n5,z,6\n");
  const std::vector<std::int64_t> rows = {2, 0};
  expect_same(select_rows(read_deferred(file), rows),
              select_rows(read_csv(FileBytes(file.path()), {}), rows));
}

/// So many rows that the columns come in two groups, and constant ones, so that the first group
/// counts on too many columns.
std::string wide_text(std::size_t num_rows) {
  std::string text;
  for (int column = 0; column < 20; ++column) text += "c" + std::to_string(column) + ",";
  text += "t\n";
  std::uint32_t state = 1;
  for (std::size_t row = 0; row < num_rows; ++row) {
    for (int column = 0; column < 20; ++column) {
      state = state * 1664525u + 1013904223u;
      text += column % 4 == 3 ? "7," : std::to_string(state >> 25) + ",";
    }
    text += row % 3 == 0 ? "x\n" : "y\n";
  }
  return text;
}

TEST(DeferredNumbers, the_encoder_is_fitted_and_encodes_as_from_memory) {
  const std::size_t num_rows = 215000;
  const TextFile file(wide_text(num_rows));
  const Table deferred = read_csv_deferred(FileBytes::map(file.path(), 0), {});
  const Table plain = read_csv(FileBytes(file.path()), {});
  std::vector<const Column*> columns;
  for (const Column& column : deferred.columns()) columns.push_back(&column);
  ASSERT_GT(group_columns(columns).size(), 1);
  std::vector<std::uint32_t> training;
  for (std::uint32_t row = 0; row < num_rows; row += 2) training.push_back(row);
  const EncoderOptions options{.features = plain.names(), .fine_bins = 32};
  Rows rows;
  std::vector<std::string> seen;
  const Encoder encoder =
      Encoder::fit_and_encode(deferred, training, options, rows,
                              [&](const Column& column) { seen.push_back(column.name); });
  const Encoder expected = Encoder::fit(plain, training, options);
  EXPECT_EQ(encoder.describe(), expected.describe());
  EXPECT_EQ(encoder.left_out().constant.size(), 5);
  EXPECT_EQ(seen.size(), 16);
  EXPECT_EQ(rows.num_columns, 16);
  EXPECT_EQ(rows.positions, expected.encode(plain, 2).positions);
  EXPECT_EQ(rows.positions, encoder.encode(deferred, 2).positions);
}

}  // namespace
}  // namespace softwood
