#include "linear/linear_part.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "data/encoder/curve_scale.h"

namespace softwood {
namespace {

using testing::ElementsAre;

/// A column of each kind, rows of random positions and random weights.
struct World {
  std::shared_ptr<const LinearFeatures> features = make_features();
  std::size_t num_rows, num_outputs;
  std::vector<float> positions;
  LinearPart part;

  World(std::size_t rows, std::size_t outputs, std::uint64_t seed)
      : num_rows(rows), num_outputs(outputs), part(features, outputs) {
    const RandomStream random(seed, "linear part test");
    std::uint64_t counter = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const double place = 4 * random.uniform(counter++);
      positions.push_back(static_cast<float>(place > 3 ? 4 : place));
    }
    for (std::size_t row = 0; row < rows; ++row)
      positions.push_back(static_cast<float>(random.below(counter++, 4)));
    for (std::size_t row = 0; row < rows; ++row)
      positions.push_back(static_cast<float>(2 * random.uniform(counter++) - 1));
    std::vector<float> weights, biases;
    for (std::size_t i = 0; i < features->size() * outputs; ++i)
      weights.push_back(static_cast<float>(2 * random.uniform(counter++) - 1));
    for (std::size_t i = 0; i < outputs; ++i)
      biases.push_back(static_cast<float>(random.uniform(counter++)));
    part = LinearPart(features, weights, biases);
  }

  static std::shared_ptr<const LinearFeatures> make_features() {
    std::vector<EncodedColumn> columns(3);
    columns[0].edges = {-1, 0, 10, 20};
    columns[0].mean = 2;
    columns[0].sd = 4;
    columns[1].kind = EncodedColumn::Kind::levels;
    columns[1].levels = {"a", "b"};
    columns[2].kind = EncodedColumn::Kind::linear;
    return std::make_shared<const LinearFeatures>(columns);
  }
  MatrixView<const float> view() const { return {positions.data(), 3, num_rows}; }

  std::vector<double> sums(int threads) const {
    std::vector<double> g(num_outputs * num_rows, 1.0);
    ThreadTeam team(threads);
    part.add_sums(view(), {g.data(), num_outputs, num_rows}, team);
    return g;
  }
  /// By raw values and indicators.
  double plain(std::size_t output, std::size_t row) const {
    const double edges[] = {-1, 0, 10, 20};
    const auto weight = [&](std::size_t feature) {
      return static_cast<double>(part.weights()[feature * num_outputs + output]);
    };
    double sum = static_cast<double>(part.biases()[output]);
    const double position = positions[row];
    if (position > 3) {
      sum += weight(1);
    } else {
      const auto bin = std::min<std::size_t>(static_cast<std::size_t>(position), 2);
      const double x = std::lerp(edges[bin], edges[bin + 1], position - static_cast<double>(bin));
      sum += weight(0) * (x - 2) / 4;
    }
    sum += weight(2 + static_cast<std::size_t>(positions[num_rows + row]));
    return sum + weight(6) * static_cast<double>(positions[2 * num_rows + row]);
  }
};

RC_GTEST_PROP(LinearPart, equals_plain_arithmetic_on_raw_values, ()) {
  const World world(*rc::gen::inRange<std::size_t>(1, 600), *rc::gen::inRange<std::size_t>(1, 5),
                    *rc::gen::arbitrary<std::uint64_t>());
  const std::vector<double> g = world.sums(1);
  for (std::size_t k = 0; k < world.num_outputs; ++k) {
    for (std::size_t row = 0; row < world.num_rows; ++row)
      RC_ASSERT(std::abs(g[k * world.num_rows + row] - 1 - world.plain(k, row)) < 1e-12);
  }
}

TEST(LinearPart, bits_depend_neither_on_threads_nor_on_the_other_rows) {
  const World world(1000, 3, 7);
  const std::vector<double> g = world.sums(1);
  EXPECT_EQ(world.sums(4), g);
  std::vector<std::uint32_t> rows{999, 0, 500, 500, 3};
  std::vector<double> some(3 * rows.size(), 1.0);
  world.part.add_sums(world.view(), rows, {some.data(), 3, rows.size()});
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_EQ(some[k * rows.size() + i], g[k * 1000 + rows[i]]);
  }
}

TEST(LinearPart, of_no_rows_there_is_nothing_to_do) {
  EXPECT_TRUE(World(0, 2, 1).sums(2).empty());
}

TEST(LinearPart, position_gradients_are_differences_of_sums) {
  const World world(200, 3, 11);
  std::vector<double> positions(world.positions.begin(), world.positions.end());
  std::vector<double> output_gradients(3 * 200), gradients(3 * 200);
  const RandomStream random(5, "output gradients");
  for (std::size_t i = 0; i < output_gradients.size(); ++i)
    output_gradients[i] = random.uniform(i) - 0.5;
  ThreadTeam team(2);
  world.part.add_position_gradients<double>({positions.data(), 3, 200},
                                            {output_gradients.data(), 3, 200},
                                            {gradients.data(), 3, 200}, team);
  const auto weighted_sum = [&](std::size_t row) {
    std::vector<double> g(3 * 200);
    world.part.add_sums<double>({positions.data(), 3, 200}, {g.data(), 3, 200}, team);
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += output_gradients[k * 200 + row] * g[k * 200 + row];
    return sum;
  };
  for (std::size_t column = 0; column < 3; ++column) {
    for (std::size_t row = 0; row < 20; ++row) {
      double& position = positions[column * 200 + row];
      const double before = weighted_sum(row), step = 1e-6;
      position += step;
      const double after = weighted_sum(row);
      position -= step;
      // Between levels and at missing there is no way.
      const bool fixed = column == 1 || (column == 0 && position > 3);
      EXPECT_NEAR(gradients[column * 200 + row], fixed ? 0.0 : (after - before) / step, 1e-6);
    }
  }
}

TEST(LinearPart, reads_the_columns_that_have_a_weight) {
  const World world(1, 2, 3);
  EXPECT_EQ(world.part.num_columns_read(), 3);
  std::vector<float> weights(world.features->size() * 2, 0.0F);
  weights[2 * 5 + 1] = 1;  // the missing level, for the second output
  const LinearPart part(world.features, weights, {1, 2});
  EXPECT_FALSE(part.reads(0));
  EXPECT_TRUE(part.reads(1));
  EXPECT_EQ(part.num_columns_read(), 1);
}

TEST(LinearPart, scaling_and_putting_touch_the_outputs_they_name) {
  const World world(50, 1, 4);
  LinearPart all(world.features, 3);
  all.put(world.part, 1);
  all.scale(1, 1, 2);
  std::vector<double> g(150);
  ThreadTeam team(1);
  all.add_sums(world.view(), {g.data(), 3, 50}, team);
  const std::vector<double> one = world.sums(1);
  for (std::size_t row = 0; row < 50; ++row) {
    EXPECT_EQ(g[row], 0);
    EXPECT_NEAR(g[50 + row], 2 * (one[row] - 1), 1e-6);
    EXPECT_EQ(g[100 + row], 0);
  }
}

}  // namespace
}  // namespace softwood
