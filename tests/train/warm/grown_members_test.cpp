#include "train/warm/grown_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/member_sums.h"
#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "train/train_parts.h"
#include "train/warm/new_classes.h"

namespace softwood {
namespace {

using testing::HasSubstr;

/// Two tasks, a linear part, coarse and fine scales; x2 is not a feature.
ModelParts two_tasks(const Table& table) {
  TrainOptions options;
  options.tasks = {{.target = "label", .loss = "softmax"}, {.target = "y", .loss = "squared"}};
  options.features = {"x1", "city"};
  options.ensemble = "wide=4,rest_narrow=6,own_narrow=4,linear";
  options.epochs = 6;
  options.members = 2;
  return train_parts({.table = &table}, options, {});
}

std::vector<double> outputs_of(const ModelParts& model, const Table& table, std::size_t member) {
  const Rows rows = model.encoder.encode(table, 1);
  ThreadTeam team(1);
  return member_sums(model.members[member], rows.view(), team);
}

Encoder encoder_of(const Table& table, const std::string& feature) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.num_rows(); ++row) rows.push_back(row);
  return Encoder::fit(table, rows, {.features = {feature}, .bins = 4, .fine_bins = 8});
}

/// As synthetic_table(), with a city that the model has not met.
Table with_new_city(std::size_t num_rows) {
  const Table plain = synthetic_table(num_rows, 2);
  std::vector<Column> columns = plain.columns();
  for (Column& column : columns) {
    if (column.name != "city") continue;
    column.levels.emplace_back("d");
    for (std::size_t row = 0; row < num_rows; row += 4) column.codes[row] = 3;
  }
  return Table(std::move(columns));
}

TEST(GrownMembers, say_what_they_said_of_new_levels_columns_and_old_classes) {
  const Table table = synthetic_table(200);
  const ModelParts before = two_tasks(table);
  ModelParts grown = before;
  grown.encoder.add_levels(1, std::vector<std::string>{"d", "e"});
  grown.encoder.append(encoder_of(table, "x2"));
  grown.tasks[0].labels.emplace_back("middle");
  grown.tasks[0].units.offset.push_back(-2);
  grown.tasks[0].units.unit.push_back(1);
  grown.tasks.replace_program(0, LossProgram::compile(grown.tasks[0].program.source(), 3));
  grow_members(grown, before.encoder, before.tasks);

  const Table seen = with_new_city(120);
  for (std::size_t member = 0; member < 2; ++member) {
    ASSERT_TRUE(grown.members[member].linear.has_value());
    const std::vector<double> old = outputs_of(before, seen, member);
    const std::vector<double> now = outputs_of(grown, seen, member);
    ASSERT_EQ(old.size(), 3u * 120);
    ASSERT_EQ(now.size(), 4u * 120);
    for (std::size_t row = 0; row < 120; ++row) {
      for (const std::size_t output : {0u, 1u})
        EXPECT_NEAR(now[output * 120 + row], old[output * 120 + row], 1e-6);
      EXPECT_EQ(now[2 * 120 + row], 0) << "nothing adds to a new class";
      EXPECT_NEAR(now[3 * 120 + row], old[2 * 120 + row], 1e-6);
    }
    EXPECT_EQ(grown.members[member].offset[2], -2);
    EXPECT_EQ(grown.members[member].offset[3], before.members[member].offset[2]);
  }
}

TEST(GrownMembers, new_classes_are_as_probable_as_they_are_frequent) {
  const Table table = synthetic_table(200);
  const ModelParts before = two_tasks(table);
  ModelParts grown = before;
  const Table plain = synthetic_table(100, 3);
  std::vector<Column> columns = plain.columns();
  for (Column& column : columns) {
    if (column.name != "label") continue;
    column.levels.emplace_back("middle");
    for (std::size_t row = 0; row < 25; ++row) column.codes[row] = 2;
  }
  const Table seen{std::move(columns)};
  std::vector<std::string> notes;
  const auto note = [&](const std::string& text) { notes.push_back(text); };
  add_new_classes(grown.tasks, {&seen}, {note, note});
  ASSERT_EQ(grown.tasks[0].labels.back(), "middle");
  EXPECT_THAT(notes, testing::Contains(HasSubstr("middle")));
  grow_members(grown, before.encoder, before.tasks);

  const Rows rows = grown.encoder.encode(seen, 1);
  std::vector<std::uint32_t> all;
  for (std::uint32_t row = 0; row < 100; ++row) all.push_back(row);
  const std::vector<Responses> responses = {read_responses(grown.tasks[0], seen),
                                            read_responses(grown.tasks[1], seen)};
  ThreadTeam team(1);
  find_offsets_of_new_classes(grown, before.tasks, {rows.view(), all}, responses, team);
  const std::vector<double> g = outputs_of(grown, seen, 0);
  double mean_odds = 0;  // in logarithms
  for (std::size_t row = 0; row < 100; ++row) {
    const auto f = [&](std::size_t k) {
      return grown.members[0].offset[k] + grown.tasks[0].units.unit[k] * g[k * 100 + row];
    };
    mean_odds += f(2) - std::log(std::exp(f(0)) + std::exp(f(1)));
  }
  EXPECT_NEAR(mean_odds / 100, std::log(25.0 / 75), 0.15);  // the other member shares the offset
}

TEST(GrownMembers, losses_that_are_no_softmax_take_no_new_class) {
  const Table table = synthetic_table(60);
  TrainOptions options = quick_options("label", "logistic");
  const ModelParts model = train_parts({.table = &table}, options, {});
  std::vector<Column> columns = table.columns();
  for (Column& column : columns) {
    if (column.name != "label") continue;
    column.levels.emplace_back("middle");
    column.codes[0] = 2;
  }
  const Table seen{std::move(columns)};
  const auto note = [](const std::string&) {};
  Tasks tasks = model.tasks;
  try {
    add_new_classes(tasks, {&seen}, {note, note});
    FAIL() << "three classes by a logistic loss";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(HasSubstr("middle"), HasSubstr("logistic"), HasSubstr("softmax")));
  }
}

}  // namespace
}  // namespace softwood
