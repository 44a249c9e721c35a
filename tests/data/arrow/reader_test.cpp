#include "data/arrow/reader.h"

#include <cmath>

#include <fmt/format.h>

#include "data/arrow/hand_made_arrow.h"
#include "data/reading.h"

namespace softwood {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A stream of batches of one column "x", one for each array.
HandMadeStream stream_of(HandMadeType type, const std::vector<HandMadeArray>& chunks) {
  type.name = "x";
  std::vector<HandMadeArray> batches;
  for (const HandMadeArray& chunk : chunks) {
    batches.push_back({.length = chunk.length, .buffers = {std::nullopt}, .children = {chunk}});
  }
  return {{.format = "+s", .children = {type}}, batches};
}

using ReadAsMap = ColumnKinds;

/// Reads a stream and sees that everything has been given back once the table is gone.
class ArrowReaderTest : public ::testing::Test {
 protected:
  Table read(HandMadeStream& stream, const ReadAsMap& read_as = {}) {
    ArrowArrayStream handle = stream.make();
    Table table = read_arrow(&handle, {.read_as = read_as});
    EXPECT_EQ(handle.release, nullptr);
    return table;
  }
  Column read_chunks(const HandMadeType& type, const std::vector<HandMadeArray>& chunks,
                     const ReadAsMap& read_as = {}) {
    HandMadeStream stream = stream_of(type, chunks);
    Column column;
    {
      column = read(stream, read_as).column("x");
      column.values.push_back(0);  // makes it the column's own
      column.values.resize(column.values.size() - 1);
      column.codes.push_back(0);
      column.codes.resize(column.codes.size() - 1);
    }
    EXPECT_EQ(stream.num_made, stream.num_released);
    return column;
  }
  template <class T>
  std::vector<double> numbers(const std::string& format, const std::vector<T>& values) {
    const auto length = static_cast<std::int64_t>(values.size());
    return read_chunks({format}, {{length, {std::nullopt, bytes_of(values)}}}).values.to_vector();
  }
};

TEST_F(ArrowReaderTest, integers_and_floats_of_all_widths_are_numbers) {
  EXPECT_THAT(numbers<std::int8_t>("c", {-128, 127}), ElementsAre(-128, 127));
  EXPECT_THAT(numbers<std::uint8_t>("C", {0, 255}), ElementsAre(0, 255));
  EXPECT_THAT(numbers<std::int16_t>("s", {-32768, 5}), ElementsAre(-32768, 5));
  EXPECT_THAT(numbers<std::uint16_t>("S", {65535}), ElementsAre(65535));
  EXPECT_THAT(numbers<std::int32_t>("i", {-7, 8}), ElementsAre(-7, 8));
  EXPECT_THAT(numbers<std::uint32_t>("I", {4294967295}), ElementsAre(4294967295.0));
  EXPECT_THAT(numbers<std::int64_t>("l", {-1, (1LL << 53) + 1}),
              ElementsAre(-1, 9007199254740992.0));
  EXPECT_THAT(numbers<std::uint64_t>("L", {~0ULL}), ElementsAre(18446744073709551616.0));
  EXPECT_THAT(numbers<float>("f", {0.5f, -2}), ElementsAre(0.5, -2));
  EXPECT_THAT(numbers<double>("g", {0.1}), ElementsAre(0.1));
}

TEST_F(ArrowReaderTest, half_floats_are_exact) {
  const std::vector<double> values =
      numbers<std::uint16_t>("e", {0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00, 0x8000, 0x7E00});
  EXPECT_THAT(std::span(values).first(5), ElementsAre(1, -2, std::ldexp(1, -24), 65504, INFINITY));
  EXPECT_TRUE(values[5] == 0 && std::signbit(values[5]));
  EXPECT_TRUE(std::isnan(values[6]));
}

TEST_F(ArrowReaderTest, decimals_of_all_widths_round_as_their_texts_would) {
  const auto decimal = [&](const std::string& format, const std::string& bytes) {
    return read_chunks({format}, {{1, {std::nullopt, bytes}}}).values[0];
  };
  using Words = std::vector<std::int64_t>;
  EXPECT_EQ(decimal("d:30,2", bytes_of(Words{-12345, -1})), -123.45);
  EXPECT_EQ(decimal("d:38,0", bytes_of(Words{0, 1})), 18446744073709551616.0);
  EXPECT_EQ(decimal("d:38,3,64", bytes_of(Words{12345})), 12.345);
  EXPECT_EQ(decimal("d:9,-2,32", bytes_of(std::vector<std::int32_t>{-7})), -700);
  EXPECT_EQ(decimal("d:50,1,256", bytes_of(Words{-5, -1, -1, -1})), -0.5);
}

TEST_F(ArrowReaderTest, booleans_are_numbers_or_texts_where_those_are_wanted) {
  const HandMadeArray truths{3, {bits_of({1, 1, 0, 1}), bits_of({0, 1, 0, 0})}, 1, 1};
  const Column column = read_chunks({"b"}, {truths});
  EXPECT_EQ(column.kind, ColumnKind::numeric);
  EXPECT_THAT(texts_of(column), ElementsAre("1", "", "0"));
  const Column texts = read_chunks({"b"}, {truths}, {{"x", {ColumnKind::categorical}}});
  EXPECT_THAT(texts_of(texts), ElementsAre("True", "", "False"));
}

TEST_F(ArrowReaderTest, dates_and_timestamps_are_moments_in_utc) {
  const auto texts = [&](const std::string& format, const auto& ticks) {
    const auto length = static_cast<std::int64_t>(ticks.size());
    const Column column = read_chunks({format}, {{length, {std::nullopt, bytes_of(ticks)}}});
    EXPECT_EQ(column.kind, ColumnKind::datetime);
    EXPECT_EQ(column.date_order, "ymd");
    return texts_of(column);
  };
  using Ticks = std::vector<std::int64_t>;
  EXPECT_THAT(texts("tdD", std::vector<std::int32_t>{0, -1}),
              ElementsAre("1970-01-01", "1969-12-31"));
  EXPECT_THAT(texts("tdm", Ticks{86400000}), ElementsAre("1970-01-02"));
  EXPECT_THAT(texts("tss:", Ticks{61}), ElementsAre("1970-01-01T00:01:01"));
  EXPECT_THAT(texts("tsm:Europe/Zurich", Ticks{1500}), ElementsAre("1970-01-01T00:00:01.5"));
  EXPECT_THAT(texts("tsu:UTC", Ticks{-250000}), ElementsAre("1969-12-31T23:59:59.75"));
  EXPECT_THAT(texts("tsn:", Ticks{1000000}), ElementsAre("1970-01-01T00:00:00.001"));
}

TEST_F(ArrowReaderTest, a_moment_has_the_bits_it_has_in_a_file) {
  // Near 1970 a double tells apart more than microseconds, so the order of additions shows.
  std::string file = "x,y\n";
  std::vector<std::int64_t> ticks;
  for (std::int64_t step = 0; step < 1999; ++step) {
    const std::int64_t micros = step * 43200007;  // of the last day of 1969
    ticks.push_back(micros - 86400000000);
    file += fmt::format("1969-12-31 {:02}:{:02}:{:02}.{:06},1\n", micros / 3600000000,
                        micros / 60000000 % 60, micros / 1000000 % 60, micros % 1000000);
  }
  const Column column = read_chunks({"tsu:"}, {{1999, {std::nullopt, bytes_of(ticks)}}});
  EXPECT_EQ(column.values, read_csv_text(file).column("x").values);
}

TEST_F(ArrowReaderTest, times_and_durations_are_seconds) {
  EXPECT_THAT(numbers<std::int32_t>("ttm", {1500}), ElementsAre(1.5));
  EXPECT_THAT(numbers<std::int64_t>("ttn", {250000000}), ElementsAre(0.25));
  EXPECT_THAT(numbers<std::int64_t>("tDs", {-3}), ElementsAre(-3));
  EXPECT_THAT(numbers<std::int64_t>("tDu", {1}), ElementsAre(1e-6));
}

TEST_F(ArrowReaderTest, a_column_of_nulls_is_numeric_and_missing) {
  const Column column = read_chunks({"n"}, {{2, {}, 2}, {1, {}, 1}});
  EXPECT_EQ(column.kind, ColumnKind::numeric);
  EXPECT_THAT(texts_of(column), ElementsAre("", "", ""));
}

TEST_F(ArrowReaderTest, nulls_and_offsets_of_array_and_batch_count) {
  const HandMadeArray values{
      5, {bits_of({0, 1, 1, 0, 1, 1}), bytes_of(std::vector<double>{9, 1, 2, 3, 4, 5})}, -1, 1};
  HandMadeStream stream(
      {.format = "+s", .children = {{"g", "x"}}},
      {{.length = 3, .buffers = {std::nullopt}, .offset = 1, .children = {values}}});
  EXPECT_THAT(texts_of(read(stream).column("x")), ElementsAre("2", "", "4"));
  EXPECT_EQ(stream.num_made, stream.num_released);
}

TEST_F(ArrowReaderTest, texts_of_all_layouts_are_levels_in_order_of_appearance) {
  const std::string bytes = "ba-long-text-of-25-letters";
  const HandMadeArray small{
      4,
      {bits_of({1, 1, 1, 0, 1}), bytes_of(std::vector<std::int32_t>{0, 1, 26, 26, 26, 26}), bytes},
      1,
      1};
  EXPECT_THAT(texts_of(read_chunks({"u"}, {small})),
              ElementsAre("a-long-text-of-25-letters", "", "", ""));
  const HandMadeArray large{
      3, {std::nullopt, bytes_of(std::vector<std::int64_t>{1, 2, 3, 4}), "xbab"}};
  const Column column = read_chunks({"U"}, {large});
  EXPECT_THAT(column.levels, ElementsAre("b", "a"));
  EXPECT_THAT(column.codes, ElementsAre(0, 1, 0));
  std::string views = bytes_of(std::vector<std::int32_t>{1}) + "b" + std::string(11, '\0');
  views +=
      bytes_of(std::vector<std::int32_t>{25}) + "a-lo" + bytes_of(std::vector<std::int32_t>{1, 1});
  const HandMadeArray viewed{2, {std::nullopt, views, "", bytes, bytes_of<std::int64_t>({0, 26})}};
  EXPECT_THAT(texts_of(read_chunks({"vu"}, {viewed})),
              ElementsAre("b", "a-long-text-of-25-letters"));
}

HandMadeArray texts_array(const std::vector<std::string>& texts) {
  std::vector<std::int32_t> offsets = {0};
  std::string bytes;
  for (const std::string& text : texts) {
    bytes += text;
    offsets.push_back(static_cast<std::int32_t>(bytes.size()));
  }
  return {static_cast<std::int64_t>(texts.size()), {std::nullopt, bytes_of(offsets), bytes}};
}

TEST_F(ArrowReaderTest, blank_texts_are_missing_as_in_a_file_but_na_is_a_text) {
  const Column column = read_chunks({"u"}, {texts_array({"", " \t", "NA", " a"})});
  EXPECT_THAT(column.codes, ElementsAre(-1, -1, 0, 1));
  EXPECT_THAT(column.levels, ElementsAre("NA", " a"));
}

TEST_F(ArrowReaderTest, chunks_are_joined_and_empty_ones_left_out) {
  const HandMadeArray none{0, {std::nullopt, ""}};
  const auto chunk = [](const std::vector<double>& values) {
    return HandMadeArray{static_cast<std::int64_t>(values.size()),
                         {std::nullopt, bytes_of(values)}};
  };
  EXPECT_THAT(read_chunks({"g"}, {none, chunk({1, 2}), none, chunk({3})}).values,
              ElementsAre(1, 2, 3));
  const Column texts = read_chunks({"u"}, {texts_array({"b", "a"}), texts_array({"c", "a"})});
  EXPECT_THAT(texts.levels, ElementsAre("b", "a", "c"));
  EXPECT_THAT(texts.codes, ElementsAre(0, 1, 2, 1));
}

HandMadeType dictionary_type(const std::string& index, const std::string& values = "u") {
  return {.format = index, .dictionary = std::make_shared<HandMadeType>(HandMadeType{values})};
}

template <class Index>
HandMadeArray dictionary_array(const std::vector<Index>& indices, const HandMadeArray& dictionary) {
  return {.length = static_cast<std::int64_t>(indices.size()),
          .buffers = {std::nullopt, bytes_of(indices)},
          .dictionary = std::make_shared<HandMadeArray>(dictionary)};
}

TEST_F(ArrowReaderTest, a_dictionary_keeps_its_order_and_unused_levels) {
  const HandMadeArray levels = texts_array({"low", "mid", "high"});
  const auto check = [&](const std::string& index, const HandMadeArray& array) {
    const Column column = read_chunks(dictionary_type(index), {array});
    EXPECT_THAT(column.levels, ElementsAre("low", "mid", "high")) << index;
    EXPECT_THAT(column.codes, ElementsAre(2, 0, 2)) << index;
  };
  check("c", dictionary_array<std::int8_t>({2, 0, 2}, levels));
  check("S", dictionary_array<std::uint16_t>({2, 0, 2}, levels));
  check("i", dictionary_array<std::int32_t>({2, 0, 2}, levels));
  check("I", dictionary_array<std::uint32_t>({2, 0, 2}, levels));
  check("l", dictionary_array<std::int64_t>({2, 0, 2}, levels));
}

TEST_F(ArrowReaderTest, dictionaries_that_differ_between_chunks_are_merged) {
  const Column column = read_chunks(
      dictionary_type("c"), {dictionary_array<std::int8_t>({0, 1}, texts_array({"a", "b"})),
                             dictionary_array<std::int8_t>({0, 1}, texts_array({"b", "c"}))});
  EXPECT_THAT(column.levels, ElementsAre("a", "b", "c"));
  EXPECT_THAT(column.codes, ElementsAre(0, 1, 1, 2));
}

TEST_F(ArrowReaderTest, blank_and_repeated_levels_of_a_dictionary_are_cleared_up) {
  const Column column =
      read_chunks(dictionary_type("i"),
                  {dictionary_array<std::int32_t>({0, 1, 2, 3}, texts_array({"a", "", "b", "a"}))});
  EXPECT_THAT(column.levels, ElementsAre("a", "b"));
  EXPECT_THAT(column.codes, ElementsAre(0, -1, 1, 0));
}

TEST_F(ArrowReaderTest, nulls_of_a_dictionary_column_and_of_its_values_are_missing) {
  HandMadeArray levels = texts_array({"a", "b"});
  levels.buffers[0] = bits_of({0, 1});
  levels.null_count = 1;
  HandMadeArray array = dictionary_array<std::int32_t>({0, 1, 77}, levels);
  array.buffers[0] = bits_of({1, 1, 0});
  array.null_count = 1;
  const Column column = read_chunks(dictionary_type("i"), {array});
  EXPECT_THAT(texts_of(column), ElementsAre("", "b", ""));
}

TEST_F(ArrowReaderTest, a_dictionary_of_numbers_holds_categories) {
  const HandMadeArray numbers{2, {std::nullopt, bytes_of(std::vector<double>{2.5, 3})}};
  const Column column =
      read_chunks(dictionary_type("c", "g"), {dictionary_array<std::int8_t>({1, 0}, numbers)});
  EXPECT_EQ(column.kind, ColumnKind::categorical);
  EXPECT_THAT(texts_of(column), ElementsAre("3", "2.5"));
}

TEST_F(ArrowReaderTest, a_code_beyond_the_dictionary_is_an_error) {
  for (const std::int32_t code : {2, -1000}) {
    HandMadeStream stream = stream_of(
        dictionary_type("i"), {dictionary_array<std::int32_t>({0, code}, texts_array({"a", "b"}))});
    EXPECT_THAT(error_of([&] { read(stream); }), HasSubstr("column 'x': row 2 has the code"));
    EXPECT_EQ(stream.num_made, stream.num_released);
  }
}

TEST_F(ArrowReaderTest, doubles_without_nulls_in_one_chunk_are_borrowed_until_the_end) {
  HandMadeStream stream =
      stream_of({"g"}, {{2, {std::nullopt, bytes_of(std::vector<double>{9, 1, 2})}, 0, 1}});
  {
    Column column;
    { column = read(stream).column("x"); }
    EXPECT_EQ(column.values.data(), static_cast<const double*>(stream.buffers_made[1]) + 1);
    EXPECT_THAT(std::as_const(column).values, ElementsAre(1, 2));
    EXPECT_EQ(stream.num_made, stream.num_released + 1);
  }
  EXPECT_EQ(stream.num_made, stream.num_released);
}

TEST_F(ArrowReaderTest, doubles_of_a_sliced_batch_are_borrowed_from_where_it_begins) {
  const HandMadeArray values{3, {std::nullopt, bytes_of(std::vector<double>{9, 1, 2, 3})}, 0, 1};
  HandMadeStream stream(
      {.format = "+s", .children = {{"g", "x"}}},
      {{.length = 2, .buffers = {std::nullopt}, .offset = 1, .children = {values}}});
  const Table table = read(stream);
  EXPECT_TRUE(table.column("x").values.is_borrowed());
  EXPECT_THAT(table.column("x").values, ElementsAre(2, 3));
}

TEST_F(ArrowReaderTest, codes_of_32_bits_without_nulls_in_one_chunk_are_borrowed) {
  for (const char* index : {"i", "I"}) {
    HandMadeStream stream = stream_of(
        dictionary_type(index), {dictionary_array<std::int32_t>({1, 0}, texts_array({"a", "b"}))});
    {
      const Table table = read(stream);
      EXPECT_TRUE(table.column("x").codes.is_borrowed());
      EXPECT_THAT(texts_of(table.column("x")), ElementsAre("b", "a"));
    }
    EXPECT_EQ(stream.num_made, stream.num_released);
  }
}

TEST_F(ArrowReaderTest, buffers_that_are_not_aligned_are_copied) {
  const std::string bytes = "#######" + bytes_of(std::vector<double>{1, 2, 3, 4});
  HandMadeStream stream = stream_of({"g"}, {{4, {std::nullopt, bytes}}});
  ArrowArrayStream handle = stream.make();
  // Seven bytes on, where no double may stand.
  static auto real_next = handle.get_next;
  handle.get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    const int status = real_next(self, out);
    if (out->release != nullptr) {
      const void*& buffer = out->children[0]->buffers[1];
      buffer = static_cast<const char*>(buffer) + 7;
    }
    return status;
  };
  const Table table = read_arrow(&handle);
  EXPECT_FALSE(table.column("x").values.is_borrowed());
  EXPECT_THAT(table.column("x").values, ElementsAre(1, 2, 3, 4));
}

TEST_F(ArrowReaderTest, no_batches_give_a_table_without_rows) {
  HandMadeStream stream({.format = "+s", .children = {{"g", "a"}, {"u", "b"}}}, {});
  const Table table = read(stream);
  EXPECT_EQ(table.num_rows(), 0u);
  EXPECT_THAT(table.names(), ElementsAre("a", "b"));
  EXPECT_EQ(table.column("b").kind, ColumnKind::categorical);
}

TEST_F(ArrowReaderTest, a_batch_without_rows_still_declares_levels) {
  const Column column = read_chunks(dictionary_type("c"),
                                    {dictionary_array<std::int8_t>({}, texts_array({"a", "b"}))});
  EXPECT_EQ(column.size(), 0u);
  EXPECT_THAT(column.levels, ElementsAre("a", "b"));
}

TEST_F(ArrowReaderTest, a_stream_of_plain_arrays_is_a_table_of_one_column) {
  HandMadeStream stream({"g"}, {{2, {std::nullopt, bytes_of(std::vector<double>{1, 2})}}});
  EXPECT_THAT(texts_of(read(stream).column("x1")), ElementsAre("1", "2"));
  EXPECT_EQ(stream.num_made, stream.num_released);
}

TEST_F(ArrowReaderTest, columns_may_get_other_names) {
  const HandMadeType type{.format = "+s", .children = {{"g", "a"}, {"g", "a"}}};
  HandMadeStream stream(type, {}), short_of_names(type, {}), equal_names(type, {});
  ArrowArrayStream handle = stream.make(), other = short_of_names.make();
  EXPECT_THAT(read_arrow(&handle, {}, {"p", "q"}).names(), ElementsAre("p", "q"));
  EXPECT_EQ(error_of([&] { read_arrow(&other, {}, {"p"}); }),
            "1 names for 2 columns. Give one for each.");
  EXPECT_THAT(error_of([&] { read(equal_names); }), HasSubstr("both called 'a'"));
}

TEST_F(ArrowReaderTest, types_we_do_not_have_are_named_and_everything_is_released) {
  for (const auto& [format, name] :
       std::map<std::string, std::string>{{"+l", "list"}, {"z", "binary"}, {"tiM", "interval"}}) {
    HandMadeStream stream = stream_of({format}, {{1, {std::nullopt, "12345678"}}});
    EXPECT_THAT(error_of([&] { read(stream); }),
                HasSubstr("column 'x' is of the Arrow type " + name));
    EXPECT_EQ(stream.num_made, stream.num_released);
  }
}

TEST_F(ArrowReaderTest, a_stream_that_fails_is_an_error_and_everything_is_released) {
  const HandMadeArray chunk{1, {std::nullopt, bytes_of(std::vector<double>{1})}};
  HandMadeStream stream = stream_of({"g"}, {chunk, chunk});
  stream.fail_before = 1;
  EXPECT_THAT(error_of([&] { read(stream); }), HasSubstr("the disk is gone"));
  EXPECT_EQ(stream.num_made, stream.num_released);
}

TEST_F(ArrowReaderTest, rows_that_are_null_as_a_whole_are_refused) {
  const HandMadeArray values{2, {std::nullopt, bytes_of(std::vector<double>{1, 2})}};
  HandMadeStream stream(
      {.format = "+s", .children = {{"g", "x"}}},
      {{.length = 2, .buffers = {bits_of({1, 0})}, .null_count = 1, .children = {values}}});
  EXPECT_THAT(error_of([&] { read(stream); }), HasSubstr("null as a whole"));
  EXPECT_EQ(stream.num_made, stream.num_released);
}

TEST_F(ArrowReaderTest, columns_are_read_as_wished) {
  const HandMadeArray numbers{2, {std::nullopt, bytes_of(std::vector<double>{3, 2.5})}};
  EXPECT_THAT(read_chunks({"g"}, {numbers}, {{"x", {ColumnKind::categorical}}}).levels,
              ElementsAre("3", "2.5"));
  EXPECT_THAT(
      read_chunks({"u"}, {texts_array({"7", "TRUE"})}, {{"x", {ColumnKind::numeric}}}).values,
      ElementsAre(7, 1));
}

}  // namespace
}  // namespace softwood
