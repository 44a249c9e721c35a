#include "data/arrow/writer.h"

#include <cmath>

#include "data/arrow/reader.h"
#include "data/reading.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<const Table> some_table() {
  const double nan = std::nan("");
  return std::make_shared<Table>(std::vector<Column>{{.name = "number", .values = {1.5, nan, -2}},
                                                     {.name = "text",
                                                      .kind = ColumnKind::categorical,
                                                      .codes = {1, -1, 0},
                                                      .levels = {"a", "ünïcode", "unused"}},
                                                     {.name = "moment",
                                                      .kind = ColumnKind::datetime,
                                                      .values = {nan, 1467464700.25, -0.5},
                                                      .date_order = "ymd"},
                                                     {.name = "whole", .values = {1, 2, 3}}});
}

TEST(ArrowWriter, what_is_written_reads_back) {
  const std::shared_ptr<const Table> table = some_table();
  ArrowArrayStream stream;
  write_arrow(table, &stream);
  const Table read = read_arrow(&stream);
  ASSERT_EQ(read.names(), table->names());
  for (const Column& column : table->columns()) {
    const Column& other = read.column(column.name);
    EXPECT_EQ(other.kind, column.kind);
    EXPECT_EQ(other.levels, column.levels);
    EXPECT_EQ(other.date_order, column.date_order);
    EXPECT_EQ(texts_of(other), texts_of(column));
  }
}

TEST(ArrowWriter, numbers_and_codes_are_shared_and_missing_cells_are_null) {
  const std::shared_ptr<const Table> table = some_table();
  ArrowArrayStream stream;
  write_arrow(table, &stream);
  ArrowArray batch;
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  EXPECT_EQ(batch.children[0]->buffers[1], table->column("number").values.data());
  EXPECT_EQ(batch.children[1]->buffers[1], table->column("text").codes.data());
  std::vector<std::int64_t> null_counts;
  for (int child = 0; child < 4; ++child) null_counts.push_back(batch.children[child]->null_count);
  EXPECT_THAT(null_counts, ElementsAre(1, 1, 1, 0));
  EXPECT_EQ(*static_cast<const std::uint8_t*>(batch.children[0]->buffers[0]), 0b101);
  EXPECT_EQ(batch.children[3]->buffers[0], nullptr);
  batch.release(&batch);
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  EXPECT_EQ(batch.release, nullptr);  // the end
  stream.release(&stream);
}

TEST(ArrowWriter, the_table_lives_until_the_last_array_is_released) {
  std::shared_ptr<const Table> table = some_table();
  const std::weak_ptr<const Table> watched = table;
  ArrowArrayStream stream;
  write_arrow(std::move(table), &stream);
  ArrowArray batch;
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
  ArrowArray number = *batch.children[0];  // moved out of its parent
  batch.children[0]->release = nullptr;
  batch.release(&batch);
  EXPECT_FALSE(watched.expired());
  number.release(&number);
  EXPECT_TRUE(watched.expired());
}

TEST(ArrowWriter, a_schema_outlives_its_stream) {
  ArrowArrayStream stream;
  write_arrow(some_table(), &stream);
  ArrowSchema schema;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  stream.release(&stream);
  EXPECT_STREQ(schema.format, "+s");
  std::vector<std::string> formats;
  for (int child = 0; child < 4; ++child) formats.emplace_back(schema.children[child]->format);
  EXPECT_THAT(formats, ElementsAre("g", "i", "tsu:", "g"));
  EXPECT_STREQ(schema.children[1]->dictionary->format, "U");
  EXPECT_STREQ(schema.children[1]->name, "text");
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
}

TEST(ArrowWriter, moments_that_microseconds_do_not_reach_are_null) {
  Column column{.name = "t", .kind = ColumnKind::datetime, .values = {INFINITY, 1e300, 0}};
  ArrowArrayStream stream;
  write_arrow(std::make_shared<Table>(std::vector<Column>{column}), &stream);
  EXPECT_THAT(texts_of(read_arrow(&stream).column("t")), ElementsAre("", "", "1970-01-01"));
}

TEST(ArrowWriter, a_table_without_rows_or_columns_is_a_stream_too) {
  ArrowArrayStream stream;
  write_arrow(std::make_shared<Table>(), &stream);
  EXPECT_TRUE(read_arrow(&stream).columns().empty());
  write_arrow(std::make_shared<Table>(std::vector<Column>{{.name = "x"}}), &stream);
  EXPECT_EQ(read_arrow(&stream).column("x").size(), 0u);
}

}  // namespace
}  // namespace softwood
