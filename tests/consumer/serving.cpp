// Answers with a model that others trained: loads the file, predicts, looks into it. It links
// softwood::serving alone, which cannot train.
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include <softwood/error.h>
#include <softwood/explain.h>
#include <softwood/model.h>
#include <softwood/row_predictor.h>
#include <softwood/table.h>

namespace sw = softwood;

namespace {

void require(bool condition, const std::string& what) {
  if (!condition) throw sw::Error("the serving program expected that " + what);
}

void run(const std::string& path) {
  const sw::Model model = sw::Model::load(path);
  const sw::Table table({{.name = "age", .values = {25, 50, 75, 60}},
                         {.name = "smoker",
                          .kind = sw::ColumnKind::categorical,
                          .codes = {0, 0, 1, -1},
                          .levels = {"no", "yes"}}});
  const sw::Predictions predictions = model.predict(table);
  require(predictions["mean"][0] < predictions["mean"][2], "an old smoker has more visits");

  sw::RowPredictor row_predictor(model);
  const std::vector<double> row = {75, row_predictor.level("smoker", "yes")};
  require(row_predictor.predict(row)[0] == predictions["mean"][2], "a row alone has the same bits");

  const sw::PredictedDistribution distribution = model.distribution(table);
  require(distribution.is_discrete(), "visits are counted");
  require(distribution.quantile(0.05)[2] <= distribution.quantile(0.95)[2], "quantiles ascend");

  const sw::Importances shares = sw::importances(model, table);
  require(std::abs(shares.shares[0][0] + shares.shares[0][1] - 1) < 1e-9, "shares sum to one");
  require(model.history().num_rows() == 5, "the file tells of every epoch");
}

}  // namespace

int main(int argc, char** argv) try {
  run(argc > 1 ? argv[1] : "consumer.softwood");
  std::cout << "serving: loaded, predicted, explained\n";
} catch (const sw::Error& error) {
  std::cerr << "serving: " << error.what() << '\n';
  return 1;
}
