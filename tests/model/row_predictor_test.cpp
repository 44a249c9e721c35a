#include "softwood/row_predictor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/counting_new.h"
#include "model/file/version_3.h"
#include "model/hand_made_model.h"
#include "model/number_column.h"
#include "model/raw_row.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A number, a text and a date; two tasks, one of them with two classes.
struct Scene {
  Model model = version_3_model();
  Table table = version_3_table(model);
  RowPredictor predictor{model};
};

TEST(RowPredictor, names_inputs_and_predictions_as_the_table_has_them) {
  const Scene scene;
  std::vector<std::string> names;
  for (const RowPredictor::Input& input : scene.predictor.inputs()) names.push_back(input.name);
  EXPECT_THAT(names, ElementsAre("x", "city", "day"));
  EXPECT_EQ(scene.predictor.inputs()[1].kind, ColumnKind::categorical);
  EXPECT_EQ(scene.predictor.inputs()[2].kind, ColumnKind::datetime);
  std::vector<std::string> numeric;
  const Predictions predictions = scene.model.predict(scene.table);
  for (const Column& column : predictions.table().columns()) {
    if (column.kind == ColumnKind::numeric) numeric.push_back(column.name);
  }
  EXPECT_EQ(scene.predictor.predictions(), numeric);
}

TEST(RowPredictor, gives_the_bits_of_a_table) {
  const Scene scene;
  EXPECT_EQ(rows_unlike_the_table(scene.model, scene.table), 0u);
}

TEST(RowPredictor, an_unseen_text_is_the_other_level_and_nan_is_missing) {
  Scene scene;
  const Table table(
      {number_column("x", std::vector<double>{NAN, 0.5}),
       {.name = "city", .kind = ColumnKind::categorical, .codes = {0, -1}, .levels = {"nowhere"}},
       {.name = "day", .kind = ColumnKind::datetime, .values = {0, NAN}}});
  EXPECT_EQ(scene.predictor.level("city", "nowhere"), -1);
  EXPECT_EQ(rows_unlike_the_table(scene.model, table), 0u);
}

TEST(RowPredictor, adds_the_linear_part) {
  const Table table({number_column("a", std::vector<double>{-1, 0.25, 0.5, 1}),
                     number_column("b", std::vector<double>{3, NAN, 5, 4})});
  ModelParts parts =
      ModelAccess::parts(hand_made_model(table, {"a", "b"}, {{.addends = {{0, 2}}, .height = 3}}));
  auto features = std::make_shared<const LinearFeatures>(parts.encoder.columns());
  std::vector<float> weights;
  for (std::size_t i = 0; i < features->size(); ++i)
    weights.push_back(0.3F + static_cast<float>(i));
  parts.members[0].linear = LinearPart(features, weights, {0.7F});
  parts.members.push_back(parts.members[0]);  // and of several members gives the mean
  parts.members[1].offset = {5};
  const Model model = ModelAccess::make(std::move(parts));
  EXPECT_EQ(rows_unlike_the_table(model, table), 0u);
  EXPECT_GT(RowPredictor(model).predict(std::vector<double>{1, 4})[0], 5);
}

TEST(RowPredictor, allocates_nothing_after_the_first_row) {
  Scene scene;
  std::vector<std::vector<double>> rows;
  for (std::size_t row = 0; row < scene.table.num_rows(); ++row)
    rows.push_back(raw_row(scene.predictor, scene.table, row));
  const std::size_t at_first = allocations_of_this_thread();
  scene.predictor.predict(rows[0]);
  const std::size_t after_first = allocations_of_this_thread();
  for (const std::vector<double>& row : rows) scene.predictor.predict(row);
  EXPECT_EQ(allocations_of_this_thread(), after_first);
  const RowPredictor counted(scene.model);
  EXPECT_GT(allocations_of_this_thread(), at_first) << "nothing is counted";
}

TEST(RowPredictor, refuses_what_is_no_such_row) {
  Scene scene;
  RowPredictor& predictor = scene.predictor;
  const auto predict = [&](std::vector<double> row) {
    return [&predictor, row] { predictor.predict(row); };
  };
  EXPECT_THAT(predict({1, 2}), ThrowsMessage<Error>(HasSubstr("2 cells, but the model reads 3")));
  EXPECT_THAT(predict({INFINITY, 0, 0}), ThrowsMessage<Error>(HasSubstr("'x' is infinite")));
  EXPECT_THAT(predict({0, 0.5, 0}), ThrowsMessage<Error>(HasSubstr("'city' has ")));
  EXPECT_THAT([&] { predictor.level("citty", "a"); },
              ThrowsMessage<Error>(HasSubstr("Did you mean 'city'")));
  EXPECT_THAT([&] { predictor.level("x", "a"); }, ThrowsMessage<Error>(HasSubstr("no levels")));
}

}  // namespace
}  // namespace softwood
