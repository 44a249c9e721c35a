#include "model/evaluate/evaluate.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/synthetic_table.h"
#include "softwood/model.h"
#include "softwood/train.h"

namespace softwood {
namespace {

Evaluation evaluation_of(const char* target) {
  const Table table = synthetic_table(600);
  TrainOptions options = quick_options(target);
  options.features = {"x1", "x2", "y"};
  return train(table, options).evaluate(table)[0];
}

TEST(Evaluate, of_several_classes_each_is_compared_with_its_share) {
  const Table table = synthetic_table(600);
  const Evaluation evaluation = evaluation_of("city");
  EXPECT_TRUE(evaluation.calibration.empty());
  ASSERT_EQ(evaluation.class_calibration.size(), 3u);
  double predicted_of_all = 0;
  for (std::size_t label = 0; label < 3; ++label) {
    std::size_t rows = 0;
    double observed = 0;
    for (const Evaluation::CalibrationBin& bin : evaluation.class_calibration[label]) {
      rows += bin.num_rows;
      observed += bin.observed * static_cast<double>(bin.num_rows);
      predicted_of_all += bin.predicted * static_cast<double>(bin.num_rows) / 600;
    }
    EXPECT_EQ(rows, 600u);
    const auto& codes = table.column("city").codes;
    const auto count = std::count(codes.begin(), codes.end(), static_cast<std::int32_t>(label));
    EXPECT_NEAR(observed, static_cast<double>(count), 1e-9);
  }
  EXPECT_NEAR(predicted_of_all, 1, 1e-9);  // probabilities of the classes sum to 1
}

TEST(Evaluate, of_two_classes_the_second_says_it_all) {
  const Evaluation evaluation = evaluation_of("label");
  EXPECT_FALSE(evaluation.calibration.empty());
  EXPECT_TRUE(evaluation.class_calibration.empty());
}

}  // namespace
}  // namespace softwood
