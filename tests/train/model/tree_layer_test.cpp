#include "model/layer/tree_layer.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/layer/layer_pass.h"
#include "model/model_access.h"
#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "softwood/train.h"
#include "task/raw_outputs.h"
#include "tree/tree_sums.h"

namespace softwood {
namespace {

/// Values that floats hold exactly, so that a layer in float sees what the encoder sees.
Table float_table() {
  std::vector<Column> columns = synthetic_table(300).columns();
  for (Column& column : columns) {
    for (double& value : column.values) value = static_cast<float>(value);
  }
  return Table(columns);
}

Model two_task_model() {
  TrainOptions options = quick_options("y", "squared");
  options.tasks.push_back({.target = "count", .loss = "poisson"});
  options.epochs = 2;
  return train(float_table(), options);
}

template <class T>
PlainNumbers<T> numbers_as(const PlainNumbers<float>& from) {
  PlainNumbers<T> to({from.curves.size(), from.biases.size(), from.leaves.size()});
  std::ranges::copy(from.curves, to.curves.begin());
  std::ranges::copy(from.biases, to.biases.begin());
  std::ranges::copy(from.leaves, to.leaves.begin());
  return to;
}

/// f [rows × outputs] of a whole table.
template <class T>
std::vector<T> evaluate(const TreeLayer& layer, const Encoder& encoder, const Table& table) {
  ThreadTeam team(2);
  const std::vector<double> raw = encoder.raw_inputs(table, 1);
  const std::vector<T> x(raw.begin(), raw.end());
  std::vector<T> out(table.num_rows() * layer.num_outputs());
  const PlainNumbers<T> values = numbers_as<T>(layer.start());
  evaluate_layer<T>(layer, values.view(), {x.data(), table.num_rows(), layer.num_inputs()},
                    {out.data(), table.num_rows(), layer.num_outputs()}, team);
  return out;
}

TEST(TreeLayer, of_a_model_gives_its_raw_outputs) {
  const Model model = two_task_model();
  const ModelParts& parts = ModelAccess::parts(model);
  const Table table = float_table();
  const TreeLayer layer(model, 0);
  ThreadTeam team(1);
  const Member& member = parts.members[0];
  const std::vector<double> f = in_units(
      parts.tasks, member.offset,
      tree_sums(member.ensemble, member.values, parts.encoder.encode(table, 1).view(), team));
  const std::vector<float> single = evaluate<float>(layer, parts.encoder, table);
  const std::vector<double> exact = evaluate<double>(layer, parts.encoder, table);
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double truth = f[k * table.num_rows() + row];
      ASSERT_EQ(single[row * 2 + k], static_cast<float>(truth));  // to the bit
      ASSERT_NEAR(exact[row * 2 + k], truth, 1e-5);
    }
  }
}

TEST(TreeLayer, values_go_back_into_a_copy_of_the_model) {
  const Model model = two_task_model();
  const TreeLayer layer(model, 0);
  PlainNumbers<float> values = layer.start();
  EXPECT_EQ(layer.put_into(model, std::as_const(values).view()).to_bytes(), model.to_bytes());
  std::ranges::fill(values.leaves, 0.0F);
  const Model stump = layer.put_into(model, std::as_const(values).view());
  const Predictions flat = stump.predict(float_table());
  for (const double mean : flat["y.mean"]) {
    ASSERT_EQ(mean, ModelAccess::parts(model).members[0].offset[0]);
  }
}

TEST(TreeLayer, refuses_a_model_of_another_shape_and_a_member_that_is_not_there) {
  const Model model = two_task_model();
  const Model other = train(float_table(), quick_options("y", "squared"));
  const TreeLayer layer(model, 0);
  EXPECT_THROW(layer.put_into(other, std::as_const(layer).start().view()), Error);
  EXPECT_THROW(TreeLayer(model, 1), Error);
}

TEST(TreeLayer, fresh_trees_have_one_row_of_weights_per_split) {
  const TreeLayer layer(FreshTrees{.num_inputs = 5, .num_outputs = 2, .num_trees = 40});
  const LayerShapes shapes = layer.shapes();
  EXPECT_THAT(shapes.curves, testing::ElementsAre(40, 7, 5));
  EXPECT_THAT(shapes.biases, testing::ElementsAre(40, 7));
  EXPECT_THAT(shapes.leaves, testing::ElementsAre(40, 8, 2));
  const PlainNumbers<float> start = layer.start();
  for (const float weight : start.curves) ASSERT_LE(std::abs(weight), std::sqrt(6.0 / 45));
}

TEST(TreeLayer, a_fresh_layer_reads_numbers_as_they_are) {
  const TreeLayer layer(
      FreshTrees{.num_inputs = 1, .num_outputs = 1, .num_trees = 1, .depth = 1, .gamma = 2});
  PlainNumbers<double> values = numbers_as<double>(layer.start());
  values.curves = {0.5};
  values.biases = {0.25};
  values.leaves = {3, -1};
  ThreadTeam team(1);
  const double x = 0.5;
  double out = 0;
  evaluate_layer<double>(layer, std::as_const(values).view(), {&x, 1, 1}, {&out, 1, 1}, team);
  const double u = (0.5 * x + 0.25) / 2 + 0.5;
  const double left = u * u * (3 - 2 * u);
  EXPECT_NEAR(out, 3 * left - (1 - left), 1e-15);
}

TEST(TreeLayer, numbers_out_of_range_are_named) {
  EXPECT_THROW(TreeLayer(FreshTrees{.num_inputs = 0, .num_outputs = 1}), Error);
  EXPECT_THROW(TreeLayer(FreshTrees{.num_inputs = 1, .num_outputs = std::size_t{1} << 60}), Error);
  EXPECT_THROW(TreeLayer(FreshTrees{.num_inputs = 1, .num_outputs = 1, .depth = 13}), Error);
}

}  // namespace
}  // namespace softwood
