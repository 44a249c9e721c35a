#include "train/linear/fit_linear.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/solve_definite.h"
#include "train/linear/linear_scene.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The response of a squared-error task: truth and noise.
std::vector<double> noisy(const LinearScene& scene, double noise, std::uint64_t seed = 1) {
  std::vector<double> y;
  for (std::size_t row = 0; row < scene.num_rows(); ++row)
    y.push_back(3 + 2 * scene.truth(row) + noise * scene.normal(seed, row));
  return y;
}

double r_squared(const std::vector<double>& y, const std::vector<double>& f) {
  double mean = 0, total = 0, left = 0;
  for (const double value : y) mean += value / static_cast<double>(y.size());
  for (std::size_t row = 0; row < y.size(); ++row) {
    total += (y[row] - mean) * (y[row] - mean);
    left += (y[row] - f[row]) * (y[row] - f[row]);
  }
  return 1 - left / total;
}

/// Weights of the features that the training rows tell, and last the bias, by normal equations.
std::vector<double> normal_equations(const LinearScene& scene, const Examples& examples,
                                     double penalty, std::size_t without_row = 1 << 30) {
  const LinearFeatures features(scene.encoder.columns());
  const Task& task = scene.tasks[0];
  const std::size_t n = features.size() + 1;
  std::vector<double> matrix(n * n), b(n), solution;
  double total = 0;
  for (std::size_t row = 0; row < examples.size(); ++row) {
    if (!std::isnan(examples.responses[0].y[row])) total += examples.weight(row);
  }
  // With loss (y − f)², f = offset + unit·g: half its second derivative by g.
  const double unit = task.units.unit[0], half_width = unit * unit / task.units.loss_scale;
  for (std::size_t row = 0; row < examples.size(); ++row) {
    if (std::isnan(examples.responses[0].y[row]) || row == without_row) continue;
    std::vector<double> values(n);
    values[n - 1] = 1;
    for (std::size_t column = 0; column < features.num_columns(); ++column) {
      const auto place = features.place(column, examples.positions(column, examples.rows[row]));
      values[place.feature] = place.value;
    }
    const double target = (examples.responses[0].y[row] - task.units.offset[0]) / unit;
    const double share = 2 * half_width * examples.weight(row) / total;
    for (std::size_t i = 0; i < n; ++i) {
      b[i] += share * values[i] * target;
      for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] += share * values[i] * values[j];
    }
  }
  for (std::size_t i = 0; i + 1 < n; ++i) matrix[i * n + i] += penalty;
  EXPECT_TRUE(solve_definite(matrix, 0, b, solution));
  return solution;
}

void expect_normal_equations(const LinearScene& scene, const LinearFit& fit) {
  ASSERT_EQ(fit.members.size(), scene.training.size());
  for (std::size_t member = 0; member < fit.members.size(); ++member) {
    const std::vector<double> expected =
        normal_equations(scene, scene.training[member], fit.penalties[0]);
    const auto weights = fit.members[member].weights();
    for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_NEAR(weights[i], expected[i], 1e-5);
    EXPECT_NEAR(fit.members[member].biases()[0], expected.back(), 1e-5);
  }
}

TEST(FitLinear, squared_error_solves_the_normal_equations) {
  LinearScene scene(120, 5, 1);
  scene.encode();
  scene.add_task("squared", noisy(scene, 1));
  scene.split(3, 3);
  expect_normal_equations(scene, scene.fit());
}

TEST(FitLinear, and_so_with_more_columns_than_rows) {
  LinearScene scene(40, 70, 2);
  scene.encode();
  scene.add_task("squared", noisy(scene, 1));
  scene.split(4, 4);
  expect_normal_equations(scene, scene.fit());
}

TEST(FitLinear, and_so_with_categories_missing_cells_weights_and_missing_responses) {
  LinearScene scene(150, 4, 3);
  std::vector<double> y = noisy(scene, 0.5);
  Column city{.name = "city", .kind = ColumnKind::categorical, .levels = {"a", "b", "c"}};
  for (std::size_t row = 0; row < 150; ++row) {
    const auto code = static_cast<std::int32_t>(row * 7 % 5) - 1;
    city.codes.push_back(std::min(code, 2));
    y[row] += code;
    if (row % 11 == 0) scene.x[1][row] = kMissing;
    if (row % 13 == 0) y[row] = kMissing;
    scene.weights.push_back(0.2 + static_cast<double>(row % 4));
  }
  scene.encode({city});
  scene.add_task("squared", y);
  scene.split(3, 3);
  expect_normal_equations(scene, scene.fit());
}

TEST(FitLinear, a_formula_of_ones_own_is_solved_as_its_twin) {
  LinearScene scene(100, 3, 4);
  scene.encode();
  scene.add_task("squared", noisy(scene, 1));
  scene.add_task("(y - f)^2", noisy(scene, 1));
  scene.split(5, 5);
  const LinearFit fit = scene.fit();
  EXPECT_EQ(fit.penalties[0], fit.penalties[1]);
  for (std::size_t i = 0; i < fit.members[0].weights().size(); i += 2)
    EXPECT_EQ(fit.members[0].weights()[i], fit.members[0].weights()[i + 1]);
}

TEST(FitLinear, weight_two_equals_the_row_twice) {
  LinearScene weighted(60, 3, 5), twice(60, 3, 5);
  std::vector<double> y = noisy(weighted, 1), y_twice = y;
  for (std::size_t row = 0; row < 60; ++row) {
    weighted.weights.push_back(row % 3 == 0 ? 2 : 1);
    if (row % 3 != 0) continue;
    y_twice.push_back(y[row]);
    for (std::vector<double>& column : twice.x) column.push_back(column[row]);
  }
  const auto positive = [](double value) { return value > 3 ? 1.0 : 0.0; };
  for (auto* scene : {&weighted, &twice}) {
    std::vector<double>& own = scene == &weighted ? y : y_twice;
    scene->encode({}, true);
    scene->add_task("squared", own);
    std::vector<double> above;
    for (const double value : own) above.push_back(positive(value));
    scene->add_task("logistic", above, 2);
  }
  twice.encoder = weighted.encoder;
  twice.rows = twice.encoder.encode(twice.table, 1);
  weighted.split(1, 1);
  twice.split(1, 1);
  // Judged on the same rows, so that the penalties are the same.
  weighted.validation = weighted.training;
  twice.validation = twice.training;
  const LinearFit a = weighted.fit(), b = twice.fit();
  for (std::size_t i = 0; i < a.members[0].weights().size(); ++i)
    EXPECT_NEAR(a.members[0].weights()[i], b.members[0].weights()[i], 1e-4);
}

TEST(FitLinear, scores_are_those_of_the_members_on_their_validation_rows) {
  LinearScene scene(90, 4, 6);
  scene.encode();
  scene.add_task("squared", noisy(scene, 1));
  std::vector<double> counts;
  for (std::size_t row = 0; row < 90; ++row) counts.push_back(static_cast<double>(row % 4));
  scene.add_task("nb", counts);
  scene.split(3, 3);
  const LinearFit fit = scene.fit();
  for (std::size_t member = 0; member < 3; ++member)
    EXPECT_EQ(fit.scores[member], sums(fit.members[member], scene.validation[member]));
}

TEST(FitLinear, leaving_a_row_out_is_exact_for_squared_error) {
  for (const std::size_t num_columns : {4, 40}) {
    LinearScene scene(30, num_columns, 7);
    std::vector<double> y = noisy(scene, 1);
    y[4] = kMissing;
    for (std::size_t row = 0; row < 30; ++row) scene.weights.push_back(row % 2 == 0 ? 1 : 2);
    scene.encode();
    scene.add_task("squared", y);
    scene.split(3, 3);
    const LinearFit fit = scene.fit();
    const LinearFeatures features(scene.encoder.columns());
    const Examples& examples = scene.training[0];
    for (std::size_t row = 0; row < examples.size(); ++row) {
      const std::vector<double> weights = normal_equations(scene, examples, fit.penalties[0], row);
      double g = weights.back();
      for (std::size_t column = 0; column < features.num_columns(); ++column) {
        const auto place = features.place(column, examples.positions(column, examples.rows[row]));
        g += weights[place.feature] * place.value;
      }
      EXPECT_NEAR(fit.training_scores[0][row], g, 1e-5) << row;
    }
  }
}

TEST(FitLinear, noise_is_penalised_to_nothing) {
  LinearScene scene(200, 100, 8);
  scene.encode();
  std::vector<double> y;
  for (std::size_t row = 0; row < 200; ++row) y.push_back(scene.normal(9, row));
  scene.add_task("squared", y);
  scene.split(5, 5);
  const LinearFit fit = scene.fit();
  double largest = 0;
  for (const double g : fit.scores[0]) largest = std::max(largest, std::abs(g));
  EXPECT_LT(largest, 0.25);
}

TEST(FitLinear, a_linear_truth_is_found) {
  LinearScene scene(400, 30, 10);
  scene.encode();
  const std::vector<double> y = noisy(scene, 0.05);
  scene.add_task("squared", y);
  scene.split(5, 5);
  const LinearFit fit = scene.fit();
  for (std::size_t member = 0; member < 5; ++member) {
    EXPECT_GT(r_squared(scene.validation[member].responses[0].y,
                        in_units(scene.tasks, fit.scores[member])),
              0.99);
    EXPECT_GT(r_squared(scene.training[member].responses[0].y,
                        in_units(scene.tasks, fit.training_scores[member])),
              0.99);
  }
}

TEST(FitLinear, constant_columns_and_levels_that_a_member_never_sees_have_no_weight) {
  LinearScene scene(60, 3, 11);
  for (std::size_t row = 0; row < 60; ++row) scene.x[2][row] = row % 3 == 0 ? 1 : 0;
  scene.encode();
  scene.add_task("squared", noisy(scene, 0.1));
  scene.split(3, 1);  // the member's training rows have x2 = 0
  const LinearFit fit = scene.fit();
  EXPECT_TRUE(fit.members[0].reads(0));
  EXPECT_FALSE(fit.members[0].reads(2));
}

TEST(FitLinear, without_validation_rows_left_out_rows_choose_the_penalty) {
  LinearScene scene(80, 60, 12);
  scene.encode();
  scene.add_task("squared", noisy(scene, 4));
  scene.split(1, 1);
  const double left_out = scene.fit().penalties[0];
  scene.split(10, 10);
  const double validated = scene.fit().penalties[0];
  EXPECT_LT(std::abs(std::log10(left_out / validated)), 1.3);
}

TEST(FitLinear, bits_do_not_depend_on_threads) {
  LinearScene scene(200, 20, 13);
  scene.encode();
  std::vector<double> above, y = noisy(scene, 1);
  for (const double value : y) above.push_back(value > 3 ? 1 : 0);
  scene.add_task("squared", y);
  y[3] = kMissing;
  scene.add_task("squared", y);
  scene.add_task("logistic", above, 2);
  scene.split(3, 3);
  const LinearFit one = scene.fit(1), four = scene.fit(4);
  for (std::size_t member = 0; member < 3; ++member) {
    EXPECT_TRUE(std::ranges::equal(one.members[member].weights(), four.members[member].weights()));
    EXPECT_EQ(one.scores[member], four.scores[member]);
    EXPECT_EQ(one.training_scores[member], four.training_scores[member]);
  }
  EXPECT_EQ(one.penalties, four.penalties);
}

TEST(FitLinear, a_task_without_responses_in_a_member_adds_nothing_there) {
  LinearScene scene(60, 3, 14);
  std::vector<double> y = noisy(scene, 1);
  for (std::size_t row = 0; row < 60; ++row) {
    if (row % 3 != 0) y[row] = kMissing;
  }
  scene.encode();
  scene.add_task("squared", y);
  scene.split(3, 3);
  const LinearFit fit = scene.fit();  // member 0 learns from rows without any response
  EXPECT_EQ(fit.members[0].num_columns_read(), 0);
  EXPECT_GT(fit.members[1].num_columns_read(), 0);
}

TEST(FitLinear, what_the_stop_check_throws_ends_it) {
  LinearScene scene(60, 3, 15);
  scene.encode();
  scene.add_task("squared", noisy(scene, 1));
  scene.split(3, 3);
  std::vector<LinearSides> sides;
  for (std::size_t member = 0; member < 3; ++member)
    sides.push_back({&scene.training[member], &scene.validation[member]});
  for (const int threads : {1, 3}) {
    ThreadTeam team(threads);
    EXPECT_THROW(fit_linear(scene.tasks, scene.encoder, sides, team,
                            [] { throw std::runtime_error("stop"); }),
                 std::runtime_error);
  }
}

TEST(FitLinear, too_many_features_are_not_tried) {
  LinearScene scene(20, 1, 16);
  std::vector<Column> more;
  for (int column = 0; column < 3100; ++column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < 20; ++row)
      values.push_back(static_cast<double>((row * 7 + static_cast<std::size_t>(column)) % 11));
    more.push_back(number_column("more" + std::to_string(column), values));
  }
  scene.encode(std::move(more));
  scene.add_task("squared", noisy(scene, 1));
  scene.split(2, 2);
  EXPECT_TRUE(scene.fit().members.empty());
}

TEST(FitLinear, very_many_cells_are_thinned_out) {
  EXPECT_EQ(most_rows(100, 1), 100'000);
  EXPECT_EQ(most_rows(100, 50), 10'000);
  EXPECT_EQ(most_rows(3000, 50), 5'000);
}

}  // namespace
}  // namespace softwood
