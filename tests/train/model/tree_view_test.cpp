#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/thread_team.h"
#include "data/text/date_parts.h"
#include "model/explain/spread.h"
#include "model/model_access.h"
#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "softwood/explain.h"
#include "softwood/train.h"
#include "task/raw_outputs.h"
#include "tree/tree_sums.h"

namespace softwood {
namespace {

using testing::ElementsAre;

/// What a cell adds to z, by nothing but the view.
double added_by(const ColumnCurve& curve, const Column& column, std::size_t row) {
  if (column.is_missing(row)) return curve.missing;
  if (curve.kind == ColumnCurve::Kind::levels) {
    const auto found = std::ranges::find(curve.levels, column.text(row));
    return found == curve.levels.end() ? curve.other : curve.values[found - curve.levels.begin()];
  }
  const double x = date_part(*find_date_part(curve.part), column.values[row]);
  if (curve.kind == ColumnCurve::Kind::linear) return curve.slope * (x - curve.centre);
  if (x <= curve.edges.front()) return curve.values.front();
  if (x >= curve.edges.back()) return curve.values.back();
  const auto above = std::ranges::upper_bound(curve.edges, x) - curve.edges.begin();
  const double from = curve.edges[above - 1], to = curve.edges[above];
  return std::lerp(curve.values[above - 1], curve.values[above], (x - from) / (to - from));
}

double chance_of_left(const TreeView& view, double z) {
  if (view.activation == "logistic") return 1 / (1 + std::exp(-z));
  const double g = view.gamma;
  if (z <= -g / 2) return 0;
  if (z >= g / 2) return 1;
  return -2 / (g * g * g) * z * z * z + 3 / (2 * g) * z + 0.5;
}

/// Probability of coming to each node, splits then leaves.
std::vector<double> reach(const TreeView& view, const Table& table, std::size_t row) {
  std::vector<double> reach(view.splits.size() + view.leaves.size());
  reach[0] = 1;
  for (std::size_t i = 0; i < view.splits.size(); ++i) {
    double z = view.splits[i].bias;
    for (const ColumnCurve& curve : view.splits[i].columns)
      z += added_by(curve, table.column(curve.column), row);
    reach[2 * i + 1] = reach[i] * chance_of_left(view, z);
    reach[2 * i + 2] = reach[i] * (1 - chance_of_left(view, z));
  }
  return reach;
}

/// f of one row from the views of all trees, keyed by task and output.
std::map<std::string, double> raw_outputs(const Model& model, const Table& table, std::size_t row) {
  std::map<std::string, double> f;
  for (std::size_t tree = 0; tree < num_trees(model); ++tree) {
    const TreeView view = tree_view(model, tree);
    const std::vector<double> chances = reach(view, table, row);
    for (std::size_t k = 0; k < view.outputs.size(); ++k) {
      const TreeView::Output& output = view.outputs[k];
      double& sum = f.try_emplace(output.task + " " + output.name, output.offset).first->second;
      for (std::size_t leaf = 0; leaf < view.leaves.size(); ++leaf)
        sum += chances[view.splits.size() + leaf] * view.leaves[leaf].values[k];
    }
  }
  return f;
}

void expect_views_to_tell_everything(const TrainOptions& options, const Table& table) {
  const Model model = train(table, options);
  const ModelParts& parts = ModelAccess::parts(model);
  ThreadTeam team(1);
  const Member& member = parts.members[0];
  const Rows rows = parts.encoder.encode(table, 1);
  const auto f = in_units(parts.tasks, member.offset,
                          tree_sums(member.ensemble, member.values, rows.view(), team));
  for (std::size_t row = 0; row < table.num_rows(); row += table.num_rows() / 7) {
    const auto from_views = raw_outputs(model, table, row);
    for (const Task& task : parts.tasks) {
      for (std::size_t k = 0; k < task.num_outputs(); ++k) {
        const double expected = f[(task.first_output + k) * table.num_rows() + row];
        EXPECT_NEAR(from_views.at(task.target + " " + task.program.outputs()[k].name), expected,
                    1e-5 * (1 + std::abs(expected)))
            << task.target << " in row " << row;
      }
    }
  }
}

TEST(TreeView, views_of_all_trees_reproduce_the_model) {
  const Table table = synthetic_table(1500);
  expect_views_to_tell_everything(quick_options("y"), table);
  expect_views_to_tell_everything(quick_options("count", "zip"), table);
  TrainOptions classes = quick_options("city");
  classes.features = {"x1", "x2", "y"};
  expect_views_to_tell_everything(classes, table);
}

TEST(TreeView, views_of_the_papers_model_reproduce_it) {
  TrainOptions options = quick_options("y");
  options.recipe = "paper";
  options.activation = "smooth_step";
  expect_views_to_tell_everything(options, synthetic_table(600));
}

TEST(TreeView, views_of_several_tasks_reproduce_them) {
  TrainOptions options = quick_options("y");
  options.tasks.push_back({.target = "label"});
  options.share = "partly";
  expect_views_to_tell_everything(options, synthetic_table(600));
}

TEST(TreeView, views_with_dates_reproduce_the_model) {
  std::vector<Column> columns = synthetic_table(600).columns();
  std::vector<double> seconds;
  for (std::size_t row = 0; row < 600; ++row)
    seconds.push_back(86400.0 * static_cast<double>(row * row % 997));
  columns.push_back({.name = "when", .kind = ColumnKind::datetime, .values = seconds});
  TrainOptions options = quick_options("y");
  options.features.push_back("when");
  expect_views_to_tell_everything(options, Table(columns));
}

TEST(TreeView, shares_and_strengths_are_those_of_the_rows) {
  const Table table = synthetic_table(300);
  const Model model = train(table, quick_options("y"));
  const TreeView view = tree_view(model, table, 1);
  std::vector<double> shares(view.splits.size() + view.leaves.size());
  for (std::size_t row = 0; row < 300; ++row) {
    const std::vector<double> chances = reach(view, table, row);
    for (std::size_t node = 0; node < shares.size(); ++node) shares[node] += chances[node] / 300;
  }
  for (std::size_t i = 0; i < view.splits.size(); ++i)
    EXPECT_NEAR(view.splits[i].share.value(), shares[i], 1e-5);
  for (std::size_t i = 0; i < view.leaves.size(); ++i)
    EXPECT_NEAR(view.leaves[i].share.value(), shares[view.splits.size() + i], 1e-5);
  for (const ColumnCurve& curve : view.splits[2].columns) {
    std::vector<double> added;
    for (std::size_t row = 0; row < 300; ++row)
      added.push_back(added_by(curve, table.column(curve.column), row));
    EXPECT_NEAR(curve.strength, std::sqrt(variance_of(added)), 1e-5) << curve.column;
  }
}

TEST(TreeView, the_strongest_column_comes_first) {
  const Table table = synthetic_table(300);
  const Model model = train(table, quick_options("y"));
  for (const TreeView& view : {tree_view(model, 0), tree_view(model, table, 0)}) {
    for (const TreeView::Split& split : view.splits) {
      EXPECT_TRUE(std::ranges::is_sorted(split.columns, std::greater(), &ColumnCurve::strength));
    }
  }
}

TEST(TreeView, without_a_table_nobody_passes) {
  const Model model = train(synthetic_table(300), quick_options("y"));
  const TreeView view = tree_view(model, 0);
  EXPECT_FALSE(view.splits[0].share.has_value());
  EXPECT_FALSE(view.leaves[0].share.has_value());
  EXPECT_EQ(view.splits.size(), 7u);
  EXPECT_EQ(view.leaves.size(), 8u);
}

TEST(TreeView, outputs_say_which_class_they_speak_for) {
  const Table table = synthetic_table(300);
  const TreeView two = tree_view(train(table, quick_options("label")), 0);
  ASSERT_EQ(two.outputs.size(), 1u);
  EXPECT_EQ(two.outputs[0].task, "label");
  EXPECT_EQ(two.outputs[0].label, "low");
  TrainOptions options = quick_options("city");
  options.features = {"x1", "x2", "y"};
  const TreeView three = tree_view(train(table, options), 0);
  ASSERT_EQ(three.outputs.size(), 3u);
  EXPECT_EQ(three.outputs[1].label, "b");
  EXPECT_EQ(tree_view(train(table, quick_options("y")), 0).outputs[0].label, "");
}

TEST(TreeView, a_tree_or_member_that_is_not_there_is_an_error) {
  const Model model = train(synthetic_table(200), quick_options("y"));
  EXPECT_EQ(num_members(model), 1u);
  EXPECT_THROW(tree_view(model, num_trees(model)), Error);
  EXPECT_THROW(tree_view(model, 0, 1), Error);
  EXPECT_THROW(num_trees(model, 1), Error);
}

}  // namespace
}  // namespace softwood
