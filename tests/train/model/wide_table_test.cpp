#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "model/model_access.h"
#include "softwood/train.h"

namespace softwood {
namespace {

/// Eighty columns, and a response that is linear in ten of them, with some noise.
Table linear_table(std::size_t num_rows, std::uint64_t seed) {
  const RandomStream random(seed, "wide table");
  std::vector<Column> columns(81);
  for (std::size_t c = 0; c < 80; ++c) {
    columns[c].name = "x" + std::to_string(c);
    for (std::size_t row = 0; row < num_rows; ++row)
      columns[c].values.push_back(2 * random.uniform(81 * row + c) - 1);
  }
  columns[80].name = "y";
  for (std::size_t row = 0; row < num_rows; ++row) {
    double y = 0.2 * random.uniform(81 * row + 80);
    for (std::size_t c = 0; c < 10; ++c) y += (c % 2 == 0 ? 1 : -2) * columns[c].values[row];
    columns[80].values.push_back(y);
  }
  return Table(columns);
}

TrainOptions some_options() {
  TrainOptions options;
  options.tasks = {{.target = "y", .loss = "squared"}};
  options.threads = 2;
  return options;
}

double mean_squared_error(const Model& model, const Table& table) {
  const Predictions predictions = model.predict(table);
  const Cells<double>& y = table.column("y").values;
  double sum = 0;
  for (std::size_t row = 0; row < y.size(); ++row)
    sum += std::pow(predictions["mean"][row] - y[row], 2);
  return sum / static_cast<double>(y.size());
}

TEST(WideTable, of_few_rows_and_a_linear_truth_is_learned_by_several_members_with_a_linear_part) {
  const Table table = linear_table(60, 1), unseen = linear_table(500, 2);
  const Model model = train(table, some_options());
  const ModelParts& parts = ModelAccess::parts(model);
  EXPECT_GT(parts.members.size(), 1u);
  const GroupRecord& last = parts.members[0].record.groups.back();
  EXPECT_EQ(last.kind, GroupKind::linear);
  EXPECT_GT(last.shares[0].weight, 0);
  for (const Member& member : parts.members) EXPECT_TRUE(member.linear.has_value());

  TrainOptions alone = some_options();
  alone.members = 1;
  const Model one = train(table, alone);
  EXPECT_FALSE(ModelAccess::parts(one).members[0].linear.has_value());
  EXPECT_LT(mean_squared_error(model, unseen), 0.9 * mean_squared_error(one, unseen));
}

TEST(WideTable, what_is_loaded_predicts_as_what_was_trained) {
  const Table table = linear_table(60, 1), unseen = linear_table(100, 2);
  TrainOptions options = some_options();
  options.epochs = 5;
  const Model trained = train(table, options);
  ASSERT_TRUE(ModelAccess::parts(trained).members[0].linear.has_value());
  const std::string bytes = trained.to_bytes();
  const Model loaded = Model::from_bytes(bytes);
  EXPECT_EQ(loaded.to_bytes(), bytes);
  EXPECT_EQ(loaded.describe(), trained.describe());
  const Predictions before = trained.predict(unseen), after = loaded.predict(unseen);
  for (std::size_t row = 0; row < 100; ++row) EXPECT_EQ(after["mean"][row], before["mean"][row]);
}

}  // namespace
}  // namespace softwood
