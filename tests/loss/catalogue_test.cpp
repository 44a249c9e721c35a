#include "loss/catalogue.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kClasses = 4;

std::vector<double> responses_of(const std::string& name) {
  static const std::set<std::string> counts = {"count", "poisson", "negative_binomial",
                                               "zero_inflated_poisson",
                                               "zero_inflated_negative_binomial"};
  static const std::set<std::string> amounts = {"gamma", "lognormal", "exponential", "tweedie"};
  if (name == "logistic") return {0, 1, 0.25};
  if (name == "softmax") return {0, 1, 2, 3};
  if (counts.contains(name)) return {0, 1, 2, 7, 40};
  if (amounts.contains(name)) return {0.2, 1.5, 9};
  return {-2.3, 0.4, 5.1};
}

class Catalogue : public ::testing::TestWithParam<std::string> {};

TEST_P(Catalogue, gradient_agrees_with_differences_of_the_value) {
  const LossProgram program = program_of(GetParam(), kClasses);
  const RandomStream stream(3, GetParam());
  std::uint64_t counter = 0;
  for (const double y : responses_of(GetParam())) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      std::vector<double> f(program.outputs().size());
      for (double& value : f) value = 5 * stream.uniform(counter++) - 2.5;
      // Differences across a kink see both sides of it.
      const bool kinked = std::abs(std::abs(y - f[0]) - 1) < 0.2 || std::abs(y - f[0]) < 0.2;
      if (!kinked) expect_gradient(program, y, f);
    }
  }
}

TEST_P(Catalogue, is_finite_at_extreme_outputs_wherever_the_true_value_is) {
  const LossProgram program = program_of(GetParam(), kClasses);
  // exp(700)² is no double, so these two may be infinite there.
  const double edge = GetParam() == "normal" || GetParam() == "lognormal" ? 300 : 700;
  for (const double y : responses_of(GetParam())) {
    for (const double first : {-edge, -30.0, 0.0, 30.0, edge}) {
      for (const double other : {-edge, 0.0, edge}) {
        std::vector<double> f(program.outputs().size(), other);
        f[0] = first;
        const Evaluated at = evaluate_at(program, y, f);
        EXPECT_TRUE(std::isfinite(at.loss))
            << GetParam() << " y=" << y << " f=" << first << ", " << other;
        for (const double slope : at.gradient) {
          EXPECT_TRUE(std::isfinite(slope))
              << GetParam() << " y=" << y << " f=" << first << ", " << other;
        }
      }
    }
  }
}

TEST_P(Catalogue, says_what_it_is_and_has_a_prediction) {
  const LossProgram program = program_of(GetParam(), kClasses);
  EXPECT_FALSE(program.predictions().empty());
  for (const CatalogueEntry& entry : loss_catalogue()) {
    if (entry.name != GetParam()) continue;
    EXPECT_GT(entry.summary.size(), 10u);
  }
}

TEST_P(Catalogue, accepts_its_own_responses) {
  const LossProgram program = program_of(GetParam(), kClasses);
  const std::vector<double> y = responses_of(GetParam());
  EXPECT_FALSE(program.check({.y = y, .columns = {}}).has_value());
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : loss_catalogue()) names.push_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(every, Catalogue, ::testing::ValuesIn(all_names()),
                         [](const auto& each) { return each.param; });

TEST(CatalogueList, names_and_aliases_are_all_different) {
  std::set<std::string> seen;
  for (const CatalogueEntry& entry : loss_catalogue()) {
    EXPECT_TRUE(seen.insert(entry.name).second) << entry.name;
    for (const std::string& alias : entry.aliases) EXPECT_TRUE(seen.insert(alias).second) << alias;
  }
  for (const char* name :
       {"zip", "nb", "zinb", "mse", "mae", "binary", "multiclass", "gaussian", "pinball"}) {
    EXPECT_TRUE(seen.contains(name)) << name;
  }
}

TEST(CatalogueValues, negative_log_likelihoods_are_complete) {
  EXPECT_NEAR(evaluate_at(program_of("poisson"), 3, {std::log(2.0)}).loss,
              -std::log(std::exp(-2.0) * 8 / 6), 1e-14);
  EXPECT_NEAR(evaluate_at(program_of("normal"), 1, {1, 0}).loss, 0.9189385332046727, 1e-15);
  // (y + r − 1 choose y) (r/(r+μ))^r (μ/(r+μ))^y with r = 2, μ = 3, y = 2: 3 · (2/5)² (3/5)².
  EXPECT_NEAR(evaluate_at(program_of("nb"), 2, {std::log(3.0), std::log(0.5)}).loss,
              -std::log(3 * 0.16 * 0.36), 1e-14);
  EXPECT_NEAR(evaluate_at(program_of("gamma(shape=1)"), 2, {0.3}).loss,
              evaluate_at(program_of("exponential"), 2, {0.3}).loss, 1e-15);
}

TEST(CatalogueValues, zero_inflation_mixes_zeros_into_the_negative_binomial) {
  const double pi = 1 / (1 + std::exp(-0.4));
  for (const double y : {0.0, 1.0, 12.0}) {
    const double inner = evaluate_at(program_of("nb"), y, {0.7, -0.3}).loss;
    const double share = pi * std::exp(-inner) + (y == 0 ? 1 - pi : 0);
    EXPECT_NEAR(evaluate_at(program_of("zinb"), y, {0.7, -0.3, 0.4}).loss, -std::log(share), 1e-14);
  }
}

TEST(CatalogueValues, zero_inflated_negative_binomial_has_its_simpler_families_as_limits) {
  const auto expect_near = [](const Evaluated& a, const Evaluated& b, std::size_t at_a,
                              std::size_t at_b) {
    EXPECT_NEAR(a.loss, b.loss, 1e-13 * std::abs(b.loss));
    EXPECT_NEAR(a.gradient[at_a], b.gradient[at_b], 1e-13);
  };
  for (const double y : {0.0, 3.0, 100.0}) {
    const Evaluated no_spread = evaluate_at(program_of("zinb"), y, {1.2, -700, -0.8});
    const Evaluated zip = evaluate_at(program_of("zip"), y, {1.2, -0.8});
    expect_near(no_spread, zip, 0, 0);
    expect_near(no_spread, zip, 2, 1);
    const Evaluated all_count = evaluate_at(program_of("zinb"), y, {1.2, 0.6, 700});
    const Evaluated nb = evaluate_at(program_of("nb"), y, {1.2, 0.6});
    expect_near(all_count, nb, 0, 0);
    expect_near(all_count, nb, 1, 1);
  }
}

TEST(CatalogueValues, exposure_multiplies_the_mean) {
  for (const char* name : {"poisson", "nb", "zip", "zinb", "count"}) {
    const LossProgram plain = program_of(name);
    const LossProgram exposed = program_of(std::string(name) + "(exposure=years)");
    ASSERT_EQ(exposed.columns(), std::vector<std::string>{"years"});
    std::vector<double> f(plain.outputs().size(), 0.3);
    const double with = evaluate_at(exposed, 2, f, {{"years", 2.5}}).loss;
    const double mean = predict_at(exposed, f, {{"years", 2.5}}).at("mean")[0];
    f[0] += std::log(2.5);
    EXPECT_NEAR(with, evaluate_at(plain, 2, f).loss, 1e-13);
    EXPECT_NEAR(mean, predict_at(plain, f).at("mean")[0], 1e-13);
  }
}

TEST(CatalogueValues, general_robust_meets_its_limits) {
  const auto at = [](const std::string& alpha) {
    return evaluate_at(program_of("general_robust(alpha=" + alpha + ")"), 3, {1.7});
  };
  const auto expect_near = [](const Evaluated& a, const Evaluated& b, double tolerance) {
    EXPECT_NEAR(a.loss, b.loss, tolerance);
    EXPECT_NEAR(a.gradient[0], b.gradient[0], tolerance);
  };
  expect_near(at("2"), at("1.9999999"), 1e-5);
  expect_near(at("0"), at("0.0000001"), 1e-6);
  expect_near(at("-inf"), at("-10000000"), 1e-6);
  EXPECT_NEAR(at("2").loss, 0.5 * 1.69, 1e-15);
}

TEST(CatalogueValues, negative_binomial_goes_to_poisson_digit_by_digit) {
  for (const double y : {0.0, 3.0, 100.0}) {
    const Evaluated limit = evaluate_at(program_of("nb"), y, {1.2, -700});
    const Evaluated poisson = evaluate_at(program_of("poisson"), y, {1.2});
    EXPECT_NEAR(limit.loss, poisson.loss, 1e-13 * std::abs(poisson.loss));
    EXPECT_NEAR(limit.gradient[0], poisson.gradient[0], 1e-13 * std::abs(poisson.gradient[0]));
    // ∂loss/∂log α = −α ((y − μ)² − y)/2 + O(α²).
    const double mu = std::exp(1.2);
    const double slope = -std::exp(-30.0) * ((y - mu) * (y - mu) - y) / 2;
    EXPECT_NEAR(evaluate_at(program_of("nb"), y, {1.2, -30}).gradient[1], slope,
                1e-9 * std::abs(slope));
  }
}

TEST(CatalogueRequire, refuses_responses_outside_the_domain) {
  const std::vector<double> bad = {1, NAN, 2.5, -1};
  const auto poisson = program_of("poisson").check({.y = bad, .columns = {}});
  ASSERT_TRUE(poisson);
  EXPECT_EQ(poisson->row, 3u);
  const auto zip = program_of("zip").check({.y = bad, .columns = {}});
  ASSERT_TRUE(zip);
  EXPECT_EQ(zip->row, 2u);
  EXPECT_EQ(zip->condition, "y >= 0 and y == floor(y) and exposure > 0");
}

}  // namespace
}  // namespace softwood
