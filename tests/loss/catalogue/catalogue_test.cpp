#include "loss/catalogue/catalogue.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "loss/loss_testing.h"
#include "softwood/error.h"

namespace softwood {
namespace {

constexpr std::size_t kClasses = 4;

std::vector<double> responses_of(const std::string& name) {
  if (name == "logistic") return {0, 1, 0.25};
  if (name == "softmax" || name == "ordinal") return {0, 1, 2, 3};
  if (name == "beta") return {0.01, 0.5, 0.93};
  if (name == "tobit") return {0, 0.4, 5.1};
  for (const CatalogueEntry& entry : loss_catalogue()) {
    if (entry.name != name) continue;
    if (entry.kind == "counts") return {0, 1, 2, 7, 40};
    if (entry.kind != "numbers") return {0.2, 1.5, 9};
  }
  return {-2.3, 0.4, 5.1};
}

/// How far raw outputs may go before the square or the power of a residual is no double.
double edge_of(const std::string& name) {
  static const std::map<std::string, double> edges = {
      {"normal", 300}, {"lognormal", 300},       {"lognormal_aft", 300}, {"student_t", 300},
      {"tobit", 300},  {"loglogistic_aft", 300}, {"gamma", 300},         {"mixture_normal", 120},
      {"weibull", 2},  {"weibull_aft", 2}};
  const auto found = edges.find(name);
  return found == edges.end() ? 700 : found->second;
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
  const double edge = edge_of(GetParam());
  for (const double y : responses_of(GetParam())) {
    for (const double first : {-edge, -std::min(edge, 30.0), 0.0, std::min(edge, 30.0), edge}) {
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
    EXPECT_LT(entry.summary.size(), 110u);
    EXPECT_THAT(loss_kinds(), ::testing::Contains(entry.kind));
  }
}

TEST_P(Catalogue, has_a_distribution_that_grows_from_zero_to_one) {
  const LossProgram program = program_of(GetParam(), kClasses);
  if (!program.has_cdf()) return;
  const RandomStream stream(7, GetParam());
  for (std::uint64_t repeat = 0; repeat < 20; ++repeat) {
    std::vector<double> f(program.outputs().size());
    for (std::size_t k = 0; k < f.size(); ++k) f[k] = 4 * stream.uniform(8 * repeat + k) - 2;
    double before = 0;
    for (const double q :
         {-1e9, -40.0, -3.0, -0.5, 0.0, 0.3, 0.99, 1.0, 2.0, 3.5, 40.0, 1e9, 1e300}) {
      const double probability = cdf_at(program, q, f);
      EXPECT_GE(probability, before) << GetParam() << " q=" << q;
      EXPECT_LE(probability, 1) << GetParam() << " q=" << q;
      if (program.is_discrete()) {
        EXPECT_EQ(probability, cdf_at(program, std::floor(q), f)) << GetParam();
      }
      before = probability;
    }
    EXPECT_GT(before, 0.999) << GetParam();
    EXPECT_LT(cdf_at(program, -1e9, f), 1e-6) << GetParam();
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
  for (const char* name : {"zip", "nb", "zinb", "hurdle_nb", "mse", "mae", "binary", "multilabel",
                           "multiclass", "gaussian", "pinball", "t"}) {
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
  EXPECT_NEAR(evaluate_at(program_of("gamma_mean(1)"), 2, {0.3}).loss,
              evaluate_at(program_of("exponential"), 2, {0.3}).loss, 1e-15);
  EXPECT_NEAR(evaluate_at(program_of("gamma"), 2, {0.3, std::log(2.5)}).loss,
              evaluate_at(program_of("gamma_mean(2.5)"), 2, {0.3}).loss, 1e-14);
}

TEST(CatalogueValues, distributions_are_those_of_whole_numbers_where_responses_are) {
  for (const char* name : {"poisson", "count", "nb", "zip", "zinb", "hurdle_poisson", "hurdle_nb",
                           "logistic", "ordinal"}) {
    EXPECT_TRUE(program_of(name, kClasses).is_discrete()) << name;
  }
  for (const char* name : {"normal", "tobit", "gamma", "weibull_aft", "student_t"})
    EXPECT_FALSE(program_of(name).is_discrete()) << name;
  for (const char* name : {"squared", "absolute", "quantile", "multi_quantile", "softmax"})
    EXPECT_FALSE(program_of(name, kClasses).has_cdf()) << name;
}

TEST(CatalogueValues, a_hurdle_counts_only_the_positive) {
  const double any = 0.7, mu = 2.2;
  const std::vector<double> f = {std::log(mu), std::log(any)};
  const LossProgram hurdle = program_of("hurdle_poisson");
  EXPECT_NEAR(evaluate_at(hurdle, 0, f).loss, any, 1e-15);
  const double share = (1 - std::exp(-any)) * std::pow(mu, 3) / 6 / (std::exp(mu) - 1);
  EXPECT_NEAR(evaluate_at(hurdle, 3, f).loss, -std::log(share), 1e-14);
  EXPECT_NEAR(evaluate_at(program_of("hurdle_nb"), 3, {f[0], -60, f[1]}).loss, -std::log(share),
              1e-13);
}

TEST(CatalogueValues, survival_marks_what_was_not_seen_to_the_end) {
  for (const std::string name : {"weibull_aft", "lognormal_aft", "loglogistic_aft"}) {
    const LossProgram program = program_of(name + "(died)");
    EXPECT_TRUE(program.has_censoring());
    const std::vector<double> f = {0.4, -0.2};
    const double survives = 1 - cdf_at(program, 2.5, f);
    EXPECT_NEAR(evaluate_at(program, 2.5, f, {{"died", 0}}).loss, -std::log(survives), 1e-13);
    EXPECT_EQ(evaluate_at(program, 2.5, f, {{"died", 1}}).loss,
              evaluate_at(program_of(name), 2.5, f).loss);
    EXPECT_TRUE(program.distribution_columns().empty()) << "predicting needs no event";
  }
}

TEST(CatalogueValues, a_bound_that_is_never_met_leaves_the_normal_distribution) {
  const LossProgram tobit = program_of("tobit(-inf, inf)"), normal = program_of("normal");
  const std::vector<double> f = {0.4, -0.2};
  EXPECT_EQ(evaluate_at(tobit, 2.5, f).loss, evaluate_at(normal, 2.5, f).loss);
  EXPECT_EQ(predict_at(tobit, f).at("mean"), predict_at(normal, f).at("mean"));
  EXPECT_EQ(predict_at(tobit, f).at("variance"), predict_at(normal, f).at("variance"));
}

TEST(CatalogueValues, quantiles_keep_their_order_and_their_names) {
  const LossProgram program = program_of("multi_quantile(0.1, 0.5, 0.75, 0.9)");
  const std::vector<double> quantile = predict_at(program, {3, -40, 0, 1}).at("quantile");
  EXPECT_EQ(quantile[2], 3) << "the middle one is where step[0] says";
  EXPECT_TRUE(std::is_sorted(quantile.begin(), quantile.end()));
  EXPECT_THAT(program.predictions()[0].labels, ::testing::ElementsAre("0.1", "0.5", "0.75", "0.9"));
  const std::vector<double> y = {1};
  for (const char* bad : {"multi_quantile(0.9, 0.1)", "multi_quantile(0, 0.5)",
                          "multi_quantile(0.5, 0.5)", "multi_quantile(0.5, 1)"}) {
    EXPECT_TRUE(program_of(bad).check({.y = y, .columns = {}})) << bad;
  }
  EXPECT_EQ(predict_at(program_of("multi_quantile(0.5)"), {3}).at("quantile")[0], 3);
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
  for (const std::string name :
       {"poisson", "nb", "zip", "zinb", "count", "hurdle_poisson", "hurdle_nb"}) {
    const LossProgram plain = program_of(name);
    const LossProgram exposed = program_of(name + "(exposure=years)");
    ASSERT_EQ(exposed.columns(), std::vector<std::string>{"years"});
    std::vector<double> f(plain.outputs().size(), 0.3);
    const double with = evaluate_at(exposed, 2, f, {{"years", 2.5}}).loss;
    const double mean = predict_at(exposed, f, {{"years", 2.5}}).at("mean")[0];
    f[0] += std::log(2.5);
    if (name.starts_with("hurdle")) f.back() += std::log(2.5);  // exposure also makes any likelier
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
