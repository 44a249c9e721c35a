// Trains, saves, loads and predicts with the installed library and its public headers alone.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include <softwood/error.h>
#include <softwood/model.h>
#include <softwood/table.h>
#include <softwood/train.h>

namespace sw = softwood;

namespace {

// Counts whose mean rises with `age` and depends on the category `smoker`.
sw::Table make_visits(int num_rows) {
  sw::Column age{.name = "age"};
  sw::Column smoker{.name = "smoker", .kind = sw::ColumnKind::categorical, .levels = {"no", "yes"}};
  sw::Column visits{.name = "visits"};
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(20, 80);
  for (int row = 0; row < num_rows; ++row) {
    age.values.push_back(uniform(generator));
    smoker.codes.push_back(row % 2);
    const double mean = std::exp(age.values.back() / 40 + smoker.codes.back() - 1);
    visits.values.push_back(std::poisson_distribution<int>(mean)(generator));
  }
  return sw::Table({age, smoker, visits});
}

void require(bool condition, const std::string& what) {
  if (!condition) throw sw::Error("the consumer expected that " + what);
}

void run(const std::string& path) {
  const sw::Table table = make_visits(500);
  const sw::Model model = sw::train(
      table,
      {.tasks = {{.target = "visits", .loss = "poisson"}}, .trees = 20, .depth = 3, .epochs = 5});
  model.save(path);
  const sw::Predictions before = model.predict(table);
  const sw::Predictions after = sw::Model::load(path).predict(table);

  require(after.num_rows() == table.num_rows(), "every row is predicted");
  require(std::ranges::equal(before["mean"], after["mean"]),
          "a loaded model predicts the same bits");
  const auto [least, most] = std::ranges::minmax(after["mean"]);
  require(least > 0 && most > 2 * least, "the model learned something");
}

}  // namespace

int main(int argc, char** argv) try {
  run(argc > 1 ? argv[1] : "consumer.softwood");
  std::cout << "consumer: trained, saved, loaded and predicted alike\n";
} catch (const sw::Error& error) {
  std::cerr << "consumer: " << error.what() << '\n';
  return 1;
}
