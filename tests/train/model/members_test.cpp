#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model_access.h"
#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "softwood/model.h"
#include "softwood/train.h"

namespace softwood {
namespace {

using testing::ElementsAre;

std::string bytes_of(const Model& model) {
  return model.to_bytes();
}

/// The model of one of the members.
Model member_alone(const Model& model, std::size_t member) {
  ModelParts parts = ModelAccess::parts(model);
  parts.members = {parts.members[member]};
  return ModelAccess::make(std::move(parts));
}

TrainOptions options_with_members(const char* target, int members, const char* loss = "") {
  TrainOptions options = quick_options(target, loss);
  options.members = members;
  options.epochs = 4;
  return options;
}

TEST(Members, predictions_are_the_mean_of_the_members) {
  const Table table = synthetic_table(401);
  for (const char* target : {"y", "count", "label"}) {
    const char* loss = std::string(target) == "count" ? "poisson" : "";
    const Model model = train(table, options_with_members(target, 3, loss));
    ASSERT_EQ(ModelAccess::parts(model).members.size(), 3u);
    const Predictions all = model.predict(table);
    const std::string name = std::string(target) == "label" ? "probability_low" : "mean";
    for (std::size_t row = 0; row < table.num_rows(); row += 7) {
      double mean = 0;
      for (std::size_t member = 0; member < 3; ++member) {
        mean += member_alone(model, member).predict(table)[name][row] / 3;
      }
      ASSERT_NEAR(all[name][row], mean, 1e-12 * (1 + std::abs(mean)));
    }
  }
}

TEST(Members, a_row_out_of_fold_is_predicted_by_the_member_that_did_not_see_it) {
  const Table table = synthetic_table(401);
  const Model model = train(table, options_with_members("y", 3));
  const Predictions out_of_fold = model.predict_out_of_fold(table);
  ASSERT_EQ(ModelAccess::parts(model).folds.size(), 401u);
  for (std::size_t member = 0; member < 3; ++member) {
    const Predictions alone = member_alone(model, member).predict(table);
    std::size_t num_rows = 0;
    for (std::size_t row = 0; row < 401; ++row) {
      if (ModelAccess::parts(model).folds[row] != static_cast<std::int32_t>(member)) continue;
      ++num_rows;
      ASSERT_EQ(out_of_fold["mean"][row], alone["mean"][row]);
    }
    EXPECT_GE(num_rows, 133u);
  }
}

TEST(Members, a_row_without_a_response_has_no_fold_and_gets_the_mean) {
  const Table table = synthetic_table(400);
  const Model model = train(table, options_with_members("half", 2));
  const Predictions out_of_fold = model.predict_out_of_fold(table), all = model.predict(table);
  for (std::size_t row = 0; row < 400; ++row) {
    EXPECT_EQ(ModelAccess::parts(model).folds[row] < 0, row % 2 == 1);
    if (row % 2 == 1) {
      EXPECT_EQ(out_of_fold["mean"][row], all["mean"][row]);
    }
  }
}

TEST(Members, any_number_of_rows_can_be_dealt_into_folds) {
  for (const std::size_t num_rows : {10u, 11u, 13u, 161u, 162u, 163u, 164u}) {
    const Model model = train(synthetic_table(num_rows), options_with_members("y", 5));
    EXPECT_EQ(ModelAccess::parts(model).members.size(), 5u) << num_rows;
  }
}

TEST(Members, folds_may_differ_in_size) {
  for (const double share : {0.1, 0.9}) {
    std::vector<Column> columns = synthetic_table(300).columns();
    std::vector<double> fold;
    for (std::size_t row = 0; row < 300; ++row)
      fold.push_back(static_cast<double>(row) < 300 * share ? 0 : 1);
    columns.push_back(number_column("fold", fold));
    TrainOptions options = options_with_members("y", 1);
    options.fold_column = "fold";
    const Model model = train(Table(columns), options);
    EXPECT_EQ(ModelAccess::parts(model).members.size(), 2u);
  }
}

TEST(Members, bits_do_not_depend_on_the_number_of_threads) {
  const Table table = synthetic_table(600);
  TrainOptions options = options_with_members("count", 3, "zip");
  options.epochs = 2;
  options.threads = 1;
  const Model one = train(table, options);
  for (const int threads : {2, 3, 5}) {
    options.threads = threads;
    const Model other = train(table, options);
    EXPECT_EQ(bytes_of(other), bytes_of(one)) << threads;
    EXPECT_EQ(ModelAccess::parts(other).folds, ModelAccess::parts(one).folds);
  }
}

TEST(Members, a_file_keeps_all_of_them) {
  const Table table = synthetic_table(300);
  const Model model = train(table, options_with_members("y", 3));
  const std::string path = testing::TempDir() + "members.softwood";
  model.save(path);
  const Model loaded = Model::load(path);
  EXPECT_EQ(bytes_of(loaded), bytes_of(model));
  const Predictions before = model.predict(table), after = loaded.predict(table);
  for (std::size_t row = 0; row < 300; ++row) EXPECT_EQ(before["mean"][row], after["mean"][row]);
  std::filesystem::remove(path);
  // The folds are no part of a model.
  EXPECT_THROW(loaded.predict_out_of_fold(table), Error);
}

TEST(Members, out_of_fold_predictions_are_those_of_the_training_table) {
  const Table table = synthetic_table(200);
  EXPECT_THROW(train(table, quick_options("y")).predict_out_of_fold(table), Error);
  const Model model = train(table, options_with_members("y", 2));
  EXPECT_THROW(model.predict_out_of_fold(synthetic_table(199)), Error);
}

TEST(Members, differ_from_each_other_and_have_one_history) {
  std::vector<int> told;
  Hooks hooks;
  hooks.on_epoch = [&](const Progress& progress, const EpochResult& result) {
    told.push_back(result.epoch);
    EXPECT_EQ(progress.members, 2);
    return true;
  };
  const Model model = train(synthetic_table(200), options_with_members("y", 2), hooks);
  EXPECT_NE(ModelAccess::parts(model).members[0].values,
            ModelAccess::parts(model).members[1].values);
  EXPECT_THAT(told, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(model.history().column("epoch").values, ElementsAre(1, 2, 3, 4));
}

TEST(Members, a_stop_keeps_all_of_them) {
  TrainOptions options = options_with_members("y", 4);
  options.epochs = 1000;
  Hooks hooks;
  hooks.on_epoch = [&](const Progress&, const EpochResult& result) { return result.epoch < 2; };
  const Table table = synthetic_table(200);
  const Model model = train(table, options, hooks);
  EXPECT_EQ(ModelAccess::parts(model).members.size(), 4u);
  EXPECT_TRUE(std::isfinite(model.predict(table)["mean"][0]));
  EXPECT_TRUE(std::isfinite(model.predict_out_of_fold(table)["mean"][0]));
}

TEST(Members, validation_losses_are_the_mean_over_the_folds) {
  const Table table = synthetic_table(400);
  const Model model = train(table, options_with_members("y", 4, "squared"));
  const Predictions out_of_fold = model.predict_out_of_fold(table);
  const Cells<double>& y = table.column("y").values;
  double mean = 0;
  for (std::size_t row = 0; row < 400; ++row) {
    mean += std::pow(out_of_fold["mean"][row] - y[row], 2) / 400;
  }
  const std::vector<double> losses = mean_validation_losses(ModelAccess::parts(model));
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_NEAR(losses[0], mean, 1e-5 * mean);
}

}  // namespace
}  // namespace softwood
