#include <cmath>
#include <numeric>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "loss/catalogue/find_loss.h"
#include "train/linear/fit_linear.h"

namespace softwood {
namespace {

constexpr std::size_t kFolds = 5;

/// Random linear columns in five folds, and tasks that are linear in the first ten of them, with
/// noise.
struct Scene {
  std::size_t num_rows;
  Encoder encoder;
  Rows rows;
  Tasks tasks;
  std::vector<Responses> responses;
  std::vector<Examples> training, validation;
  std::vector<LinearSides> sides;

  Scene(std::size_t rows_in_all, std::size_t num_columns) : num_rows(rows_in_all) {
    const RandomStream random(1, "linear bench");
    std::vector<Column> columns(num_columns);
    std::vector<std::string> names;
    for (std::size_t c = 0; c < num_columns; ++c) {
      columns[c].name = "x" + std::to_string(c);
      names.push_back(columns[c].name);
      std::vector<double> values;
      for (std::size_t row = 0; row < num_rows; ++row) {
        values.push_back(random.uniform(c * num_rows + row) +
                         0.5 * random.uniform(c / 4 * num_rows + row));
      }
      columns[c].values.assign(values.begin(), values.end());
    }
    std::vector<std::uint32_t> all(num_rows);
    std::iota(all.begin(), all.end(), 0U);
    const Table table(std::move(columns));
    encoder = Encoder::fit(table, all, {.features = names, .threads = 1});
    rows = encoder.encode(table, 1);
  }
  double truth(std::size_t row, std::size_t output) const {
    const RandomStream random(2, "noise", output);
    double sum = 3 * random.uniform(row);
    for (std::size_t c = 0; c < 10; ++c)
      sum += std::cos(static_cast<double>(c * output + 1)) * rows.view()(c, row) / 8;
    return sum;
  }
  void add_task(const char* loss, std::vector<double> y, std::size_t num_classes = 0) {
    Task task;
    task.program = LossProgram::compile(find_loss(loss), num_classes);
    responses.push_back({.y = std::move(y), .columns = {}});
    task.units = find_units(task.program, responses.back().view(), {});
    tasks.push_back(std::move(task));
  }
  void split() {
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
      std::vector<std::uint32_t> in, out;
      for (std::uint32_t row = 0; row < num_rows; ++row)
        (row % kFolds == fold ? out : in).push_back(row);
      training.push_back(select_examples(rows.view(), responses, {}, in));
      validation.push_back(select_examples(rows.view(), responses, {}, out));
    }
    for (std::size_t fold = 0; fold < kFolds; ++fold)
      sides.push_back({&training[fold], &validation[fold]});
  }
};

void fit(benchmark::State& state, const Scene& scene) {
  ThreadTeam team(1);
  for (auto _ : state) {
    const LinearFit fit = fit_linear(scene.tasks, scene.encoder, scene.sides, team, {});
    state.counters["penalty"] = fit.penalties[0];
  }
}

void many_squared_tasks(benchmark::State& state) {
  Scene scene(250, 300);
  for (std::size_t task = 0; task < 16; ++task) {
    std::vector<double> y;
    for (std::size_t row = 0; row < scene.num_rows; ++row) y.push_back(scene.truth(row, task));
    scene.add_task("squared", std::move(y));
  }
  scene.split();
  fit(state, scene);
}
BENCHMARK(many_squared_tasks)->Unit(benchmark::kMillisecond);

void softmax(benchmark::State& state) {
  const auto num_classes = static_cast<std::size_t>(state.range(0));
  Scene scene(10'000, 60);
  std::vector<double> y;
  for (std::size_t row = 0; row < scene.num_rows; ++row) {
    std::size_t best = 0;
    for (std::size_t label = 1; label < num_classes; ++label) {
      if (scene.truth(row, label) > scene.truth(row, best)) best = label;
    }
    y.push_back(static_cast<double>(best));
  }
  scene.add_task("softmax", std::move(y), num_classes);
  scene.split();
  fit(state, scene);
}
BENCHMARK(softmax)->Arg(3)->Arg(26)->Unit(benchmark::kMillisecond);

void one_output(benchmark::State& state, const char* loss) {
  Scene scene(10'000, 60);
  std::vector<double> y;
  for (std::size_t row = 0; row < scene.num_rows; ++row)
    y.push_back(std::floor(std::max(scene.truth(row, 1), 0.0)));
  scene.add_task(loss, std::move(y));
  scene.split();
  fit(state, scene);
}
BENCHMARK_CAPTURE(one_output, poisson, "poisson")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_output, nb, "nb")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_output, absolute, "absolute")->Unit(benchmark::kMillisecond);

void evaluate_part(benchmark::State& state) {
  const Scene scene(100'000, 400);
  const auto features = std::make_shared<const LinearFeatures>(scene.encoder.columns());
  const LinearPart part(features, std::vector<float>(features->size() * 16, 0.1F),
                        std::vector<float>(16));
  std::vector<double> g(16 * scene.num_rows);
  ThreadTeam team(1);
  for (auto _ : state) part.add_sums(scene.rows.view(), {g.data(), 16, scene.num_rows}, team);
}
BENCHMARK(evaluate_part)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace softwood
