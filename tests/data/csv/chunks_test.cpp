#include "data/csv/chunks.h"

#include <bit>
#include <chrono>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "data/reading.h"

namespace softwood {
namespace {

/// A text that reads as the table does, for comparing; numbers by their bits.
std::string dump(const Table& table) {
  std::string text;
  for (const Column& column : table.columns()) {
    text += fmt::format("[{} {}]", column.name, static_cast<int>(column.kind));
    for (const double value : column.values)
      text += fmt::format("{:x},", std::bit_cast<std::uint64_t>(value));
    for (const std::int32_t code : column.codes) text += fmt::format("{},", code);
    for (const std::string& level : column.levels) text += fmt::format("<{}>", level);
  }
  return text;
}

/// The dumped table, or the message of the Error.
std::string outcome(const std::string& text, int threads, std::size_t chunk_bytes) {
  try {
    return dump(read_csv_text(text, {.threads = threads}, chunk_bytes));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(CsvChunks, a_lone_quote_upsets_the_guess_but_not_the_table) {
  std::string text = "a,b,c\n";
  for (int row = 0; row < 200; ++row) {
    text +=
        row % 7 == 0 ? fmt::format("5\" pipe,{},\"x,\ny\"\n", row) : fmt::format("z,{},w\n", row);
  }
  const std::string whole = outcome(text, 1, text.size());
  EXPECT_THAT(whole, testing::HasSubstr("<5\" pipe>"));
  for (const std::size_t chunk_bytes : {16, 33, 100, 1000}) {
    EXPECT_EQ(outcome(text, 2, chunk_bytes), whole) << chunk_bytes;
  }
}

TEST(CsvChunks, the_end_of_a_long_row_is_looked_for_once) {
  // Once from each of its chunks, these would be 10^11 steps.
  const std::string text = "a,b\n1,2\n" + std::string(2'000'000, 'x') + ",\"\n\"\n3,4\n";
  const FileBytes file(text, "test.csv");
  const CsvSource source = open_csv(file, {});
  ThreadTeam team(1);
  const auto start = std::chrono::steady_clock::now();
  const std::vector<CsvChunk> chunks = cut_into_chunks(source, 16, team);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  ASSERT_GE(chunks.size(), 2u);
  EXPECT_EQ(std::string_view(chunks.back().begin, chunks.back().end), "3,4\n");
}

TEST(CsvChunks, chunks_cover_all_rows_without_gap) {
  std::string text = "a,b\n";
  for (int row = 0; row < 100; ++row) text += fmt::format("{},\"{}\n\"\n", row, row);
  const FileBytes file(text, "test.csv");
  const CsvSource source = open_csv(file, {});
  ThreadTeam team(2);
  const std::vector<CsvChunk> chunks = cut_into_chunks(source, 50, team);
  EXPECT_GT(chunks.size(), 5u);
  const char* place = source.first_row;
  for (const CsvChunk& chunk : chunks) {
    EXPECT_EQ(chunk.begin, place);
    EXPECT_TRUE(chunk.begin[0] >= '0' && chunk.begin[0] <= '9');
    place = chunk.end;
  }
  EXPECT_EQ(place, source.end());
}

/// Rows of letters that matter to CSV, so that quotes, line ends and field counts go wrong often.
RC_GTEST_PROP(CsvChunks, threads_and_chunks_never_change_what_is_read, ()) {
  const auto letters = rc::gen::elementOf(std::string("\"\"\",,\n\n\r1234 x."));
  const std::string body = *rc::gen::container<std::string>(letters);
  const std::string text = "a,b\n" + body;
  const std::size_t chunk_bytes = *rc::gen::inRange<std::size_t>(1, 20);
  RC_ASSERT(outcome(text, 2, chunk_bytes) == outcome(text, 1, text.size()));
}

RC_GTEST_PROP(CsvChunks, long_tables_with_quotes_read_alike_in_any_chunks, ()) {
  const auto cells = rc::gen::elementOf(std::vector<std::string>{
      "1", "2.5", "", "x", "\"a,b\"", "\"c\nd\"", "\"e\"\"f\"", "7\" pipe", "\"\"", "NA"});
  std::string text = "a,b\n";
  const auto rows = *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
      rc::gen::pair(cells, cells));
  for (const auto& [first, second] : rows) text += first + "," + second + "\n";
  const std::size_t chunk_bytes = *rc::gen::inRange<std::size_t>(1, 40);
  RC_ASSERT(outcome(text, 2, chunk_bytes) == outcome(text, 1, text.size()));
}

}  // namespace
}  // namespace softwood
