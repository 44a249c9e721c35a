#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "data/encoder/encoder.h"
#include "data/reading.h"

namespace softwood {
namespace {

using nlohmann::json;

Table mixed_table() {
  return read_csv_text(
      "a,c,d\n0.1,red,13/01/2004 10:30\n1e-300,blue,01/02/2004\n0.3333333333333333,red,01/02/2005\n"
      "12345678.9,\"Gr\xC3\xBC\xC3\x9F, \"\"x\"\"\",\n,red,\n7,blue,01/02/2007\n");
}

Encoder mixed_encoder(bool linear = false) {
  const Table table = mixed_table();
  std::vector<std::uint32_t> rows(table.num_rows());
  std::iota(rows.begin(), rows.end(), 0u);
  return Encoder::fit(
      table, rows, {.features = table.names(), .bins = 3, .linear = linear, .min_level_count = 1});
}

TEST(EncoderJson, an_encoder_comes_back_from_text_exactly) {
  for (const bool linear : {false, true}) {
    const Encoder encoder = mixed_encoder(linear);
    const std::string text = encoder.to_json().dump();
    const Encoder again = Encoder::from_json(json::parse(text));
    EXPECT_EQ(again.to_json().dump(), text);
    EXPECT_EQ(again.describe(), encoder.describe());
    EXPECT_EQ(again.encode(mixed_table(), 1).positions, encoder.encode(mixed_table(), 1).positions);
    ASSERT_EQ(again.columns().size(), encoder.columns().size());
    for (std::size_t column = 0; column < again.columns().size(); ++column) {
      EXPECT_EQ(again.columns()[column].edges, encoder.columns()[column].edges);
      EXPECT_EQ(again.columns()[column].mean, encoder.columns()[column].mean);
    }
    ASSERT_EQ(again.read_as().size(), encoder.read_as().size());
    for (const auto& [name, read] : encoder.read_as()) {
      EXPECT_EQ(again.read_as().at(name).kind, read.kind);
      EXPECT_EQ(again.read_as().at(name).date_order, read.date_order);
    }
  }
}

/// Column a has five values: a coarse scale of two bins, a fine one of four.
Encoder two_scale_encoder() {
  const Table table = mixed_table();
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3, 4, 5};
  return Encoder::fit(table, rows, {.features = {"a", "c"}, .bins = 2, .fine_bins = 8});
}

TEST(EncoderJson, dates_that_come_from_no_text_come_back) {
  Table table({Column{.name = "when", .kind = ColumnKind::datetime, .values = {0, 1e6, 2e8, 3e8}}});
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3};
  const Encoder encoder = Encoder::fit(table, rows, {.features = {"when"}, .bins = 2});
  const Encoder again = Encoder::from_json(encoder.to_json());
  EXPECT_EQ(again.encode(table, 1).positions, encoder.encode(table, 1).positions);
  EXPECT_EQ(again.read_as().at("when").date_order, "ymd");
}

TEST(EncoderJson, a_coarse_scale_comes_back_too) {
  const Encoder encoder = two_scale_encoder();
  ASSERT_EQ(encoder.columns()[0].coarse.size(), 3u);
  const std::string text = encoder.to_json().dump();
  const Encoder again = Encoder::from_json(json::parse(text));
  EXPECT_EQ(again.to_json().dump(), text);
  EXPECT_EQ(again.columns()[0].coarse, encoder.columns()[0].coarse);
  EXPECT_EQ(coarse_positions(again.columns()[0]), coarse_positions(encoder.columns()[0]));
  EXPECT_EQ(again.encode(mixed_table(), 1).positions, encoder.encode(mixed_table(), 1).positions);
}

/// What from_json says to a valid encoder after `damage`.
template <class Damage>
std::string damaged(const Damage& damage, const Encoder& encoder = mixed_encoder()) {
  json text = encoder.to_json();
  damage(text);
  return error_of([&] { Encoder::from_json(text); });
}

TEST(EncoderJson, nonsense_is_an_error) {
  using testing::HasSubstr;
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["edges"] = {1, 1}; }), HasSubstr("ascend"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["edges"] = {2, 1}; }), HasSubstr("ascend"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["edges"] = {1}; }), HasSubstr("two edges"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["edges"][0] = nullptr; }),
              HasSubstr("'edges' is no number"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["edges"][0] = "x"; }),
              HasSubstr("'edges' is no number"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["sd"] = 0; }), HasSubstr("sd"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["kind"] = "spline"; }), HasSubstr("'spline'"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0].erase("source"); }), HasSubstr("source"));
  EXPECT_THAT(damaged([](json& j) { j["columns"][0]["part"] = "century"; }), HasSubstr("part"));
  EXPECT_THAT(damaged([](json& j) {
                j["columns"][1]["levels"] = {"a", "a"};
              }),
              HasSubstr("repeats"));
  EXPECT_THAT(damaged([](json& j) { j["columns"].push_back(j["columns"][0]); }),
              HasSubstr("twice"));
  EXPECT_THAT(damaged([](json& j) { j["columns"] = json::array(); }), HasSubstr("no columns"));
  EXPECT_THAT(damaged([](json& j) { j["date_orders"]["d"] = "ydm"; }), HasSubstr("date order"));
  EXPECT_THAT(damaged([](json& j) { j.erase("date_orders"); }),
              HasSubstr("'date_orders' is missing"));
  EXPECT_THAT(damaged([](json& j) { j = 7; }), HasSubstr("no object"));
}

TEST(EncoderJson, a_coarse_scale_that_does_not_fit_is_an_error) {
  const Encoder encoder = two_scale_encoder();
  const auto with = [&](const json& coarse) {
    return damaged([&](json& j) { j["columns"][0]["coarse"] = coarse; }, encoder);
  };
  const auto last = static_cast<unsigned>(encoder.columns()[0].edges.size() - 1);
  EXPECT_EQ(last, encoder.columns()[0].coarse.back());
  for (const json& coarse :
       {json{0}, json{1, last}, json{0, last - 1}, json{0, last + 1}, json{0, 2, 2, last},
        json{0, 3, 2, last}, json{last, 0}, json{0, 4294967295U}}) {
    EXPECT_THAT(with(coarse), testing::HasSubstr("coarse")) << coarse;
  }
  EXPECT_THAT(with("x"), testing::HasSubstr("no list"));
}

}  // namespace
}  // namespace softwood
