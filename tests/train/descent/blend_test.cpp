#include "train/descent/blend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/solve_definite.h"
#include "loss/catalogue/find_loss.h"

namespace softwood {
namespace {

using testing::DoubleEq;
using testing::Each;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// Groups' scores for some rows, and a task they are to be added for.
struct Scene {
  Task task{};
  Responses responses{};
  std::vector<double> row_weights{};
  std::vector<std::vector<double>> scores{};  // per group

  Scene(const char* loss, std::size_t num_groups, std::size_t num_rows, std::uint64_t seed,
        std::size_t num_classes = 0) {
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    task.units.offset.assign(task.num_outputs(), 0.0);
    task.units.unit.assign(task.num_outputs(), 1.0);
    task.units.loss_scale = 1e-6;  // next to nothing pulls towards equal weights
    responses.y.assign(num_rows, 0.0);
    for (std::size_t group = 0; group < num_groups; ++group) {
      const RandomStream random(seed, "scores", group);
      scores.emplace_back(task.num_outputs() * num_rows);
      for (std::size_t i = 0; i < scores[group].size(); ++i) {
        scores[group][i] = 2 * random.uniform(i) - 1;
      }
    }
  }

  std::vector<double> blend(bool is_wary = false) const {
    std::vector<std::span<const double>> views(scores.begin(), scores.end());
    return find_blend(task, responses, row_weights, views, {.is_wary = is_wary});
  }
  std::vector<double> mixed(const std::vector<double>& weights) const {
    const std::size_t num_rows = responses.y.size();
    std::vector<double> f(task.num_outputs() * num_rows);
    for (std::size_t i = 0; i < f.size(); ++i) {
      double g = 0;
      for (std::size_t group = 0; group < scores.size(); ++group) {
        g += weights[group] * scores[group][i];
      }
      f[i] = task.units.offset[i / num_rows] + task.units.unit[i / num_rows] * g;
    }
    return f;
  }
  double loss(const std::vector<double>& weights) const {
    const std::size_t num_rows = responses.y.size();
    const std::vector<double> f = mixed(weights);
    std::vector<double> losses(num_rows);
    task.program.value(responses.view(), {f.data(), task.num_outputs(), num_rows}, losses);
    double sum = 0, total = 0;
    for (std::size_t row = 0; row < num_rows; ++row) {
      if (std::isnan(responses.y[row])) continue;
      const double weight = row_weights.empty() ? 1 : row_weights[row];
      sum += weight * losses[row];
      total += weight;
    }
    return sum / total;
  }
};

/// Least squares with weights of zero or more, by trying every set of groups that may have weight.
double least_squares_loss(const Scene& scene) {
  const std::size_t num_groups = scene.scores.size(), num_rows = scene.responses.y.size();
  double best = scene.loss(std::vector<double>(num_groups, 0.0));
  for (std::size_t set = 1; set < std::size_t{1} << num_groups; ++set) {
    std::vector<std::size_t> members;
    for (std::size_t group = 0; group < num_groups; ++group) {
      if (set >> group & 1) members.push_back(group);
    }
    const std::size_t n = members.size();
    std::vector<double> matrix(n * n), right(n), solved;
    for (std::size_t row = 0; row < num_rows; ++row) {
      const double y = scene.responses.y[row] - scene.task.units.offset[0];
      for (std::size_t i = 0; i < n; ++i) {
        const double x = scene.task.units.unit[0] * scene.scores[members[i]][row];
        right[i] += x * y;
        for (std::size_t j = 0; j < n; ++j) {
          matrix[i * n + j] += x * scene.task.units.unit[0] * scene.scores[members[j]][row];
        }
      }
    }
    if (!solve_definite(matrix, 1e-12, right, solved)) continue;
    if (std::any_of(solved.begin(), solved.end(), [](double w) { return w < 0; })) continue;
    std::vector<double> weights(num_groups, 0.0);
    for (std::size_t i = 0; i < n; ++i) weights[members[i]] = solved[i];
    best = std::min(best, scene.loss(weights));
  }
  return best;
}

void expect_no_worse_than_simple_choices(Scene scene) {
  scene.task.units.loss_scale = 1e-3;  // the pull to equal weights costs less than 1e-4
  const std::vector<double> weights = scene.blend();
  const std::size_t num_groups = scene.scores.size();
  ASSERT_EQ(weights.size(), num_groups);
  for (const double weight : weights) EXPECT_GE(weight, 0);
  const double loss = scene.loss(weights) - 1e-4;
  EXPECT_LE(loss, scene.loss(std::vector<double>(num_groups, 1 / static_cast<double>(num_groups))));
  for (std::size_t group = 0; group < num_groups; ++group) {
    std::vector<double> alone(num_groups, 0.0);
    alone[group] = 1;
    EXPECT_LE(loss, scene.loss(alone)) << group;
  }
}

TEST(Blend, known_weights_are_found_again) {
  Scene scene("squared", 3, 200, 1);
  scene.task.units = {{40}, {7}, 1e-6};
  const std::vector<double> truth = {0.7, 0, 0.45};
  scene.responses.y = scene.mixed(truth);
  const std::vector<double> weights = scene.blend();
  for (std::size_t group = 0; group < 3; ++group) EXPECT_NEAR(weights[group], truth[group], 1e-4);
}

TEST(Blend, a_group_that_does_harm_gets_no_weight) {
  Scene scene("squared", 2, 100, 2);
  scene.responses.y = scene.mixed({1, -0.6});
  const std::vector<double> weights = scene.blend();
  EXPECT_EQ(weights[1], 0);
  EXPECT_GT(weights[0], 0.5);
}

/// Groups that are much alike, as groups are, and a response that some of them would pull down.
Scene similar_groups(std::size_t num_groups, std::uint64_t seed, std::uint64_t noise_seed) {
  Scene scene("squared", num_groups, 40, seed);
  const RandomStream random(noise_seed, "responses");
  std::vector<double> wanted;
  for (std::size_t group = 0; group < num_groups; ++group) {
    wanted.push_back(2 * random.uniform(1000 + group) - 0.7);
    for (std::size_t row = 0; row < 40; ++row) {
      scene.scores[group][row] += 2 * scene.scores[0][row];
    }
  }
  scene.responses.y = scene.mixed(wanted);
  for (std::size_t row = 0; row < 40; ++row) scene.responses.y[row] += random.uniform(row) - 0.5;
  return scene;
}

RC_GTEST_PROP(Blend, of_squared_loss_is_non_negative_least_squares, ()) {
  const Scene scene =
      similar_groups(*rc::gen::inRange<std::size_t>(1, 5), *rc::gen::arbitrary<std::uint64_t>(),
                     *rc::gen::arbitrary<std::uint64_t>());
  const std::vector<double> weights = scene.blend();
  for (const double weight : weights) RC_ASSERT(weight >= 0);
  RC_ASSERT(scene.loss(weights) <= least_squares_loss(scene) * (1 + 1e-5) + 1e-12);
}

TEST(Blend, a_weight_of_zero_that_a_step_would_lower_does_not_end_the_search) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Scene scene = similar_groups(4, seed, seed);
    ASSERT_LE(scene.loss(scene.blend()), least_squares_loss(scene) * (1 + 1e-5)) << seed;
  }
}

TEST(Blend, is_never_worse_than_equal_weights_or_one_group_alone) {
  for (const char* loss : {"squared", "absolute", "huber", "quantile(tau=0.8)", "normal"}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      SCOPED_TRACE(loss);
      Scene scene(loss, 3, 60, seed);
      const RandomStream random(seed, "responses");
      for (std::size_t row = 0; row < 60; ++row) {
        scene.responses.y[row] = scene.scores[0][row] + 2 * random.uniform(row) - 1;
      }
      expect_no_worse_than_simple_choices(scene);
    }
  }
}

TEST(Blend, adds_all_outputs_of_a_task_with_one_weight) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Scene scene("softmax", 3, 90, seed, 4);
    const RandomStream random(seed, "classes");
    for (std::size_t row = 0; row < 90; ++row) {
      std::size_t likeliest = 0;
      for (std::size_t c = 1; c < 4; ++c) {
        if (scene.scores[1][c * 90 + row] > scene.scores[1][likeliest * 90 + row]) likeliest = c;
      }
      scene.responses.y[row] = static_cast<double>(random.uniform(row) < 0.7 ? likeliest : row % 4);
    }
    expect_no_worse_than_simple_choices(scene);
    const std::vector<double> weights = scene.blend();
    EXPECT_GT(weights[1], 2 * weights[0]);
    EXPECT_GT(weights[1], 2 * weights[2]);
  }
}

TEST(Blend, of_counts_is_no_worse_either) {
  for (const char* loss : {"poisson", "zip", "negative_binomial"}) {
    Scene scene(loss, 3, 80, 5);
    for (std::size_t row = 0; row < 80; ++row) {
      scene.responses.y[row] =
          std::floor(3 * std::exp(scene.scores[2][row]) * static_cast<double>(row % 3));
    }
    expect_no_worse_than_simple_choices(scene);
  }
}

TEST(Blend, a_missing_response_takes_no_part) {
  Scene scene("squared", 2, 60, 4);
  scene.responses.y = scene.mixed({0.3, 0.6});
  for (std::size_t row = 0; row < 60; row += 3) scene.responses.y[row] = kMissing;
  for (std::size_t row = 0; row < 60; row += 3) scene.scores[0][row] = 1e6;
  const std::vector<double> weights = scene.blend();
  EXPECT_NEAR(weights[0], 0.3, 1e-4);
  EXPECT_NEAR(weights[1], 0.6, 1e-4);
}

TEST(Blend, weight_zero_equals_no_row_and_weight_two_equals_the_row_twice) {
  Scene weighted("squared", 2, 60, 4);
  const RandomStream random(9, "responses");
  for (std::size_t row = 0; row < 60; ++row) {
    weighted.responses.y[row] = weighted.scores[0][row] + random.uniform(row);
    weighted.row_weights.push_back(static_cast<double>(row % 3));
  }
  Scene repeated("squared", 2, 0, 4);
  for (std::size_t row = 0; row < 60; ++row) {
    for (std::size_t copy = 0; copy < row % 3; ++copy) {
      repeated.responses.y.push_back(weighted.responses.y[row]);
      for (std::size_t group = 0; group < 2; ++group) {
        repeated.scores[group].push_back(weighted.scores[group][row]);
      }
    }
  }
  const std::vector<double> a = weighted.blend(), b = repeated.blend();
  for (std::size_t group = 0; group < 2; ++group) EXPECT_NEAR(a[group], b[group], 1e-6);
}

TEST(Blend, without_a_response_all_groups_weigh_alike) {
  Scene scene("squared", 4, 20, 4);
  scene.responses.y.assign(20, kMissing);
  EXPECT_THAT(scene.blend(), Each(DoubleEq(0.25)));
  scene.responses.y.assign(20, 1.0);
  scene.row_weights.assign(20, 0.0);
  EXPECT_THAT(scene.blend(), Each(DoubleEq(0.25)));
}

TEST(Blend, few_rows_stay_near_equal_weights_and_many_do_not) {
  const auto first_weight = [](std::size_t num_rows) {
    Scene scene("squared", 2, num_rows, 7);
    scene.task.units.loss_scale = 1;
    scene.responses.y = scene.mixed({1, 0});
    return scene.blend()[0];
  };
  EXPECT_LT(first_weight(4), 0.8);
  EXPECT_GT(first_weight(4), 0.5);
  EXPECT_NEAR(first_weight(4000), 1, 0.01);
}

TEST(Blend, two_groups_that_agree_share_the_weight) {
  Scene scene("squared", 2, 50, 6);
  scene.scores[1] = scene.scores[0];
  scene.responses.y = scene.scores[0];
  const std::vector<double> weights = scene.blend();
  EXPECT_NEAR(weights[0] + weights[1], 1, 1e-4);
  EXPECT_GT(weights[0], 0.1);
  EXPECT_GT(weights[1], 0.1);
}

double sum(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

TEST(Blend, who_is_wary_does_not_grow_sure_of_rows_that_happen_to_be_easy) {
  Scene scene("logistic", 2, 40, 8);
  scene.task.units.loss_scale = 0.5;  // of a coin's gradients
  scene.scores[1] = scene.scores[0];
  for (std::size_t row = 0; row < 40; ++row)
    scene.responses.y[row] = scene.scores[0][row] > 0 ? 1 : 0;
  EXPECT_GT(sum(scene.blend()), 2);
  EXPECT_GT(sum(scene.blend(/*is_wary=*/true)), 1);
  EXPECT_LT(sum(scene.blend(/*is_wary=*/true)), 1.6);
}

TEST(Blend, who_is_wary_finds_the_same_weights_where_their_sum_is_no_more_than_one) {
  Scene scene("squared", 3, 200, 1);
  scene.task.units.loss_scale = 1;
  scene.responses.y = scene.mixed({0.3, 0, 0.45});
  ASSERT_LT(sum(scene.blend()), 0.95);
  const std::vector<double> bold = scene.blend(), wary = scene.blend(/*is_wary=*/true);
  for (std::size_t group = 0; group < 3; ++group) EXPECT_NEAR(wary[group], bold[group], 1e-6);
}

TEST(Blend, many_rows_convince_the_wary_that_a_sum_above_one_is_right) {
  Scene scene("squared", 2, 20000, 3);
  scene.task.units.loss_scale = 1;
  scene.responses.y = scene.mixed({1.2, 0.6});
  EXPECT_NEAR(sum(scene.blend(/*is_wary=*/true)), 1.8, 0.02);
}

TEST(Blend, groups_that_say_nothing_are_kept_finite) {
  Scene scene("squared", 2, 50, 6);
  for (auto& scores : scene.scores) scores.assign(50, 0.0);
  scene.responses.y.assign(50, 3.0);
  for (const double weight : scene.blend()) {
    EXPECT_TRUE(std::isfinite(weight));
    EXPECT_GE(weight, 0);
  }
}

}  // namespace
}  // namespace softwood
