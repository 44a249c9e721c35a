// Formulas as people write them, at points where the plain arithmetic has lost its digits.
#include <cmath>

#include <gtest/gtest.h>

#include "loss/loss_testing.h"

namespace softwood {
namespace {

/// Value and derivative of an expression in f (and y) at one point, to 1e-12 relative.
void expect_exact(const std::string& expression, double f, double value, double slope,
                  double y = 0) {
  const LossSource source{.name = "test", .text = "loss = " + expression, .settings = {}};
  const Evaluated at = evaluate_at(LossProgram::compile(source), y, {f});
  EXPECT_NEAR(at.loss, value, 1e-12 * std::abs(value)) << expression << " at " << f;
  EXPECT_NEAR(at.gradient[0], slope, 1e-12 * std::abs(slope)) << expression << " at " << f;
}

TEST(StableRewrites, log_of_sigmoid) {
  expect_exact("log(sigmoid(f))", -800, -800, 1);
}

TEST(StableRewrites, log_of_one_minus_sigmoid) {
  expect_exact("log(1 - sigmoid(f))", 800, -800, -1);
  expect_exact("log(1 - sigmoid(f))", -50, -std::exp(-50.0), -std::exp(-50.0));
  expect_exact("log1p(-sigmoid(f))", 800, -800, -1);
}

TEST(StableRewrites, one_minus_sigmoid) {
  expect_exact("1 - sigmoid(f)", 50, std::exp(-50.0), -std::exp(-50.0));
  expect_exact("sigmoid(f) - 1", 50, -std::exp(-50.0), std::exp(-50.0));
}

TEST(StableRewrites, sigmoid_written_out) {
  expect_exact("log(1/(1 + exp(-f)))", -800, -800, 1);
  expect_exact("log(exp(f)/(1 + exp(f)))", -800, -800, 1);
  expect_exact("exp(f)/(1 + exp(f))", 800, 1, 0);
}

TEST(StableRewrites, log_of_one_plus_x) {
  expect_exact("log(1 + f)", 1e-18, 1e-18, 1);
  expect_exact("log(f + 1)", 1e-18, 1e-18, 1);
  expect_exact("log(1 - f)", 1e-18, -1e-18, -1);
  expect_exact("log(f + 1 + y)", 1e-18, 3e-18, 1, 2e-18);
}

TEST(StableRewrites, log_of_one_plus_exp) {
  expect_exact("log(1 + exp(f))", 800, 800, 1);
  expect_exact("log1p(exp(f))", -50, std::exp(-50.0), std::exp(-50.0));
}

TEST(StableRewrites, log_of_one_minus_exp) {
  expect_exact("log(1 - exp(-f))", 50, -std::exp(-50.0), std::exp(-50.0));
  expect_exact("log(1 - exp(-f))", 1e-18, std::log(1e-18), 1e18);
  expect_exact("log1p(-exp(-f))", 1e-18, std::log(1e-18), 1e18);
}

TEST(StableRewrites, log_of_exp) {
  expect_exact("log(exp(f))", 5000, 5000, 1);
}

TEST(StableRewrites, exp_minus_one) {
  expect_exact("exp(f) - 1", 1e-18, 1e-18, 1);
  expect_exact("1 - exp(f)", 1e-18, -1e-18, -1);
}

TEST(StableRewrites, products_and_quotients_of_exponentials) {
  expect_exact("exp(f)*exp(-f + 1)", 800, std::exp(1.0), 0);
  expect_exact("exp(f)/exp(f - 1)", 800, std::exp(1.0), 0);
  expect_exact("exp(f)^0.001", 800, std::exp(0.8), 0.001 * std::exp(0.8));
}

TEST(StableRewrites, log_of_a_sum_of_exponentials) {
  expect_exact("log(exp(f) + exp(y))", 900, 900 + std::log(2.0), 0.5, 900);
  expect_exact("log(0.5*exp(f) + 0.25*exp(y) + 0.25*exp(f))", 900, 900, 0.75, 900);
  expect_exact("log(exp(f) + exp(y)) - f", 0, std::exp(-60.0), -std::exp(-60.0), -60);
}

TEST(StableRewrites, log_of_a_product_with_an_exponential) {
  expect_exact("log(y*exp(f))", 900, 900 + std::log(3.0), 1, 3);
  expect_exact("log(y/exp(f))", 900, -900 + std::log(3.0), -1, 3);
  expect_exact("log(sqrt(exp(f)*2))", 900, 450 + 0.5 * std::log(2.0), 0.5);
}

TEST(StableRewrites, log_of_normal_cdf) {
  expect_exact("log(normal_cdf(f))", -40, -804.6084420137538, 40.02496884720726);
  expect_exact("log(1 - normal_cdf(f))", 40, -804.6084420137538, -40.02496884720726);
}

TEST(StableRewrites, softplus_minus_its_argument) {
  expect_exact("softplus(f) - f", 50, std::exp(-50.0), -std::exp(-50.0));
}

TEST(StableRewrites, lgamma_difference) {
  // log of 10^12 (10^12 + 1) (10^12 + 2), and its derivative.
  const double r = 1e12;
  expect_exact("lgamma(y + f) - lgamma(f)", r, 3 * std::log(r) + 3e-12, 3 / r * (1 - 1e-12), 3);
}

TEST(StableRewrites, log_softmax_in_every_spelling) {
  for (const char* formula :
       {"logsumexp(f) - f[y]", "-log(softmax(f)[y])", "log(sum(exp(f))) - f[y]",
        "-f[y] + logsumexp(f)", "-log(exp(f[y])/sum(exp(f)))", "-(f[y] - logsumexp(f))"}) {
    const LossSource source{
        .name = "test", .text = std::string("outputs f[3]\nloss = ") + formula, .settings = {}};
    const Evaluated at = evaluate_at(LossProgram::compile(source), 1, {0, 900, 850});
    EXPECT_NEAR(at.loss, std::exp(-50.0), 1e-12 * std::exp(-50.0)) << formula;
    EXPECT_NEAR(at.gradient[1], -std::exp(-50.0), 1e-12 * std::exp(-50.0)) << formula;
    EXPECT_NEAR(at.gradient[2], std::exp(-50.0), 1e-12 * std::exp(-50.0)) << formula;
  }
}

TEST(StableRewrites, one_minus_softmax) {
  const LossSource source{
      .name = "test", .text = "outputs f[2]\nloss = 1 - softmax(f)[0] + 0*y", .settings = {}};
  EXPECT_NEAR(evaluate_at(LossProgram::compile(source), 0, {50, 0}).loss, std::exp(-50.0),
              1e-12 * std::exp(-50.0));
}

/// The zero-inflated line in several spellings; mu small, where 1 − π + π·exp(−μ) is 1 to the last
/// digit.
TEST(StableRewrites, the_zero_inflated_line) {
  for (const char* line :
       {"1 - pi + pi*exp(-mu)", "pi*exp(-mu) + 1 - pi", "(1 - pi) + exp(-mu)*pi"}) {
    const LossSource source{
        .name = "test",
        .text = std::string("outputs log_mu, l\nmu = exp(log_mu)\npi = sigmoid(l)\nloss = -log(") +
                line + ") + 0*y",
        .settings = {}};
    const LossProgram program = LossProgram::compile(source);
    const Evaluated small = evaluate_at(program, 0, {-40, 0});
    EXPECT_NEAR(small.loss, 0.5 * std::exp(-40.0), 1e-12 * std::exp(-40.0)) << line;
    EXPECT_NEAR(small.gradient[0], 0.5 * std::exp(-40.0), 1e-12 * std::exp(-40.0)) << line;
    EXPECT_NEAR(small.gradient[1], 0.25 * std::exp(-40.0), 1e-12 * std::exp(-40.0)) << line;
    const Evaluated large = evaluate_at(program, 0, {800, 800});
    EXPECT_EQ(large.loss, 800) << line;
    EXPECT_EQ(large.gradient[0], 0) << line;
    EXPECT_EQ(large.gradient[1], 1) << line;
  }
}

}  // namespace
}  // namespace softwood
