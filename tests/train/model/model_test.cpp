#include "softwood/model.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include <gtest/gtest.h>

#include "model/synthetic_table.h"
#include "softwood/error.h"
#include "softwood/train.h"

namespace softwood {
namespace {

std::string bytes_of(const Model& model) {
  const std::string path = testing::TempDir() + "bytes_of_" +
                           testing::UnitTest::GetInstance()->current_test_info()->name();
  model.save(path);
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove(path);
  return bytes;
}

double metric(const Evaluation& evaluation, const std::string& name) {
  for (const auto& [key, value] : evaluation.metrics) {
    if (key == name) return value;
  }
  return std::nan("");
}

std::vector<double> to_vector(std::span<const double> values) {
  return {values.begin(), values.end()};
}

TEST(Model, learns_a_smooth_function) {
  const Table table = synthetic_table(2000);
  TrainOptions options = quick_options("y");
  options.epochs = 30;
  const Model model = train(table, options);
  EXPECT_GT(metric(model.evaluate(synthetic_table(500, 2))[0], "r2"), 0.98);
}

TEST(Model, save_and_load_keep_every_bit_of_the_predictions) {
  const Table table = synthetic_table(500);
  for (const char* target : {"y", "count", "label"}) {
    const Model model = train(table, quick_options(target));
    const std::string path = testing::TempDir() + "round_trip.softwood";
    model.save(path);
    const Model loaded = Model::load(path);
    const Predictions before = model.predict(table), after = loaded.predict(table);
    ASSERT_EQ(before.table().names(), after.table().names());
    for (const Column& column : before.table().columns()) {
      if (column.kind != ColumnKind::numeric) continue;
      EXPECT_EQ(to_vector(before[column.name]), to_vector(after[column.name]));
    }
    EXPECT_EQ(bytes_of(loaded), bytes_of(model));
  }
}

TEST(Model, bits_do_not_depend_on_the_number_of_threads) {
  const Table table = synthetic_table(3000);
  TrainOptions options = quick_options("count", "zip");
  options.trees = 70;
  options.epochs = 3;
  options.batch_size = 512;
  options.threads = 1;
  const std::string one = bytes_of(train(table, options));
  for (const int threads : {2, 3, 5}) {
    options.threads = threads;
    EXPECT_EQ(bytes_of(train(table, options)), one) << threads;
  }
}

TEST(Model, bits_of_any_groups_do_not_depend_on_the_number_of_threads) {
  const Table table = synthetic_table(500);
  for (const char* ensemble :
       {"wide=9,narrow=7x3", "narrow=5x2", "wide=40", "linear,wide=4,rest_narrow=3"}) {
    TrainOptions options = quick_options("label");
    options.trees.reset();
    options.ensemble = ensemble;
    options.epochs = 2;
    options.threads = 1;
    const std::string one = bytes_of(train(table, options));
    for (const int threads : {2, 3, 5}) {
      options.threads = threads;
      EXPECT_EQ(bytes_of(train(table, options)), one) << ensemble << " " << threads;
    }
  }
}

TEST(Model, a_note_tells_what_became_of_the_groups) {
  std::vector<std::string> notes;
  Hooks hooks;
  hooks.on_note = [&](const std::string& note) { notes.push_back(note); };
  TrainOptions options = quick_options("y");
  options.trees.reset();
  options.ensemble = "wide=4,narrow=6";
  train(synthetic_table(200), options, hooks);
  ASSERT_EQ(notes.size(), 4u);
  EXPECT_NE(notes[0].find("200 rows, "), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("trees: 4 wide (best epoch "), std::string::npos) << notes[1];
  EXPECT_NE(notes[1].find("6 narrow (best epoch "), std::string::npos) << notes[1];
  EXPECT_NE(notes[2].find("knots that the curves can spare"), std::string::npos) << notes[2];
  EXPECT_NE(notes[3].find("offsets fitted once more"), std::string::npos) << notes[3];
}

TEST(Model, few_trees_are_all_of_one_kind) {
  TrainOptions options = quick_options("y");
  options.trees = 6;
  const Model model = train(synthetic_table(300), options);
  const std::string text = model.describe();
  EXPECT_NE(text.find("6 of depth 3"), std::string::npos) << text;
}

TEST(Model, the_seed_decides) {
  const Table table = synthetic_table(300);
  TrainOptions options = quick_options("y");
  options.epochs = 2;
  const std::string first = bytes_of(train(table, options));
  EXPECT_EQ(bytes_of(train(table, options)), first);
  options.seed = 1;
  EXPECT_NE(bytes_of(train(table, options)), first);
}

TEST(Model, a_formula_and_its_built_in_twin_predict_the_same_bits) {
  const Table table = synthetic_table(500);
  const Model formula = train(table, quick_options("y", "(y - f)^2"));
  const Model built_in = train(table, quick_options("y", "squared"));
  EXPECT_EQ(to_vector(formula.predict(table)["mean"]), to_vector(built_in.predict(table)["mean"]));
}

TEST(Model, predictions_follow_the_units_of_the_response) {
  Table table = synthetic_table(500);
  std::vector<Column> columns = table.columns();
  for (double& value : columns[3].values) value = 1000 * value + 5;
  const Model plain = train(table, quick_options("y", "squared"));
  const Model scaled = train(Table(columns), quick_options("y", "squared"));
  const Predictions expected = plain.predict(table), predicted = scaled.predict(table);
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    EXPECT_NEAR(predicted["mean"][row], 1000 * expected["mean"][row] + 5, 20) << row;
  }
}

TEST(Model, classifiers_predict_labels_and_probabilities) {
  const Table table = synthetic_table(1000);
  const Model model = train(table, quick_options("label"));
  const Predictions predictions = model.predict(table);
  EXPECT_EQ(predictions.table().names(),
            (std::vector<std::string>{"class", "probability_high, very", "probability_low"}));
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    const double high = predictions["probability_high, very"][row];
    EXPECT_NEAR(high + predictions["probability_low"][row], 1, 1e-12);
    EXPECT_EQ(predictions.table().column("class").text(row), high >= 0.5 ? "high, very" : "low");
  }
  EXPECT_GT(metric(model.evaluate(table)[0], "accuracy"), 0.95);
}

TEST(Model, several_tasks_are_learned_together_and_named) {
  const Table table = synthetic_table(2000);
  TrainOptions options = quick_options("y");
  options.tasks.push_back({.target = "count", .loss = "poisson"});
  options.tasks.push_back({.target = "half"});
  options.epochs = 30;
  const Model model = train(table, options);
  const Predictions predictions = model.predict(table);
  EXPECT_GT(predictions["count.mean"][0], 0);
  const auto evaluations = model.evaluate(table);
  EXPECT_EQ(evaluations[2].num_rows, 1000u);
  EXPECT_GT(metric(evaluations[0], "r2"), 0.95);
  EXPECT_GT(metric(evaluations[2], "r2"), 0.95);
}

TEST(Model, a_missing_response_counts_for_nothing) {
  // The values that stand where `half` is missing are never seen: the same table without them.
  Table table = synthetic_table(400);
  std::vector<Column> columns = table.columns();
  std::vector<std::uint32_t> even;
  const Model whole = train(table, quick_options("half"));
  for (Column& column : columns) {
    std::vector<double> values;
    std::vector<std::int32_t> codes;
    for (std::size_t row = 0; row < 400; row += 2) {
      if (column.kind == ColumnKind::numeric) values.push_back(column.values[row]);
      if (column.kind == ColumnKind::categorical) codes.push_back(column.codes[row]);
    }
    column.values = values;
    column.codes = codes;
  }
  // The split draws positions in the list of rows with a response, which is the same in both.
  const Model half = train(Table(columns), quick_options("half"));
  EXPECT_EQ(to_vector(whole.predict(table)["mean"]), to_vector(half.predict(table)["mean"]));
}

TEST(Model, narrow_trees_and_the_papers_recipe_learn_too) {
  const Table table = synthetic_table(2000);
  TrainOptions narrow = quick_options("y");
  narrow.columns_per_tree = 1;
  narrow.epochs = 30;
  EXPECT_GT(metric(train(table, narrow).evaluate(table)[0], "r2"), 0.9);
  TrainOptions paper = quick_options("y");
  paper.recipe = "paper";
  paper.epochs = 40;
  EXPECT_GT(metric(train(table, paper).evaluate(table)[0], "r2"), 0.8);
}

TEST(Model, every_schedule_penalty_and_clip_trains) {
  const Table table = synthetic_table(800);
  for (const char* schedule : {"constant", "cosine", "four_cycles"}) {
    TrainOptions options = quick_options("y");
    options.schedule = schedule;
    options.warm_up = 1;
    options.l2_splits = 1e-4;
    options.l2_leaves = 1e-4;
    options.clip = 1;
    EXPECT_GT(metric(train(table, options).evaluate(table)[0], "r2"), 0.7) << schedule;
  }
}

TEST(Model, strong_penalties_shrink_the_trees) {
  const Table table = synthetic_table(800);
  TrainOptions options = quick_options("y");
  options.trees.reset();
  options.ensemble = "wide=20";  // several groups are weighed afterwards, as validation likes
  options.l2_leaves = 1000;
  EXPECT_LT(metric(train(table, options).evaluate(table)[0], "r2"), 0.2);
}

TEST(Model, weight_zero_equals_no_row) {
  Table table = synthetic_table(600);
  std::vector<Column> columns = table.columns();
  std::vector<double> weight;
  for (std::size_t row = 0; row < 600; ++row) {
    weight.push_back(row % 3 == 0 ? 0 : 1);
    if (row % 3 == 0) columns[3].values[row] = 1e6;  // would be seen at once
  }
  columns.push_back(number_column("w", weight));
  TrainOptions options = quick_options("y", "squared");
  options.weight = "w";
  const Predictions predictions = train(Table(columns), options).predict(table);
  for (std::size_t row = 0; row < 600; ++row) EXPECT_LT(std::abs(predictions["mean"][row]), 100);
}

TEST(Model, hooks_can_stop_training) {
  int epochs = 0;
  Hooks hooks;
  hooks.on_epoch = [&](const Progress&, const EpochResult&) { return ++epochs < 3; };
  train(synthetic_table(300), quick_options("y"), hooks);
  EXPECT_EQ(epochs, 3);
}

TEST(Model, predicts_from_many_threads_at_once) {
  const Table table = synthetic_table(300);
  const Model model = train(table, quick_options("y"));
  const std::vector<double> expected = to_vector(model.predict(table)["mean"]);
  std::vector<std::vector<double>> results(8);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] { result = to_vector(model.predict(table, 1)["mean"]); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

TEST(Model, permuting_rows_permutes_predictions) {
  const Table table = synthetic_table(301);
  const Model model = train(table, quick_options("count", "nb"));
  std::vector<Column> columns = table.columns();
  for (Column& column : columns) {
    std::reverse(column.values.begin(), column.values.end());
    std::reverse(column.codes.begin(), column.codes.end());
  }
  std::vector<double> reversed = to_vector(model.predict(Table(columns))["mean"]);
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(reversed, to_vector(model.predict(table)["mean"]));
}

TEST(Model, a_loss_that_is_not_finite_says_where) {
  TrainOptions options = quick_options("y", "(y - f)^2 + sqrt(-1 - f^2)");
  try {
    train(synthetic_table(100), options);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("finite"), std::string::npos) << error.what();
  }
}

TEST(Model, describes_itself) {
  const std::string text = train(synthetic_table(300), quick_options("count", "zip")).describe();
  for (const char* part :
       {"count", "zero_inflated_poisson", "log_mu", " of depth 3", "x1", "city"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace softwood
