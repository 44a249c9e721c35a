#include "train/finish/balance.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "loss/catalogue/find_loss.h"
#include "train/all_rows.h"
#include "train/finish/equal_means.h"
#include "train/finish/shift_fit.h"

namespace softwood {
namespace {

using testing::DoubleNear;
using testing::Each;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Raw outputs that are off by something, and responses.
struct Scene {
  Task task{};
  Responses responses{};
  std::vector<double> weights{}, f{};

  Scene(const char* loss, std::size_t num_rows, std::uint64_t seed, std::size_t num_classes = 0) {
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    task.units.offset.assign(task.num_outputs(), 0.0);
    task.units.unit.assign(task.num_outputs(), 0.5);
    const RandomStream random(seed, "raw outputs");
    f.resize(task.num_outputs() * num_rows);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = 2 * random.uniform(i) - 1;
    const RandomStream draws(seed, "responses");
    for (std::size_t row = 0; row < num_rows; ++row)
      responses.y.push_back(std::floor(4 * draws.uniform(row)));
  }

  ScoredRows rows() const { return {responses, weights, f}; }
  std::vector<double> shift(int threads = 1) const {
    ThreadTeam team(threads);
    const std::vector<ScoredRows> parts = {rows()};
    return find_shift(task, parts, std::vector<bool>(task.num_outputs(), true), team);
  }
  std::vector<double> moved(const std::vector<double>& by) const {
    std::vector<double> there = f;
    for (std::size_t i = 0; i < f.size(); ++i) there[i] += by[i / responses.y.size()];
    return there;
  }
  double weight(std::size_t row) const {
    if (std::isnan(responses.y[row])) return 0;
    return weights.empty() ? 1 : weights[row];
  }
  /// Of the weighted mean loss, per output.
  std::vector<double> gradient(const std::vector<double>& by) const {
    const std::size_t num_rows = responses.y.size();
    const std::vector<double> there = moved(by);
    std::vector<double> losses(num_rows), slopes(f.size()), sums(by.size(), 0.0);
    task.program.value_and_gradient(responses.view(), {there.data(), by.size(), num_rows}, losses,
                                    {slopes.data(), by.size(), num_rows});
    double total = 0;
    for (std::size_t row = 0; row < num_rows; ++row) total += weight(row);
    for (std::size_t k = 0; k < by.size(); ++k) {
      for (std::size_t row = 0; row < num_rows; ++row) {
        if (weight(row) > 0) sums[k] += weight(row) * slopes[k * num_rows + row] / total;
      }
    }
    return sums;
  }
};

TEST(balance, squared_error_is_shifted_by_the_mean_residual) {
  Scene scene("squared", 500, 1);
  double residual = 0;
  for (std::size_t row = 0; row < 500; ++row)
    residual += (scene.responses.y[row] - scene.f[row]) / 500;
  EXPECT_NEAR(scene.shift()[0], residual, 1e-8);
}

/// A model that is trained on with rows of another currency.
TEST(balance, however_far_the_responses_are_from_the_outputs_they_are_met) {
  for (const double away : {1e3, 1e6, 1e9}) {
    Scene scene("squared", 200, 1);
    for (double& y : scene.responses.y) y += away;
    EXPECT_NEAR(scene.shift()[0] / away, 1, 2 / away) << away;
  }
  Scene counts("poisson", 200, 1);
  for (double& y : counts.responses.y) y = 1e12 * (y + 1);
  EXPECT_THAT(counts.gradient(counts.shift()), Each(DoubleNear(0, 1e6)));
}

TEST(balance, poisson_means_add_up_to_the_responses) {
  const Scene scene("poisson", 3000, 2);
  const double shift = scene.shift()[0];
  double predicted = 0;
  for (const double f : scene.f) predicted += std::exp(f + shift);
  const auto& y = scene.responses.y;
  EXPECT_NEAR(predicted / std::accumulate(y.begin(), y.end(), 0.0), 1, 1e-7);
}

TEST(balance, every_class_is_as_frequent_as_it_is_probable) {
  const std::size_t num_rows = 2000, num_classes = 40;
  Scene scene("softmax", num_rows, 3, num_classes);
  const RandomStream draws(9, "classes");
  // Shares from a third to a thousandth.
  for (std::size_t row = 0; row < num_rows; ++row)
    scene.responses.y[row] = std::floor(40 * std::pow(draws.uniform(row), 4));
  EXPECT_THAT(scene.gradient(scene.shift()), Each(DoubleNear(0, 1e-6)));
}

RC_GTEST_PROP(balance, leaves_no_gradient_in_any_output, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  for (const char* loss : {"negative_binomial", "zero_inflated_poisson", "normal", "logistic"}) {
    Scene scene(loss, 400, seed);
    if (loss == std::string("logistic")) {
      for (double& y : scene.responses.y) y = y > 1 ? 1 : 0;
    }
    for (const double slope : scene.gradient(scene.shift())) RC_ASSERT(std::abs(slope) < 1e-4);
  }
}

TEST(balance, half_of_the_responses_lie_above_a_median) {
  Scene scene("absolute", 1001, 4);
  const RandomStream draws(5, "amounts");
  for (std::size_t row = 0; row < 1001; ++row) scene.responses.y[row] = 3 * draws.uniform(row);
  const double shift = scene.shift()[0];
  int above = 0;
  for (std::size_t row = 0; row < 1001; ++row)
    above += scene.responses.y[row] > scene.f[row] + shift ? 1 : 0;
  EXPECT_NEAR(above, 500, 5);
}

TEST(balance, rows_count_by_weight_and_only_with_a_response) {
  Scene scene("squared", 6, 6);
  scene.responses.y = {1, 2, kMissing, 4, 5, 6};
  scene.weights = {1, 0, 7, 2, 1, 1};
  const double wanted =
      ((1 - scene.f[0]) + 2 * (4 - scene.f[3]) + (5 - scene.f[4]) + (6 - scene.f[5])) / 5;
  EXPECT_NEAR(scene.shift()[0], wanted, 1e-8);
}

TEST(balance, outputs_play_their_roles_in_the_mean) {
  const auto roles = [](const char* loss) {
    const Scene scene(loss, 20, 13);
    return mean_roles(scene.task, scene.rows());
  };
  using enum MeanRole;
  EXPECT_EQ(roles("negative_binomial"), (std::vector{other, none}));
  EXPECT_EQ(roles("normal"), (std::vector{location, none}));
  EXPECT_EQ(roles("zero_inflated_poisson"), (std::vector{other, other}));
  EXPECT_EQ(roles("absolute"), (std::vector{other}));
}

TEST(balance, outputs_that_are_held_stay) {
  const Scene scene("negative_binomial", 1000, 14);
  ThreadTeam team(1);
  const std::vector<ScoredRows> parts = {scene.rows()};
  const std::vector<double> shift = find_shift(scene.task, parts, {true, false}, team);
  EXPECT_EQ(shift[1], 0);
  EXPECT_NE(shift[0], 0);
  EXPECT_NEAR(scene.gradient(shift)[0], 0, 1e-7);
}

TEST(balance, means_are_made_equal_where_the_likelihood_does_not_see_to_it) {
  for (const char* loss :
       {"negative_binomial", "zero_inflated_poisson", "gamma", "hurdle_poisson"}) {
    Scene scene(loss, 2000, 15);
    if (loss == std::string("gamma")) {
      for (double& y : scene.responses.y) y += 0.5;
    }
    ThreadTeam team(1);
    const std::vector<ScoredRows> parts = {scene.rows()};
    const std::vector<double> shift = with_equal_means(scene.task, parts, scene.shift(), team);
    const std::vector<double> f = scene.moved(shift);
    const std::size_t num_rows = scene.responses.y.size();
    std::size_t size = 0;
    for (const auto& prediction : scene.task.program.predictions()) size += prediction.size;
    std::vector<double> predicted(size * num_rows);
    scene.task.program.predict(scene.responses.view(), {f.data(), shift.size(), num_rows},
                               {predicted.data(), size, num_rows});
    const auto& y = scene.responses.y;
    // `mean` is the first prediction.
    EXPECT_NEAR(std::accumulate(predicted.begin(), predicted.begin() + 2000, 0.0) /
                    std::accumulate(y.begin(), y.end(), 0.0),
                1, 1e-8)
        << loss;
  }
}

TEST(balance, means_of_censored_and_negative_responses_and_of_locations_stay) {
  Scene censored("weibull_aft", 100, 16), negative("loss = (y - f)^2; mean = exp(f)", 100, 17);
  Scene location("huber", 100, 18);
  for (double& y : censored.responses.y) y += 1;
  for (double& y : negative.responses.y) y -= 2;
  ThreadTeam team(1);
  for (const Scene* scene : {&censored, &negative, &location}) {
    const std::vector<ScoredRows> parts = {scene->rows()};
    const std::vector<double> nothing(scene->task.num_outputs(), 0.0);
    EXPECT_EQ(with_equal_means(scene->task, parts, nothing, team), nothing);
  }
}

TEST(balance, the_score_statistic_tells_chance_from_cause) {
  double sum = 0;
  const int repeats = 200;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    // f = 0 and four classes of equal chances: nothing is off but by chance.
    Scene scene("softmax", 300, 100 + static_cast<std::uint64_t>(repeat), 4);
    std::fill(scene.f.begin(), scene.f.end(), 0.0);
    ThreadTeam team(1);
    const std::vector<ScoredRows> parts = {scene.rows()};
    sum += score_statistic(scene.task, parts, team);
    if (repeat > 0) continue;
    std::fill_n(scene.f.begin(), 300, 1.0);
    EXPECT_GT(score_statistic(scene.task, parts, team), 40);
  }
  EXPECT_NEAR(sum / repeats, 4, 0.8);
}

TEST(balance, both_sides_count) {
  const Scene one("squared", 300, 7), other("squared", 100, 8);
  ThreadTeam team(1);
  const std::vector<ScoredRows> parts = {one.rows(), other.rows()};
  EXPECT_NEAR(find_shift(one.task, parts, {true}, team)[0],
              0.75 * one.shift()[0] + 0.25 * other.shift()[0], 1e-8);
}

TEST(balance, has_the_same_bits_for_any_number_of_threads) {
  const Scene scene("negative_binomial", 5000, 10);
  const std::vector<double> alone = scene.shift(1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(scene.shift(threads), alone);
}

TEST(balance, without_a_finite_loss_nothing_moves) {
  Scene scene("poisson", 10, 11);
  scene.f[3] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(scene.shift(), Each(0.0));
}

TEST(balance, validation_rows_refuse_what_clearly_harms_them) {
  Scene scene("squared", 400, 12);
  for (std::size_t row = 0; row < 400; ++row)
    scene.responses.y[row] = scene.f[row] + (row % 2 == 0 ? 1 : -1);
  const auto is_borne = [&](double shift) {
    return rise_by(scene.task, scene.rows(), std::vector{shift}).is_borne();
  };
  EXPECT_TRUE(is_borne(0));
  // Each row's loss rises by s² ± 2s: 2s/√400 is the standard error, so s = 0.1 is the border.
  EXPECT_TRUE(is_borne(0.09));
  EXPECT_FALSE(is_borne(0.11));
  const LossRise rise = rise_by(scene.task, scene.rows(), std::vector{0.2});
  EXPECT_NEAR(rise.mean, 0.04, 1e-12);
  EXPECT_NEAR(rise.standard_error, 0.02, 1e-12);
  Scene nothing("squared", 0, 12);
  EXPECT_TRUE(rise_by(nothing.task, nothing.rows(), std::vector{5.0}).is_borne());
}

/// Trees that add nothing, so that outputs are their offsets, and responses of both sides.
struct Sides {
  Tasks tasks;
  Examples training, validation;

  Sides(const char* loss, std::vector<double> training_y, std::vector<double> validation_y,
        std::size_t num_classes = 0) {
    Task task;
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    task.units = {std::vector(task.num_outputs(), 0.0), std::vector(task.num_outputs(), 1.0), 1};
    tasks.push_back(std::move(task));
    training = examples(std::move(training_y));
    validation = examples(std::move(validation_y));
  }
  static Examples examples(std::vector<double> y) {
    Examples result;
    result.rows = all_rows(y.size());
    result.responses.push_back({.y = std::move(y), .columns = {}});
    return result;
  }
  /// Outputs that are all `shift`.
  BalancedRows rows(const Examples& examples, double shift = 0) const {
    return {&examples, std::vector(tasks[0].num_outputs() * examples.size(), shift)};
  }
  std::vector<double> offsets() const {
    ThreadTeam team(1);
    return balanced_offsets(tasks, std::vector{rows(training), rows(validation)}, team);
  }
};

/// So many numbers around `mean`, half of them above by `spread`, half below.
std::vector<double> around(double mean, double spread, std::size_t count) {
  std::vector<double> y;
  for (std::size_t i = 0; i < count; ++i) y.push_back(mean + (i % 2 == 0 ? spread : -spread));
  return y;
}

TEST(balance, offsets_are_fitted_to_both_sides_if_the_validation_rows_bear_it) {
  EXPECT_NEAR(Sides("squared", around(0.3, 1, 300), around(0.1, 1, 100)).offsets()[0], 0.25, 1e-9);
  EXPECT_EQ(Sides("squared", around(0.3, 1, 300), around(-0.3, 1, 100)).offsets()[0], 0);
  EXPECT_NEAR(Sides("squared", around(0.3, 1, 300), {}).offsets()[0], 0.3, 1e-9);
}

TEST(balance, one_shift_is_right_for_the_rows_of_all_members_together) {
  const Sides sides("squared", around(0.3, 1, 300), around(0.2, 1, 100));
  const Examples other = Sides::examples(around(0.1, 1, 100));
  ThreadTeam team(1);
  const std::vector three = {sides.rows(sides.training), sides.rows(other),
                             sides.rows(sides.validation)};
  // (300 · 0.3 + 100 · 0.1 + 100 · 0.2) / 500
  EXPECT_NEAR(balanced_offsets(sides.tasks, three, team)[0], 0.24, 1e-9);
  // What the second member says already counts for its own rows alone.
  const std::vector known = {sides.rows(sides.training), sides.rows(other, 0.1),
                             sides.rows(sides.validation)};
  EXPECT_NEAR(balanced_offsets(sides.tasks, known, team)[0], 0.22, 1e-9);
  // Only the last part may refuse.
  const Examples contrary = Sides::examples(around(-0.3, 1, 100));
  const std::vector refused = {sides.rows(sides.training), sides.rows(other), sides.rows(contrary)};
  EXPECT_EQ(balanced_offsets(sides.tasks, refused, team)[0], 0);
}

TEST(balance, a_dispersion_moves_only_where_the_validation_rows_gain) {
  // The trees know the training rows, which spread little; the validation rows spread as expected.
  const std::vector<double> overfitted =
      Sides("normal", around(0.2, 0.1, 300), around(0.2, 1, 100)).offsets();
  EXPECT_NEAR(overfitted[0], 0.2, 1e-6);
  EXPECT_EQ(overfitted[1], 0);
  const std::vector<double> both =
      Sides("normal", around(0.2, 0.5, 300), around(0.2, 0.5, 100)).offsets();
  EXPECT_NEAR(both[1], std::log(0.5), 1e-6);
}

TEST(balance, classes_that_chance_explains_stay) {
  const auto classes = [](std::size_t first) {
    std::vector<double> y(100);
    for (std::size_t row = 0; row < 100; ++row)
      y[row] = row < first ? 0.0 : row % 2 == 0 ? 1.0 : 2.0;
    return y;
  };
  EXPECT_THAT(Sides("softmax", classes(35), classes(33), 3).offsets(), Each(0.0));
  EXPECT_GT(Sides("softmax", classes(60), classes(60), 3).offsets()[0], 0.3);
}

TEST(balance, means_of_counts_are_made_equal_if_the_validation_rows_bear_it) {
  const auto mean_of = [](const Sides& sides) { return std::exp(sides.offsets()[0]); };
  const std::vector<double> counts = {0, 0, 0, 1, 1, 2, 3, 9};
  std::vector<double> many;
  for (int repeat = 0; repeat < 20; ++repeat) many.insert(many.end(), counts.begin(), counts.end());
  EXPECT_NEAR(mean_of({"negative_binomial", many, counts}), 2, 1e-6);
}

}  // namespace
}  // namespace softwood
