#include <cmath>

#include <gtest/gtest.h>

#include "model/model_access.h"
#include "model/synthetic_table.h"
#include "softwood/explain.h"
#include "softwood/train.h"

namespace softwood {
namespace {

/// What a training may differ in: members, tasks, kinds of trees and columns, validation rows.
std::vector<TrainOptions> kinds_of_training() {
  std::vector<TrainOptions> kinds;
  TrainOptions two_members = quick_options("count", "zip");
  two_members.members = 2;
  kinds.push_back(two_members);
  TrainOptions several_tasks = quick_options("y", "normal");
  several_tasks.tasks.push_back({.target = "label"});
  several_tasks.tasks.push_back({.target = "half"});
  several_tasks.trees.reset();
  several_tasks.ensemble = "wide=9,narrow=7x3,own_wide=4,own_narrow=5";
  kinds.push_back(several_tasks);
  TrainOptions with_linear = several_tasks;
  with_linear.members = 3;
  with_linear.ensemble = "linear,wide=4,rest_narrow=3,own_rest_wide=2";
  kinds.push_back(with_linear);
  TrainOptions paper = quick_options("y");
  paper.recipe = "paper";
  paper.valid_fraction = 0;
  kinds.push_back(paper);
  for (TrainOptions& options : kinds) options.epochs = 3;
  return kinds;
}

void expect_same_table(const Table& found, const Table& expected) {
  ASSERT_EQ(found.names(), expected.names());
  ASSERT_EQ(found.num_rows(), expected.num_rows());
  for (const Column& column : expected.columns()) {
    for (std::size_t row = 0; row < expected.num_rows(); ++row)
      ASSERT_EQ(found.column(column.name).text(row), column.text(row)) << column.name << " " << row;
  }
}

void expect_same_tree(const TreeView& found, const TreeView& expected) {
  EXPECT_EQ(found.activation, expected.activation);
  EXPECT_EQ(found.gamma, expected.gamma);
  for (std::size_t i = 0; i < expected.splits.size(); ++i) {
    const TreeView::Split &own = found.splits[i], &other = expected.splits[i];
    EXPECT_EQ(own.bias, other.bias);
    EXPECT_EQ(own.share, other.share);
    ASSERT_EQ(own.columns.size(), other.columns.size());
    for (std::size_t c = 0; c < own.columns.size(); ++c) {
      EXPECT_EQ(own.columns[c].column, other.columns[c].column);
      EXPECT_EQ(own.columns[c].edges, other.columns[c].edges);
      EXPECT_EQ(own.columns[c].values, other.columns[c].values);
      EXPECT_EQ(own.columns[c].strength, other.columns[c].strength);
    }
  }
  for (std::size_t i = 0; i < expected.leaves.size(); ++i)
    EXPECT_EQ(found.leaves[i].values, expected.leaves[i].values);
}

void expect_same_basis(const ColumnBasis& found, const ColumnBasis& expected) {
  EXPECT_EQ(found.kind, expected.kind);
  EXPECT_EQ(found.source, expected.source);
  EXPECT_EQ(found.scale, expected.scale);
  EXPECT_EQ(found.num_knots, expected.num_knots);
  EXPECT_EQ(found.slope, expected.slope);
  EXPECT_EQ(found.mean, expected.mean);
}

Table without_seconds(const Table& history) {
  std::vector<Column> columns;
  for (const Column& column : history.columns()) {
    if (column.name != "seconds") columns.push_back(column);
  }
  return Table(columns);
}

TEST(LoadedModel, is_saved_as_the_bytes_that_it_comes_from) {
  const Table table = synthetic_table(300);
  for (const TrainOptions& options : kinds_of_training()) {
    const std::string bytes = train(table, options).to_bytes();
    EXPECT_EQ(Model::from_bytes(bytes).to_bytes(), bytes);
  }
}

TEST(LoadedModel, answers_every_question_as_the_trained_one) {
  const Table table = synthetic_table(300);
  for (const TrainOptions& options : kinds_of_training()) {
    const Model trained = train(table, options);
    const Model loaded = Model::from_bytes(trained.to_bytes());
    EXPECT_EQ(loaded.describe(), trained.describe());
    expect_same_table(loaded.predict(table).table(), trained.predict(table).table());
    EXPECT_EQ(importances(loaded, table).shares, importances(trained, table).shares);
    for (std::size_t tree = 0; tree < num_trees(trained); ++tree) {
      expect_same_tree(tree_view(loaded, table, tree), tree_view(trained, table, tree));
    }
  }
}

TEST(LoadedModel, knows_how_the_training_went_but_not_how_long) {
  const Table table = synthetic_table(300);
  for (const TrainOptions& options : kinds_of_training()) {
    const Model trained = train(table, options);
    const Table before = trained.history();
    const Table after = Model::from_bytes(trained.to_bytes()).history();
    EXPECT_EQ(before.num_rows(), 3u);
    EXPECT_EQ(after.names(), before.names());
    expect_same_table(without_seconds(after), without_seconds(before));
    for (std::size_t row = 0; row < before.num_rows(); ++row) {
      EXPECT_FALSE(before.column("seconds").is_missing(row));
      EXPECT_TRUE(after.column("seconds").is_missing(row));
    }
  }
}

TEST(LoadedModel, has_the_contents_of_the_trained_one) {
  const Table table = synthetic_table(300);
  for (const TrainOptions& options : kinds_of_training()) {
    const Model trained = train(table, options);
    const Model loaded = Model::from_bytes(trained.to_bytes());
    for (std::size_t i = 0; i < num_members(trained); ++i) {
      const Member& before = ModelAccess::parts(trained).members[i];
      const Member& after = ModelAccess::parts(loaded).members[i];
      EXPECT_EQ(after.values, before.values);
      EXPECT_EQ(after.offset, before.offset);
      EXPECT_EQ(after.linear.has_value(), before.linear.has_value());
      EXPECT_EQ(after.best_epoch, before.best_epoch);
      EXPECT_EQ(after.record.groups, before.record.groups);
      EXPECT_EQ(after.record.group_of_bundle, before.record.group_of_bundle);
      EXPECT_EQ(after.record.validation_losses, before.record.validation_losses);
      const auto& columns = before.ensemble.shape().columns;
      ASSERT_EQ(after.ensemble.shape().columns.size(), columns.size());
      for (std::size_t c = 0; c < columns.size(); ++c)
        expect_same_basis(after.ensemble.shape().columns[c], columns[c]);
    }
  }
}

TEST(TrainingRecord, tells_rows_groups_and_losses) {
  const Table table = synthetic_table(301);
  TrainOptions options = quick_options("y", "squared");
  options.trees.reset();
  options.ensemble = "wide=16,narrow=5";
  options.members = 3;
  const Model model = train(table, options);
  const ModelParts& parts = ModelAccess::parts(model);
  std::size_t validated = 0;
  for (const Member& member : parts.members) {
    const MemberRecord& record = member.record;
    EXPECT_EQ(record.num_training_rows + record.num_validation_rows, 301u);
    validated += record.num_validation_rows;
    EXPECT_FALSE(record.was_stopped);
    ASSERT_EQ(record.groups.size(), 2u);
    EXPECT_EQ(record.groups[0].kind, GroupKind::wide);
    EXPECT_EQ(record.groups[0].num_trees, 16u);
    EXPECT_EQ(record.groups[1].kind, GroupKind::narrow);
    EXPECT_GT(record.groups[1].learning_rate, 0);
    EXPECT_GT(record.groups[1].batch_size, 0u);
    ASSERT_EQ(record.validation_losses.size(), 1u);
    const std::vector<Bundle>& bundles = member.ensemble.shape().bundles;
    ASSERT_EQ(record.group_of_bundle.size(), bundles.size());
    std::vector<std::size_t> trees(2);
    for (std::size_t i = 0; i < bundles.size(); ++i)
      trees[record.group_of_bundle[i]] += bundles[i].num_trees;
    for (std::size_t group = 0; group < 2; ++group) {
      const bool is_kept = record.groups[group].shares[0].weight != 0;
      EXPECT_EQ(trees[group], is_kept ? record.groups[group].num_trees : 0);
    }
  }
  EXPECT_EQ(validated, 301u);
  EXPECT_NE(parts.members[0].record.seed, parts.members[1].record.seed);
}

TEST(TrainingRecord, tells_who_was_stopped) {
  Hooks hooks;
  hooks.on_epoch = [](const Progress&, const EpochResult& result) { return result.epoch < 2; };
  const Model model = train(synthetic_table(200), quick_options("y"), hooks);
  EXPECT_TRUE(ModelAccess::parts(model).members[0].record.was_stopped);
  EXPECT_NE(model.describe().find("in 2 epochs (stopped)"), std::string::npos);
}

}  // namespace
}  // namespace softwood
