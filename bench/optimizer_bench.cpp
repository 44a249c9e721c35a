// What a parameter of the splits costs after the backward pass, on one thread: suffix sums, Adam
// and prefix sums; of coupled tasks also the coupling, and all that one pass after the other over
// whole bundles or by turns, some columns at a time.
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "train/engine/adam.h"
#include "train/engine/coupled_update.h"
#include "train/engine/coupling.h"
#include "tree/ensemble.h"
#include "tree/initialise.h"
#include "tree/kernels/curves.h"

namespace softwood {
namespace {

struct Setting {
  std::size_t num_tasks = 1;  ///< whose splits are pulled together
  std::size_t num_bundles = 1;
  std::size_t num_columns = 20;
  std::size_t num_bins = 16;
};

ColumnBasis basis_of(std::size_t num_bins) {
  ColumnBasis basis{.kind = ColumnBasis::Kind::curve, .num_knots = num_bins + 2};
  basis.slope.assign(num_bins + 1, 0.1F);
  basis.mean.assign(num_bins + 2, 0.5F);
  basis.mean[0] = 0;
  return basis;
}

Ensemble ensemble_of(const Setting& setting) {
  EnsembleShape shape{.depth = 3, .num_outputs = setting.num_tasks};
  shape.columns.assign(setting.num_columns, basis_of(setting.num_bins));
  std::vector<std::uint32_t> all(setting.num_columns);
  for (std::uint32_t column = 0; column < setting.num_columns; ++column) all[column] = column;
  for (std::size_t bundle = 0; bundle < setting.num_bundles; ++bundle) {
    for (std::size_t task = 0; task < setting.num_tasks; ++task)
      shape.bundles.push_back(
          {.columns = all, .num_trees = 16, .first_output = task, .num_outputs = 1});
  }
  return Ensemble(std::move(shape));
}

struct Family {
  CoupledPieces pieces;
  std::vector<float> strengths;
};

/// Gradients are what the step before left of them: a pass costs the same whatever they are.
struct Descent {
  Setting setting;
  Ensemble ensemble;
  AlignedVector<float> parameters, gradients, first, second, averages, values;
  std::vector<Family> families;
  AdamStep step{.rate = 1e-3F, .average_weight = 0.1F};

  explicit Descent(const Setting& chosen)
      : setting(chosen),
        ensemble(ensemble_of(chosen)),
        parameters(ensemble.make_buffer()),
        gradients(ensemble.make_buffer()),
        first(ensemble.make_buffer()),
        second(ensemble.make_buffer()),
        averages(ensemble.make_buffer()),
        values(ensemble.make_buffer()) {
    initialise(ensemble, 1, 0, {.splits = 0.2F, .leaves = 0.1F}, parameters);
    initialise(ensemble, 2, 0, {.splits = 0.01F, .leaves = 0.1F}, gradients);
    for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size();
         bundle += setting.num_tasks) {
      Family& family = families.emplace_back();
      family.strengths = coupling_strengths(ensemble, bundle, 0.005, 0.5);
      family.pieces.size = ensemble.layout(bundle).weights_size;
      for (std::size_t task = 0; task < setting.num_tasks; ++task)
        family.pieces.offsets.push_back(ensemble.layout(bundle + task).weights);
    }
  }

  void pass_by_pass() {
    for (std::size_t index = 0; index < families.size(); ++index) {
      const Family& family = families[index];
      const std::size_t bundle = index * setting.num_tasks;
      for (std::size_t task = 0; task < setting.num_tasks; ++task)
        gradients_of_parameters(ensemble, bundle + task, gradients);
      for (const std::size_t offset : family.pieces.offsets) {
        const auto part = [&](AlignedVector<float>& buffer) {
          return std::span(buffer).subspan(offset, family.pieces.size);
        };
        AdamStep own = step;
        if (setting.num_tasks > 1) own.average_weight = 0;  // couple() averages
        adam_update(own, part(parameters), part(gradients), part(first), part(second),
                    part(averages));
      }
      if (setting.num_tasks > 1) {
        couple(step, family.strengths, ensemble.layout(bundle).block_stride / kLanes, family.pieces,
               {parameters.data(), averages.data(), second.data()});
      }
      for (std::size_t task = 0; task < setting.num_tasks; ++task)
        curves_from_parameters(ensemble, bundle + task, parameters, values);
    }
  }

  void by_turns() {
    for (std::size_t index = 0; index < families.size(); ++index) {
      const std::size_t bundle = index * setting.num_tasks;
      update_coupled(step, ensemble.shape(), ensemble.shape().bundles[bundle],
                     ensemble.layout(bundle),
                     {families[index].pieces.offsets, families[index].strengths},
                     {gradients.data(), parameters.data(), first.data(), second.data(),
                      averages.data(), values.data()});
    }
  }
};

void run(benchmark::State& state, const Setting& setting, void (Descent::*pass)()) {
  Descent descent(setting);
  for (auto _ : state) (descent.*pass)();
  state.counters["per parameter"] = benchmark::Counter(
      static_cast<double>(descent.ensemble.buffer_size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void run_passes(benchmark::State& state, const Setting& setting) {
  run(state, setting, &Descent::pass_by_pass);
}

void run_by_turns(benchmark::State& state, const Setting& setting) {
  run(state, setting, &Descent::by_turns);
}

#define COUPLED_BENCH(name, ...)                             \
  BENCHMARK_CAPTURE(run_passes, name, Setting{__VA_ARGS__}); \
  BENCHMARK_CAPTURE(run_by_turns, name, Setting{__VA_ARGS__})

BENCHMARK_CAPTURE(run_passes, one_task_in_l2, Setting{.num_columns = 5});
BENCHMARK_CAPTURE(run_passes, one_task, Setting{.num_bundles = 3});
BENCHMARK_CAPTURE(run_passes, one_task_beyond_cache, Setting{.num_bundles = 40});
COUPLED_BENCH(sixteen_tasks_in_l3, .num_tasks = 16, .num_columns = 5);
COUPLED_BENCH(sixteen_tasks, .num_tasks = 16, .num_bundles = 3);
COUPLED_BENCH(sixteen_tasks_128_bins, .num_tasks = 16, .num_bundles = 3, .num_columns = 5,
              .num_bins = 128);

}  // namespace
}  // namespace softwood
