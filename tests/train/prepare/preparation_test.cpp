#include "train/prepare/preparation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// 300 rows: x, a category, y = x + noise, a weight, and z, which every third row lacks.
Table some_table() {
  const RandomStream random(3, "preparation test");
  Column x{.name = "x"}, y{.name = "y"}, z{.name = "z"}, w{.name = "w"}, kind{.name = "kind"};
  kind.kind = ColumnKind::categorical;
  kind.levels = {"a", "b"};
  for (std::size_t row = 0; row < 300; ++row) {
    x.values.push_back(static_cast<double>(row * row));
    kind.codes.push_back(row % 2 == 0 ? 0 : 1);
    y.values.push_back(static_cast<double>(row) + random.uniform(row));
    z.values.push_back(row % 3 == 0 ? kMissing : 2 * y.values[row]);
    w.values.push_back(row < 10 ? 5 : 2);
  }
  return Table({x, kind, y, z, w});
}

TrainOptions options_for(std::vector<std::string> targets) {
  TrainOptions options;
  for (const std::string& target : targets) options.tasks.push_back({.target = target});
  options.members = 1;
  options.threads = 1;
  options.drop = {"w"};
  return options;
}

struct Heard {
  std::vector<std::string> notes, warnings;
  Words words() {
    return {.note = [this](const std::string& text) { notes.push_back(text); },
            .warn = [this](const std::string& text) { warnings.push_back(text); }};
  }
};

Preparation prepared(const TrainOptions& options, const Table& table = some_table(),
                     const Table* validation = nullptr) {
  Heard heard;
  return prepare(table, validation, options, heard.words());
}

TEST(Preparation, tasks_are_counted_and_have_units_of_the_training_rows) {
  const Preparation ready = prepared(options_for({"y", "z"}));
  ASSERT_EQ(ready.tasks.size(), 2u);
  EXPECT_EQ(ready.tasks.num_outputs(), 2u);
  EXPECT_EQ(ready.tasks[1].first_output, 1u);
  const TrainingAndValidation sides = ready.sides(0);
  double sum = 0;
  for (const double y : sides.training.responses[0].y) sum += y;
  const double mean = sum / static_cast<double>(sides.training.size());
  EXPECT_NEAR(ready.tasks[0].units.offset[0], mean, 1e-6 * mean);
}

TEST(Preparation, the_sides_part_the_rows_and_copy_no_position) {
  const Preparation ready = prepared(options_for({"y"}));
  const TrainingAndValidation sides = ready.sides(0);
  EXPECT_THAT(sides.training, testing::Property(&Examples::size, 240u));
  EXPECT_THAT(sides.validation, testing::Property(&Examples::size, 60u));
  std::set<std::uint32_t> all(sides.training.rows.begin(), sides.training.rows.end());
  all.insert(sides.validation.rows.begin(), sides.validation.rows.end());
  EXPECT_THAT(all, SizeIs(300));
  EXPECT_EQ(sides.training.positions.data, ready.rows.positions.data());
  EXPECT_EQ(sides.validation.positions.data, ready.rows.positions.data());
}

TEST(Preparation, members_share_one_encoded_table) {
  TrainOptions options = options_for({"y"});
  options.members = 5;
  const Preparation ready = prepared(options);
  ASSERT_THAT(ready.splits, SizeIs(5));
  std::set<std::uint32_t> validated;
  for (std::size_t member = 0; member < 5; ++member) {
    const TrainingAndValidation sides = ready.sides(member);
    EXPECT_EQ(sides.training.positions.data, ready.rows.positions.data());
    validated.insert(sides.validation.rows.begin(), sides.validation.rows.end());
  }
  EXPECT_THAT(validated, SizeIs(300));
}

TEST(Preparation, the_rows_of_all_folds_are_judged_member_after_member) {
  TrainOptions options = options_for({"y", "z"});
  options.members = 3;
  options.weight = "w";
  options.drop = {};
  const Preparation ready = prepared(options);
  const Examples judged = ready.judged();
  std::vector<std::uint32_t> rows;
  std::vector<double> y;
  for (std::size_t member = 0; member < 3; ++member) {
    const Examples own = ready.sides(member).validation;
    rows.insert(rows.end(), own.rows.begin(), own.rows.end());
    y.insert(y.end(), own.responses[0].y.begin(), own.responses[0].y.end());
  }
  EXPECT_THAT(rows, SizeIs(300));
  EXPECT_EQ(judged.rows, rows);
  EXPECT_EQ(judged.responses[0].y, y);
  double sum = 0;
  for (const double weight : judged.weights) sum += weight;
  EXPECT_NEAR(sum, 300, 1e-9);
  EXPECT_EQ(prepared(options_for({"y"})).judged().rows,
            prepared(options_for({"y"})).sides(0).validation.rows);
}

TEST(Preparation, who_says_nothing_of_members_gets_several_of_few_rows) {
  TrainOptions options = options_for({"y"});
  options.members.reset();
  const Preparation ready = prepared(options);
  ASSERT_GT(ready.splits.size(), 1u);
  EXPECT_EQ(ready.options.members, static_cast<int>(ready.splits.size()));
  EXPECT_TRUE(ready.settings.has_linear);
  const Table table = some_table();
  EXPECT_THAT(prepared(options, table, &table).splits, SizeIs(1));
}

TEST(Preparation, there_are_no_more_members_than_can_be_dealt) {
  const Table table = some_table();
  TrainOptions options = options_for({"y"});
  options.members.reset();
  options.keep_together = "kind";  // two of them
  EXPECT_THAT(prepared(options, table).splits, SizeIs(2));
  options.keep_together.clear();
  for (const std::size_t num_rows : {2u, 3u, 7u}) {
    std::vector<Column> columns = table.columns();
    for (Column& column : columns) {
      if (column.kind == ColumnKind::categorical)
        column.codes.resize(num_rows);
      else
        column.values.resize(num_rows);
    }
    const std::size_t most = std::max<std::size_t>(1, num_rows / 2);  // two rows a fold
    EXPECT_THAT(prepared(options, Table(columns)).splits, SizeIs(most));
  }
}

TEST(Preparation, the_encoder_knows_the_training_rows_alone) {
  Table table = some_table();
  std::vector<Column> columns = table.columns();
  Column mark{.name = "test"};
  for (std::size_t row = 0; row < 300; ++row) mark.values.push_back(row >= 200 ? 1 : 0);
  columns.push_back(mark);
  TrainOptions options = options_for({"y"});
  options.valid_column = "test";
  const Preparation ready = prepared(options, Table(columns));
  const EncodedColumn& x = ready.encoder.columns()[0];
  EXPECT_EQ(x.edges.front(), 0);
  EXPECT_EQ(x.edges.back(), 199 * 199);
}

TEST(Preparation, weights_have_mean_one_on_each_side) {
  TrainOptions options = options_for({"y"});
  options.weight = "w";
  options.drop = {};
  const TrainingAndValidation sides = prepared(options).sides(0);
  for (const Examples* side : {&sides.training, &sides.validation}) {
    double sum = 0;
    for (const double weight : side->weights) sum += weight;
    EXPECT_NEAR(sum, static_cast<double>(side->size()), 1e-9);
  }
  EXPECT_THAT(sides.training.weights, Not(Each(1.0)));
}

TEST(Preparation, a_validation_table_of_its_own_is_encoded_alike) {
  const Table table = some_table();
  const Preparation ready = prepared(options_for({"y"}), table, &table);
  const TrainingAndValidation sides = ready.sides(0);
  ASSERT_EQ(sides.training.size(), 300u);
  ASSERT_EQ(sides.validation.size(), 300u);
  EXPECT_NE(sides.training.positions.data, sides.validation.positions.data);
  for (std::size_t row = 0; row < 300; ++row)
    EXPECT_EQ(sides.training.positions(0, row), sides.validation.positions(0, row));
}

TEST(Preparation, rows_without_any_response_are_left_out_and_told) {
  Heard heard;
  const Table table = some_table();
  const Preparation ready = prepare(table, nullptr, options_for({"z"}), heard.words());
  EXPECT_THAT(ready.learnable, SizeIs(200));
  EXPECT_THAT(heard.notes, testing::Contains(HasSubstr("100")));
  EXPECT_THAT(heard.warnings, IsEmpty());
}

TEST(Preparation, what_looks_like_an_id_is_a_warning) {
  Table table = some_table();
  std::vector<Column> columns = table.columns();
  Column id{.name = "id"};
  for (std::size_t row = 0; row < 300; ++row) id.values.push_back(1000 + static_cast<double>(row));
  columns.push_back(id);
  Heard heard;
  prepare(Table(columns), nullptr, options_for({"y"}), heard.words());
  EXPECT_THAT(heard.warnings, testing::Contains(HasSubstr("--drop id")));
}

TEST(Preparation, mistakes_are_named) {
  const auto error_of = [](const TrainOptions& options, const Table* validation = nullptr) {
    try {
      prepared(options, some_table(), validation);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error_of(options_for({"y", "y"})), HasSubstr("two tasks"));
  EXPECT_THAT(error_of(options_for({"yy"})), HasSubstr("'yy'"));
  TrainOptions members = options_for({"y"});
  members.members = 3;
  const Table table = some_table();
  EXPECT_THAT(error_of(members, &table), HasSubstr("validation table"));
  TrainOptions all = options_for({"y"});
  all.valid_fraction = 0.999;
  EXPECT_THAT(error_of(all), HasSubstr("none to learn from"));
}

TEST(Preparation, who_says_stop_is_heard) {
  Heard heard;
  EXPECT_THROW(
      prepare(some_table(), nullptr, options_for({"y"}), heard.words(), [] { throw Stopped(); }),
      Stopped);
}

}  // namespace
}  // namespace softwood
