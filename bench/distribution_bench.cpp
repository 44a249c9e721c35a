// Rows a second of what follows from a cdf, one core: quantiles, CRPS, for every built-in loss that
// has one.
#include <cmath>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "base/simd_target.h"
#include "loss/catalogue/catalogue.h"
#include "loss/catalogue/find_loss.h"
#include "model/distribution/distribution.h"

namespace {

constexpr std::size_t kRows = 100'000;

/// Raw outputs between −1 and 1, columns of ones.
struct World {
  explicit World(const std::string& name) {
    softwood::choose_simd_target();
    task.program = softwood::LossProgram::compile(softwood::find_loss(name), 3);
    const softwood::RandomStream stream(1, "outputs");
    outputs.resize(1);
    for (std::size_t i = 0; i < task.num_outputs() * kRows; ++i)
      outputs[0].push_back(2 * stream.uniform(i) - 1);
    data.columns.assign(task.program.columns().size(), ones);
  }
  softwood::Distribution distribution() {
    return softwood::Distribution(task, data, {outputs[0]}, kRows, team);
  }

  softwood::Task task;
  std::vector<std::vector<double>> outputs;
  std::vector<double> ones = std::vector<double>(kRows, 1.0);
  softwood::LossData data;
  softwood::ThreadTeam team{1};
};

void count_rows(benchmark::State& state) {
  state.counters["rows/s"] = benchmark::Counter(static_cast<double>(state.iterations() * kRows),
                                                benchmark::Counter::kIsRate);
}

void quantile(benchmark::State& state, const std::string& name) {
  World world(name);
  for (auto _ : state) benchmark::DoNotOptimize(world.distribution().quantile(0.95));
  count_rows(state);
}

void crps(benchmark::State& state, const std::string& name) {
  World world(name);
  for (auto _ : state) benchmark::DoNotOptimize(world.distribution().crps(world.ones, {}));
  count_rows(state);
}

const bool registered = [] {
  for (const softwood::CatalogueEntry& entry : softwood::loss_catalogue()) {
    if (!softwood::LossProgram::compile({entry.name, entry.text, {}}, 3).has_cdf()) continue;
    benchmark::RegisterBenchmark(("quantile/" + entry.name).c_str(), quantile, entry.name)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("crps/" + entry.name).c_str(), crps, entry.name)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
