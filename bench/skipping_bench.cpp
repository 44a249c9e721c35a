// Rows that skip what they do not reach: deep trees of a smooth step beside the same trees of the
// logistic function, whose kernels visit every node. Narrower steps (smaller γ) reach less; "share"
// is the part of all blocks of 16 nodes that a row visits. One thread.
//   skipping_bench --benchmark_enable_random_interleaving=true --benchmark_repetitions=5
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "tree/batch.h"
#include "tree/ensemble.h"
#include "tree/initialise.h"
#include "tree/kernels/curves.h"
#include "tree/kernels/kernels.h"
#include "tree/predict.h"

namespace softwood {
namespace {

struct Setting {
  std::size_t num_columns = 14;
  bool linear = false;  ///< else curves of 16 bins
  std::size_t num_trees = 1;
  int depth = 8;
  float gamma = 0;  ///< of the smooth step, in standard deviations of a score; 0: logistic
  bool skip = true;
};

constexpr std::size_t kTableRows = 4096, kBatchRows = 256;

EnsembleShape shape_of(const Setting& setting) {
  EnsembleShape shape{.depth = setting.depth};
  ColumnBasis basis{.kind = ColumnBasis::Kind::linear};
  if (!setting.linear) {
    basis = {.kind = ColumnBasis::Kind::curve, .num_knots = 18};
    basis.slope.assign(17, 0.1F);
    basis.mean.assign(18, 0.5F);
    basis.mean[0] = 0;
  }
  shape.columns.assign(setting.num_columns, basis);
  std::vector<std::uint32_t> all(setting.num_columns);
  for (std::uint32_t column = 0; column < setting.num_columns; ++column) all[column] = column;
  shape.bundles = make_bundles(setting.num_trees, setting.depth, all, 0, 1);
  if (setting.gamma == 0) return shape;
  shape.activation = Activation::smooth_step;
  // Weights uniform in ±0.2; of a curve about eight increments add up, of which half are centred.
  const double variance = 0.04 / 3 * static_cast<double>(setting.num_columns);
  shape.gamma =
      setting.gamma * static_cast<float>(std::sqrt(variance * (setting.linear ? 1.0 / 3 : 4)));
  return shape;
}

/// A table, trees, and all that a training's step of them needs but the optimizer.
struct Scene {
  Ensemble ensemble;
  std::vector<float> table;
  std::vector<std::uint32_t> rows;
  AlignedVector<float> parameters, values, gradients;
  Batch batch;
  std::vector<BundleMemory> memories;
  std::vector<float> out, out_gradients;

  Scene(const Setting& setting, bool trains)
      : ensemble(shape_of(setting)),
        parameters(ensemble.make_buffer()),
        values(ensemble.make_buffer()),
        gradients(trains ? ensemble.make_buffer() : AlignedVector<float>()),
        batch(ensemble.shape(), kBatchRows),
        out(kBatchRows),
        out_gradients(kBatchRows, 0.01F) {
    initialise(ensemble, 1, 0, {.splits = 0.2F, .leaves = 0.1F}, parameters);
    for (std::size_t column = 0; column < setting.num_columns; ++column) {
      const RandomStream stream(2, "table", column);
      for (std::size_t row = 0; row < kTableRows; ++row) {
        const double u = stream.uniform(row);
        table.push_back(static_cast<float>(setting.linear ? 2 * u - 1 : 16 * u));
      }
    }
    for (std::size_t row = 0; row < kBatchRows; ++row) {
      rows.push_back(static_cast<std::uint32_t>(RandomStream(3, "rows").below(row, kTableRows)));
    }
    make_curves();
    if (!trains) return;
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      memories.emplace_back(ensemble, bundle, kBatchRows).visits.skip = setting.skip;
    }
  }

  std::size_t num_bundles() const { return ensemble.shape().bundles.size(); }
  MatrixView<const float> view() const {
    return {table.data(), ensemble.shape().columns.size(), kTableRows};
  }
  void make_curves() {
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      curves_from_parameters(ensemble, bundle, parameters, values);
    }
  }
  void load() {
    batch.resize(kBatchRows);
    const std::vector<std::size_t> columns = ensemble.shape().columns_in_use();
    if (batch.by_row()) batch.load_rows(columns, view(), rows, 0, kBatchRows);
    for (const std::size_t column : columns) batch.load_column(column, view(), rows, true);
  }
  void step() {
    load();
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      forward(ensemble, bundle, values, batch, memories[bundle], {out.data(), 1, kBatchRows});
    }
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      backward(ensemble, bundle, values, batch, memories[bundle],
               {out_gradients.data(), 1, kBatchRows}, gradients);
    }
  }
  /// Visits of blocks over what going everywhere would be.
  double share_visited() {
    BundleMemory memory(ensemble, kBatchRows);
    load();
    double visited = 0, all = 0;
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      forward(ensemble, bundle, values, batch, memory, {out.data(), 1, kBatchRows});
      visited += static_cast<double>(memory.visits.count);
      all += static_cast<double>(ensemble.layout(bundle).num_blocks * kBatchRows);
    }
    return ensemble.shape().skips() ? visited / all : 1;
  }
};

void report(benchmark::State& state, Scene& scene, std::size_t num_rows) {
  state.counters["rows/s"] = benchmark::Counter(static_cast<double>(num_rows),
                                                benchmark::Counter::kIsIterationInvariantRate);
  state.counters["share"] = scene.share_visited();
}

void predict(benchmark::State& state, const Setting& setting) {
  Scene scene(setting, false);
  Predictor predictor(scene.ensemble, scene.values);
  std::vector<double> out(kTableRows);
  const MatrixView<double> view(out.data(), 1, kTableRows);
  for (auto _ : state) predictor.predict(scene.view(), 0, kTableRows, view);
  report(state, scene, kTableRows);
}

void predict_one_row(benchmark::State& state, const Setting& setting) {
  Scene scene(setting, false);
  Predictor predictor(scene.ensemble, scene.values);
  std::vector<double> out(kTableRows);
  const MatrixView<double> view(out.data(), 1, kTableRows);
  std::size_t row = 0;  // another one every time: nothing of a row's way is known before
  for (auto _ : state) {
    predictor.predict(scene.view(), row, 1, view);
    row = (row + 1) % kTableRows;
  }
  report(state, scene, 1);
}

/// Loading a batch, forward and backward.
void step(benchmark::State& state, const Setting& setting) {
  Scene scene(setting, true);
  for (auto _ : state) scene.step();
  report(state, scene, kBatchRows);
}

const bool kRegistered = [] {
  struct Shape {
    const char* name;
    std::size_t num_columns;
    bool linear;
    std::size_t num_trees;
  };
  constexpr Shape kShapes[] = {{"14_curves", 14, false, 1},
                               {"14_curves_100_trees", 14, false, 100},
                               {"300_linear", 300, true, 1},
                               {"300_linear_20_trees", 300, true, 20}};
  constexpr std::array<float, 4> kGammas = {0, 0.05F, 0.5F, 3};
  for (const Shape& shape : kShapes) {
    for (const int depth : {7, 8, 10, 12}) {
      if (depth > 8 && shape.num_trees > 20) continue;
      for (const float gamma : kGammas) {
        const Setting setting{shape.num_columns, shape.linear, shape.num_trees, depth, gamma};
        const std::string name =
            std::string(shape.name) + "/depth_" + std::to_string(depth) +
            (gamma == 0 ? "/logistic" : "/gamma_" + std::to_string(gamma).substr(0, 4));
        benchmark::RegisterBenchmark(("predict/" + name).c_str(), predict, setting)->MinTime(0.05);
        benchmark::RegisterBenchmark(("predict_one_row/" + name).c_str(), predict_one_row, setting)
            ->MinTime(0.05);
        if (shape.num_trees <= 20)
          benchmark::RegisterBenchmark(("step/" + name).c_str(), step, setting)->MinTime(0.05);
      }
    }
  }
  return true;
}();

}  // namespace
}  // namespace softwood
