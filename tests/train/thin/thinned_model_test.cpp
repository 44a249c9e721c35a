// Whole trainings with and without thinning.
#include <cmath>

#include <gtest/gtest.h>

#include "model/model_access.h"
#include "model/synthetic_table.h"
#include "softwood/train.h"

namespace softwood {
namespace {

Model trained(TrainOptions options, double keep_loss) {
  options.keep_loss = keep_loss;
  return train(synthetic_table(400), options);
}

TrainOptions two_tasks() {
  TrainOptions options = quick_options("y", "normal");
  options.tasks.push_back({.target = "label"});
  options.trees.reset();
  options.ensemble = "wide=4,narrow=6,own_narrow=4";
  options.epochs = 8;
  options.valid_fraction = 0.3;
  return options;
}

double loss_of(const Model& model, std::size_t task) {
  return model.evaluate(synthetic_table(400))[task].metrics.front().second;
}

TEST(ThinnedModel, is_smaller_and_hardly_worse) {
  const Model whole = trained(two_tasks(), 0), thinned = trained(two_tasks(), 0.002);
  EXPECT_LT(2.5 * static_cast<double>(thinned.to_bytes().size()),
            static_cast<double>(whole.to_bytes().size()));
  for (const std::size_t task : {0, 1})
    EXPECT_NEAR(loss_of(thinned, task) / loss_of(whole, task), 1, 0.02);
}

TEST(ThinnedModel, keeps_less_for_more) {
  const auto num_kept = [](const Model& model) {
    std::size_t count = 0;
    for (const Member& member : ModelAccess::parts(model).members) count += member.kept.count();
    return count;
  };
  std::size_t before = 100'000'000;
  for (const double keep_loss : {1e-5, 1e-3, 0.3}) {
    const std::size_t kept = num_kept(trained(two_tasks(), keep_loss));
    EXPECT_LT(kept, before) << keep_loss;
    before = kept;
  }
  EXPECT_EQ(num_kept(trained(two_tasks(), 0)), 0u);  // all, in 32 bits: no account of them
}

TEST(ThinnedModel, of_several_members_has_the_same_bytes_whatever_the_threads) {
  TrainOptions options = two_tasks();
  options.valid_fraction.reset();
  options.members = 3;
  options.threads = 1;
  const std::string one = trained(options, 0.001).to_bytes();
  options.threads = 3;
  EXPECT_EQ(trained(options, 0.001).to_bytes(), one);
}

TEST(ThinnedModel, without_validation_rows_is_judged_by_those_that_it_learned) {
  TrainOptions options = two_tasks();
  options.valid_fraction = 0;
  EXPECT_FALSE(ModelAccess::parts(trained(options, 0.001)).members[0].kept.keeps_all());
}

TEST(ThinnedModel, of_the_paper_keeps_every_number) {
  TrainOptions options = quick_options("y");
  options.recipe = "paper";
  options.epochs = 2;
  EXPECT_TRUE(ModelAccess::parts(train(synthetic_table(200), options)).members[0].kept.keeps_all());
}

}  // namespace
}  // namespace softwood
