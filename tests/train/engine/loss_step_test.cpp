#include "train/engine/loss_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "loss/catalogue/find_loss.h"
#include "train/all_rows.h"

namespace softwood {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

Task task_of(const char* loss, double offset = 0, double unit = 1, double scale = 1) {
  Task task;
  task.target = "y";
  task.program = LossProgram::compile(find_loss(loss));
  const std::size_t outputs = task.num_outputs();
  task.units = {std::vector<double>(outputs, offset), std::vector<double>(outputs, unit), scale};
  return task;
}

Examples examples_of(std::vector<double> y, std::vector<double> weights = {}) {
  Examples examples;
  examples.rows = all_rows(y.size());
  examples.responses = {Responses{.y = std::move(y), .columns = {}}};
  examples.weights = std::move(weights);
  return examples;
}

struct Outcome {
  std::vector<float> gradients;
  std::vector<double> losses;
  std::optional<std::string> trouble;
};

/// Rows as one batch, with the trees' sums [outputs × rows].
Outcome evaluate(const Tasks& tasks, const Examples& examples, const std::vector<double>& sums,
                 const std::vector<std::uint32_t>& rows) {
  const std::size_t num_rows = rows.size();
  const std::size_t outputs = tasks.num_outputs();
  Outcome outcome;
  outcome.gradients.resize(sums.size());
  LossStep step(tasks, examples, num_rows);
  step.load(rows);
  // In two pieces, as two threads would.
  const MatrixView<const double> view(sums.data(), outputs, num_rows);
  const MatrixView<float> gradients(outcome.gradients.data(), outputs, num_rows);
  step.evaluate(view, 0, num_rows / 2, gradients);
  step.evaluate(view, num_rows / 2, num_rows, gradients);
  std::vector<MeanLoss> totals(tasks.size());
  outcome.trouble = step.add_losses(totals);
  for (const MeanLoss& total : totals) outcome.losses.push_back(total.value());
  return outcome;
}

/// All rows, with the same sum of the trees for each.
Outcome evaluate(const Tasks& tasks, const Examples& examples, double sum = 0) {
  return evaluate(tasks, examples, std::vector<double>(tasks.num_outputs() * examples.size(), sum),
                  all_rows(examples.size()));
}

TEST(LossStep, the_gradient_is_that_of_the_mean_loss_in_units) {
  // loss = (y - f)^2 with f = 1 + 2g: at g = 3, d/dg = -2(y - 7)·2.
  const Outcome outcome = evaluate(Tasks({task_of("squared", 1, 2, 4)}), examples_of({5, 9}), 3);
  EXPECT_FLOAT_EQ(outcome.gradients[0], static_cast<float>(-2 * (5 - 7) * 2 / 4.0 / 2));
  EXPECT_FLOAT_EQ(outcome.gradients[1], static_cast<float>(-2 * (9 - 7) * 2 / 4.0 / 2));
  EXPECT_DOUBLE_EQ(outcome.losses[0], 4);
}

TEST(LossStep, weight_two_equals_the_row_twice) {
  const Tasks tasks({task_of("squared")});
  Examples weighted = examples_of({5, 9}, {2, 1});
  Examples none;
  normalise_weights(weighted, none);
  const Outcome one = evaluate(tasks, weighted);
  const Outcome twice = evaluate(tasks, examples_of({5, 5, 9}));
  EXPECT_FLOAT_EQ(one.gradients[0], twice.gradients[0] + twice.gradients[1]);
  EXPECT_FLOAT_EQ(one.gradients[1], twice.gradients[2]);
  EXPECT_DOUBLE_EQ(one.losses[0], twice.losses[0]);
}

TEST(LossStep, a_missing_response_has_no_gradient_and_no_say) {
  const Outcome outcome = evaluate(Tasks({task_of("zip")}), examples_of({3, kMissing}));
  EXPECT_FALSE(outcome.trouble);
  EXPECT_NE(outcome.gradients[0], 0);
  EXPECT_EQ(outcome.gradients[1], 0);
  EXPECT_EQ(outcome.gradients[3], 0);
  EXPECT_DOUBLE_EQ(outcome.losses[0],
                   evaluate(Tasks({task_of("zip")}), examples_of({3})).losses[0]);
}

TEST(LossStep, a_base_is_the_same_as_so_much_more_in_the_sums) {
  Tasks tasks({task_of("squared", 1, 2, 4), task_of("normal", 0.5, 3, 2)});
  Examples plain = examples_of({5, 9, 2, -1}), based = plain;
  for (Examples* side : {&plain, &based}) side->responses.push_back(side->responses[0]);
  std::vector<double> sums(3 * 4), rest(3 * 4);  // outputs × rows
  based.base = {std::vector<double>(4), std::vector<double>(2 * 4)};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto number = static_cast<double>(i);
    double& base = i < 4 ? based.base[0][i] : based.base[1][i - 4];
    base = 0.25 * number;
    rest[i] = 1 - 0.125 * number;
    sums[i] = rest[i] + base;
  }
  const std::vector<std::uint32_t> backwards = {3, 2, 1, 0};
  const auto in_order = [](std::vector<double> g) {
    for (std::size_t output = 0; output < 3; ++output)
      std::reverse(g.begin() + 4 * static_cast<std::ptrdiff_t>(output),
                   g.begin() + 4 * static_cast<std::ptrdiff_t>(output + 1));
    return g;
  };
  const Outcome whole = evaluate(tasks, plain, in_order(sums), backwards);
  const Outcome added = evaluate(tasks, based, in_order(rest), backwards);
  EXPECT_EQ(added.gradients, whole.gradients);
  EXPECT_EQ(added.losses, whole.losses);
  EXPECT_NE(evaluate(tasks, plain, in_order(rest), backwards).losses, whole.losses);
}

TEST(LossStep, tasks_have_their_own_outputs_and_weights) {
  Tasks tasks({task_of("squared"), task_of("squared")});
  tasks[1].weight = 3;
  Examples examples = examples_of({1, 2});
  examples.responses.push_back(examples.responses[0]);
  const Outcome outcome = evaluate(tasks, examples);
  EXPECT_FLOAT_EQ(outcome.gradients[2], 3 * outcome.gradients[0]);
  EXPECT_FLOAT_EQ(outcome.gradients[3], 3 * outcome.gradients[1]);
}

TEST(LossStep, what_is_not_finite_is_named) {
  const Outcome outcome = evaluate(Tasks({task_of("sqrt(-1 - f^2) + y")}), examples_of({4, 4}));
  ASSERT_TRUE(outcome.trouble);
  EXPECT_NE(outcome.trouble->find("output 'f' = 0, for y = 4"), std::string::npos)
      << *outcome.trouble;
}

}  // namespace
}  // namespace softwood
