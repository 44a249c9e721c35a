#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

#include "base/random.h"
#include "data/csv/reader.h"
#include "softwood/model.h"
#include "softwood/train.h"

namespace softwood {
namespace {

constexpr std::size_t kSmallChunk = 1000;

/// Numbers, some missing, some written with quotes; texts, dates, weights and two responses.
std::string csv_text(std::size_t num_rows) {
  const RandomStream random(1, "deferred training");
  std::string text = "x1,x2,when,city,weight,y,label\n";
  for (std::size_t row = 0; row < num_rows; ++row) {
    const auto uniform = [&](std::uint64_t which) { return random.uniform(row * 8 + which); };
    const double x1 = uniform(0), x2 = uniform(1);
    const bool oslo = uniform(2) < 0.3;
    text += std::to_string(x1) + ",";
    text += (uniform(3) < 0.1 ? "NA" : "\"" + std::to_string(x2) + "\"") + ",";
    text += "2020-01-" + std::to_string(10 + row % 20) + (oslo ? ",Oslo," : ",\"Rome, Italy\",");
    text += std::to_string(1 + row % 3) + "," + std::to_string(x1 * x2 + (oslo ? 1 : 0));
    text += x1 > x2 ? ",over\n" : ",under\n";
  }
  return text;
}

TrainOptions options_for(const std::string& target, const std::string& loss) {
  TrainOptions options;
  options.tasks = {{.target = target, .loss = loss}};
  options.features = {"x1", "x2", "when", "city"};
  options.weight = "weight";
  options.trees = 8;
  options.epochs = 3;
  return options;
}

class DeferredTraining : public testing::Test {
 protected:
  DeferredTraining() { std::ofstream(path_, std::ios::binary) << csv_text(3000); }
  ~DeferredTraining() override { std::remove(path_.c_str()); }

  std::string path_ =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

TEST_F(DeferredTraining, gives_the_model_of_a_table_in_memory_to_the_byte) {
  const Table plain = read_csv(FileBytes(path_), {});
  for (const auto& [target, loss] : {std::pair("y", "normal"), std::pair("label", "logistic")}) {
    const Table deferred = read_csv_deferred(FileBytes::map(path_, 0), {}, kSmallChunk);
    ASSERT_TRUE(deferred.column("x1").values.is_deferred());
    const TrainOptions options = options_for(target, loss);
    EXPECT_TRUE(train(deferred, options).to_bytes() == train(plain, options).to_bytes()) << target;
  }
}

TEST_F(DeferredTraining, leaves_the_table_as_it_was) {
  const Table deferred = read_csv_deferred(FileBytes::map(path_, 0), {}, kSmallChunk);
  const TrainOptions options = options_for("y", "squared");
  const std::string first = train(deferred, options).to_bytes();
  EXPECT_TRUE(train(deferred, options).to_bytes() == first);
}

}  // namespace
}  // namespace softwood
