#include "train/prepare/count_family.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "loss/catalogue/find_loss.h"
#include "train/all_rows.h"

namespace softwood {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// pi of the rows count at all, with mean mu per exposure and variance mu + dispersion mu².
struct Truth {
  double mu = 2, dispersion = 0, pi = 1;
};

/// By inversion, so that the numbers are the same on every machine.
double draw(const Truth& truth, double exposure, double uniform) {
  uniform = (uniform - (1 - truth.pi)) / truth.pi;
  const double mu = truth.mu * exposure, a = truth.dispersion;
  double probability = a > 0 ? std::pow(1 + a * mu, -1 / a) : std::exp(-mu);
  double count = 0;
  for (double below = probability; below < uniform && count < 1000; below += probability) {
    probability *= mu * (1 + a * count) / ((1 + a * mu) * (count + 1));
    count += 1;
  }
  return count;
}

Examples examples_of(const Truth& truth, std::size_t num_rows,
                     const std::vector<double>& exposures = {}) {
  const RandomStream stream(1, "counts");
  Responses responses;
  if (!exposures.empty()) responses.columns.push_back(exposures);
  for (std::size_t row = 0; row < num_rows; ++row) {
    responses.y.push_back(draw(truth, exposures.empty() ? 1 : exposures[row], stream.uniform(row)));
  }
  Examples examples;
  examples.rows = all_rows(num_rows);
  examples.responses = {std::move(responses)};
  return examples;
}

struct Settled {
  Tasks tasks;
  std::vector<std::string> notes;

  const std::string& family() const { return tasks[0].program.source().name; }
};

/// All tasks have the same loss, as written after --loss; "" = none.
Settled settle(const Examples& examples, const std::string& loss) {
  Settled settled;
  TrainOptions options;
  for (std::size_t index = 0; index < examples.responses.size(); ++index) {
    options.tasks.push_back({.target = "visits", .loss = loss});
    Task task;
    task.target = "visits";
    task.program = LossProgram::compile(find_loss(loss.empty() ? "squared" : loss));
    settled.tasks.push_back(std::move(task));
  }
  settle_counts(options, examples, settled.tasks,
                [&](const std::string& line) { settled.notes.push_back(line); });
  return settled;
}

const Truth kPoisson = {.mu = 2};
const Truth kZip = {.mu = 2, .pi = 0.6};
const Truth kNb = {.mu = 2, .dispersion = 0.8};
const Truth kZinb = {.mu = 6, .dispersion = 0.3, .pi = 0.5};

TEST(CountFamily, each_family_is_found_in_its_own_counts) {
  EXPECT_EQ(settle(examples_of(kPoisson, 4000), "count").family(), "poisson");
  EXPECT_EQ(settle(examples_of(kZip, 4000), "count").family(), "zero_inflated_poisson");
  EXPECT_EQ(settle(examples_of(kNb, 4000), "count").family(), "negative_binomial");
  EXPECT_EQ(settle(examples_of(kZinb, 4000), "count").family(), "zero_inflated_negative_binomial");
}

TEST(CountFamily, few_rows_get_the_simplest_family) {
  EXPECT_EQ(settle(examples_of(kPoisson, 5), "count").family(), "poisson");
  Examples zeros = examples_of(kPoisson, 50);
  std::fill(zeros.responses[0].y.begin(), zeros.responses[0].y.end(), 0.0);
  EXPECT_EQ(settle(zeros, "count").family(), "poisson");
}

TEST(CountFamily, the_note_gives_every_bic) {
  const Examples examples = examples_of(kNb, 4000);
  const Settled settled = settle(examples, "count");
  ASSERT_EQ(settled.notes.size(), 1u);
  EXPECT_THAT(settled.notes[0],
              AllOf(StartsWith("count: negative_binomial for 'visits' (BIC 15,"),
                    HasSubstr("; poisson 17,"), HasSubstr(", zero_inflated_poisson 16,"),
                    HasSubstr(", zero_inflated_negative_binomial 15,")));
}

TEST(CountFamily, bic_is_twice_the_least_loss_and_the_price_of_the_outputs) {
  const Examples examples = examples_of(kPoisson, 300);
  const std::vector<double>& y = examples.responses[0].y;
  double mean = 0, least = 0;
  for (const double count : y) mean += count / 300;
  for (const double count : y) least += mean - count * std::log(mean) + std::lgamma(count + 1);
  const auto families = fit_count_families(find_loss("count"), examples.responses[0].view(), {});
  EXPECT_NEAR(families[0].bic, 2 * least + std::log(300.0), 1e-6);
  // Zero inflation and dispersion gain nothing here, and each costs log(300).
  EXPECT_LT(families[0].bic, families[1].bic);
  EXPECT_LT(families[1].bic, families[0].bic + std::log(300.0) + 1e-3);
  EXPECT_LT(families[3].bic, families[0].bic + 2 * std::log(300.0) + 1e-2);
}

TEST(CountFamily, exposure_goes_on_to_the_family_and_explains_the_spread) {
  std::vector<double> years;
  for (std::size_t row = 0; row < 4000; ++row) years.push_back(row % 2 == 0 ? 0.25 : 4);
  const Examples examples = examples_of(kPoisson, years.size(), years);
  const Settled settled = settle(examples, "count(exposure=years)");
  EXPECT_EQ(settled.family(), "poisson");
  EXPECT_EQ(settled.tasks[0].program.source().settings.at("exposure"), LossSetting("years"));
  EXPECT_THAT(settled.tasks[0].program.columns(), ElementsAre("years"));
  Examples unexplained = examples;
  unexplained.responses[0].columns.clear();
  EXPECT_NE(settle(unexplained, "count").family(), "poisson");
}

TEST(CountFamily, many_different_exposures_are_rounded_with_little_harm) {
  const RandomStream stream(2, "years");
  std::vector<double> years;
  for (std::size_t row = 0; row < 30000; ++row) years.push_back(0.1 + stream.uniform(row));
  const Examples examples = examples_of(kNb, years.size(), years);
  const LossData data = examples.responses[0].view();
  const auto families = fit_count_families(find_loss("count(exposure=years)"), data, {});
  // The sum of losses at the truth, which a fit of two constants betters by about 1.
  std::vector<double> f(2 * years.size(), std::log(kNb.mu)), losses(years.size());
  std::fill(f.begin() + static_cast<std::ptrdiff_t>(years.size()), f.end(),
            std::log(kNb.dispersion));
  families[2].program.value(data, {f.data(), 2, years.size()}, losses);
  double sum = 0;
  for (const double loss : losses) sum += loss;
  EXPECT_NEAR(families[2].bic, 2 * sum + 2 * std::log(30000.0), 10);
  EXPECT_EQ(settle(examples, "count(exposure=years)").family(), "negative_binomial");
}

TEST(CountFamily, too_many_different_counts_are_judged_by_some) {
  Examples examples = examples_of(kPoisson, 25000);
  for (std::size_t row = 0; row < 25000; ++row) {
    examples.responses[0].y[row] =
        static_cast<double>(1 + (row * 7919) % 25000);  // no zero to inflate
  }
  EXPECT_EQ(settle(examples, "count").family(), "negative_binomial");
}

TEST(CountFamily, weights_decide_which_rows_matter) {
  Examples examples = examples_of(kPoisson, 4000);
  const Examples spread = examples_of(kNb, 4000);
  examples.rows = all_rows(8000);
  examples.responses[0].y.insert(examples.responses[0].y.end(), spread.responses[0].y.begin(),
                                 spread.responses[0].y.end());
  examples.weights.assign(8000, 1);
  std::fill_n(examples.weights.begin(), 4000, 0.0);
  EXPECT_EQ(settle(examples, "count").family(), "negative_binomial");
  std::reverse(examples.weights.begin(), examples.weights.end());
  EXPECT_EQ(settle(examples, "count").family(), "poisson");
}

TEST(CountFamily, rows_of_weight_zero_are_as_if_not_there_and_only_ratios_of_weights_matter) {
  const Examples examples = examples_of(kZip, 500);
  const LossSource count = find_loss("count");
  const std::vector<double>& y = examples.responses[0].y;
  const LossData half{.y = std::span(y).first(250), .columns = {}};
  std::vector<double> weights(500, 0.0);
  std::fill_n(weights.begin(), 250, 3.0);
  const auto whole = fit_count_families(count, examples.responses[0].view(), weights);
  const auto part = fit_count_families(count, half, {});
  for (std::size_t family = 0; family < part.size(); ++family) {
    EXPECT_NEAR(whole[family].bic, part[family].bic, 1e-6);
  }
}

TEST(CountFamily, missing_responses_take_no_part) {
  Examples examples = examples_of(kZinb, 4000);
  const std::string without = settle(examples, "count").notes[0];
  examples.rows = all_rows(5000);
  examples.responses[0].y.resize(5000, std::nan(""));
  EXPECT_EQ(settle(examples, "count").notes[0], without);
  std::fill(examples.responses[0].y.begin(), examples.responses[0].y.end(), std::nan(""));
  EXPECT_THAT(settle(examples, "count").notes, IsEmpty());
}

TEST(CountFamily, the_outputs_of_several_tasks_are_numbered_again) {
  Examples examples = examples_of(kZinb, 4000);
  for (const Truth& truth : {kPoisson, kNb}) {
    examples.responses.push_back(examples_of(truth, 4000).responses[0]);
  }
  const Settled settled = settle(examples, "count");
  EXPECT_EQ(settled.tasks[1].first_output, 3u);
  EXPECT_EQ(settled.tasks[2].first_output, 4u);
  EXPECT_EQ(settled.tasks[2].num_outputs(), 2u);
}

TEST(CountFamily, other_losses_are_left_alone) {
  const Settled settled = settle(examples_of(kNb, 4000), "poisson");
  EXPECT_EQ(settled.family(), "poisson");
  EXPECT_THAT(settled.notes, IsEmpty());
}

TEST(CountFamily, a_file_of_that_name_is_its_own_loss) {
  const LossSource mine{"count", "outputs f\nloss = (y - f)^2\nmean = f\n", {}};
  TrainOptions options;
  options.tasks = {{.target = "visits", .loss = "@count"}};
  Task task;
  task.program = LossProgram::compile(mine);
  Tasks tasks({task});
  settle_counts(options, examples_of(kNb, 100), tasks, [](const std::string&) {});
  EXPECT_EQ(tasks[0].program.source().text, mine.text);
}

TEST(CountFamily, a_note_reminds_of_count_only_where_no_loss_was_named) {
  const Examples examples = examples_of(kNb, 400);
  const Settled settled = settle(examples, "");
  EXPECT_EQ(settled.family(), "squared");
  EXPECT_THAT(settled.notes, ElementsAre(AllOf(HasSubstr("'visits'"), HasSubstr("--loss count"))));
  EXPECT_THAT(settle(examples, "squared").notes, IsEmpty());
}

TEST(CountFamily, counts_look_like_counts_and_ratings_and_classes_do_not) {
  const std::vector<double> visits = {0, 0, 0, std::nan(""), 1, 1, 2, 5};
  const std::vector<double> wine = {3, 5, 5, 6, 6, 6, 7, 9, 5};
  const std::vector<double> grades = {0, 8, 9, 11, 12, 12, 13, 15, 18};
  const std::vector<double> classes = {0, 1, 2, 0, 1, 2};
  const std::vector<double> yes_or_no = {0, 0, 0, 1};
  const std::vector<double> amounts = {0, 0, 0, 1.5, 2, 7};
  const std::vector<double> debts = {0, 0, 0, -1, 2, 7};
  EXPECT_TRUE(looks_like_counts(visits));
  for (const auto* other : {&wine, &grades, &classes, &yes_or_no, &amounts, &debts}) {
    EXPECT_FALSE(looks_like_counts(*other));
  }
  EXPECT_FALSE(looks_like_counts({}));
  std::vector<double> populations = {0, 0, 0};
  for (int town = 1; town < 200; ++town) populations.push_back(town * town * town);
  EXPECT_FALSE(looks_like_counts(populations));
}

}  // namespace
}  // namespace softwood
