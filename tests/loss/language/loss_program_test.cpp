#include "loss/language/loss_program.h"

#include <cmath>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/simd_target.h"
#include "loss/catalogue/catalogue.h"
#include "loss/loss_testing.h"

namespace softwood {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Counts and outputs for many rows, the same for every test.
struct Rows {
  explicit Rows(std::size_t count, std::size_t outputs)
      : y(count), f(outputs * count), outputs_count(outputs) {
    const RandomStream stream(11, "rows");
    for (std::size_t row = 0; row < count; ++row) {
      y[row] = stream.uniform(row) < 0.4 ? 0 : std::floor(10 * stream.uniform(row));
    }
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = 20 * stream.uniform(count + i) - 10;
  }
  MatrixView<const double> view() const { return {f.data(), outputs_count, y.size()}; }
  std::vector<double> y, f;
  std::size_t outputs_count;
};

/// Loss and gradients, one after the other.
std::vector<double> evaluate_all(const LossProgram& program, const Rows& rows) {
  const std::size_t count = rows.y.size();
  std::vector<double> result((1 + rows.outputs_count) * count);
  program.value_and_gradient({.y = rows.y, .columns = {}}, rows.view(),
                             std::span(result).first(count),
                             {result.data() + count, rows.outputs_count, count});
  return result;
}

TEST(LossProgram, a_missing_response_gives_exact_zeros_whatever_else) {
  const LossProgram program = program_of("zip");
  const Evaluated at = evaluate_at(program, kNaN, {kNaN, HUGE_VAL});
  EXPECT_EQ(at.loss, 0);
  EXPECT_EQ(at.gradient, (std::vector<double>{0, 0}));
}

TEST(LossProgram, a_row_does_not_depend_on_its_place_or_its_neighbours) {
  for (const char* name : {"zip", "softmax", "nb", "log_cosh"}) {
    const LossProgram program = program_of(name, 10);
    const std::size_t outputs = program.outputs().size();
    for (const std::size_t count : {1, 2, 7, 8, 9, 255, 256, 257, 1000}) {
      const Rows rows(count, outputs);
      const std::vector<double> together = evaluate_all(program, rows);
      for (std::size_t row = 0; row<count; row += count> 50 ? 37 : 1) {
        std::vector<double> f;
        for (std::size_t k = 0; k < outputs; ++k) f.push_back(rows.view()(k, row));
        const Evaluated alone = evaluate_at(program, rows.y[row], f);
        ASSERT_EQ(std::memcmp(&alone.loss, &together[row], sizeof(double)), 0) << name << count;
        for (std::size_t k = 0; k < outputs; ++k) {
          ASSERT_EQ(alone.gradient[k], together[(1 + k) * count + row]) << name << count;
        }
      }
    }
  }
}

TEST(LossProgram, value_alone_equals_value_with_gradient) {
  const LossProgram program = program_of("zip");
  const Rows rows(500, 2);
  std::vector<double> values(500);
  program.value({.y = rows.y, .columns = {}}, rows.view(), values);
  const std::vector<double> both = evaluate_all(program, rows);
  EXPECT_TRUE(std::equal(values.begin(), values.end(), both.begin()));
}

TEST(LossProgram, no_rows_are_no_work) {
  const LossProgram program = program_of("squared");
  program.value({.y = {}, .columns = {}}, {nullptr, 1, 0}, {});
  EXPECT_FALSE(program_of("poisson").check({.y = {}, .columns = {}}).has_value());
}

TEST(LossProgram, every_simd_target_gives_the_same) {
  for (const CatalogueEntry& entry : loss_catalogue()) {
    const LossProgram program = program_of(entry.name, 10);
    const Rows rows(300, program.outputs().size());
    std::vector<double> reference;
    for (const std::string& target : simd_targets()) {
      force_simd_target(target);
      const std::vector<double> result = evaluate_all(program, rows);
      force_simd_target("");
      if (reference.empty()) reference = result;
      for (std::size_t i = 0; i < result.size(); ++i) {
        if (std::isnan(reference[i]) && std::isnan(result[i])) continue;
        if (reference[i] == result[i]) continue;
        ASSERT_NEAR(result[i], reference[i], 1e-12 * std::max(1.0, std::abs(reference[i])))
            << entry.name << " " << target << " " << i;
      }
    }
  }
}

TEST(LossProgram, predicts_without_responses_and_without_columns_it_does_not_read) {
  const LossProgram program = program_of("outputs f\nloss = w*(y - f)^2\nmean = 2*f\nhalf = f/2");
  const std::vector<double> f = {1, 2, 3};
  std::vector<double> out(6);
  program.predict({.y = {}, .columns = {{}}}, {f.data(), 1, 3}, {out.data(), 2, 3});
  EXPECT_EQ(out, (std::vector<double>{2, 4, 6, 0.5, 1, 1.5}));
}

TEST(LossProgram, strides_are_respected) {
  const LossProgram program =
      program_of("outputs a, b; loss = (y - a)^2*exp(b); mean = a; sd = exp(b)");
  const std::vector<double> f = {1, 2, -9, 0, 0, -9};
  std::vector<double> out(8, -1);
  program.predict({.y = {}, .columns = {}}, {f.data(), 2, 2, 3}, {out.data(), 2, 2, 4});
  EXPECT_EQ(out, (std::vector<double>{1, 2, -1, -1, 1, 1, -1, -1}));
}

TEST(LossProgram, requirements_ignore_rows_without_a_response) {
  const LossProgram program = program_of("loss = (y - f)^2\nrequire y > 0\nrequire w < 5");
  const std::vector<double> y = {1, kNaN, 2, 3}, w = {1, 9, 6, 1};
  const auto failure = program.check({.y = y, .columns = {w}});
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->row, 2u);
  EXPECT_EQ(failure->condition, "w < 5");
}

TEST(LossProgram, may_be_used_from_many_threads_at_once) {
  const LossProgram program = program_of("zip");
  const Rows rows(2000, 2);
  const std::vector<double> expected = evaluate_all(program, rows);
  std::vector<std::thread> threads;
  std::vector<int> equal(4, 0);
  for (int& mine : equal) {
    threads.emplace_back([&] { mine = evaluate_all(program, rows) == expected ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(equal, std::vector<int>(4, 1));
}

TEST(StrongZeros, the_branch_not_taken_never_poisons) {
  EXPECT_EQ(evaluate_at(program_of("if(y == 0, f, log(y)*sqrt(f))"), 0, {0}).gradient[0], 1);
  EXPECT_EQ(evaluate_at(program_of("if(y > 0, 1/f, f^2)"), -1, {0}).gradient[0], 0);
  EXPECT_EQ(evaluate_at(program_of("if(y > 0, log(f), f)"), -1, {-3}).gradient[0], 1);
  EXPECT_EQ(evaluate_at(program_of("if(f > 0, f*log(f), y*f)"), 2, {0}).gradient[0], 2);
  EXPECT_EQ(evaluate_at(program_of("if(y > 0, exp(f)*exp(f*f), f)"), -1, {800}).gradient[0], 1);
}

TEST(StrongZeros, a_zero_adjoint_survives_an_infinite_derivative) {
  EXPECT_EQ(evaluate_at(program_of("y*sqrt(f)"), 0, {0}).gradient[0], 0);
  EXPECT_EQ(evaluate_at(program_of("y*log(f) + f"), 0, {0.0}).gradient[0], 1);
  EXPECT_EQ(evaluate_at(program_of("max(y, sqrt(abs(f)))"), 1, {0}).gradient[0], 0);
}

TEST(Ties, are_broken_the_same_way_every_time) {
  EXPECT_EQ(evaluate_at(program_of("abs(y - f)"), 2, {2}).gradient[0], 0);
  EXPECT_EQ(evaluate_at(program_of("max(f, y)"), 2, {2}).gradient[0], 1);
  EXPECT_EQ(evaluate_at(program_of("max(y, f)"), 2, {2}).gradient[0], 0);
  EXPECT_EQ(evaluate_at(program_of("outputs f[2]; loss = max(f)*y"), 1, {3, 3}).gradient,
            (std::vector<double>{1, 0}));
}

}  // namespace
}  // namespace softwood
