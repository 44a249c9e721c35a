// The tree kernels on one thread. Besides time: rows per second, and "unit", time per row,
// column and 16 nodes, the measure in which look-ups and products compare.
#include <algorithm>
#include <cstdint>
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
  std::size_t num_bins = 16;  ///< 0: linear columns
  std::size_t num_trees = 100;
  int depth = 3;
  std::size_t num_outputs = 1;
  std::size_t num_rows = 256;
  std::size_t narrow = 0;  ///< > 0: bundles of two trees on this many columns each
};

ColumnBasis basis_of(std::size_t num_bins) {
  if (num_bins == 0) return {.kind = ColumnBasis::Kind::linear};
  ColumnBasis basis{.kind = ColumnBasis::Kind::curve, .num_knots = num_bins + 2};
  basis.slope.assign(num_bins + 1, 0.1F);
  basis.mean.assign(num_bins + 2, 0.5F);
  basis.mean[0] = 0;
  return basis;
}

EnsembleShape shape_of(const Setting& setting) {
  EnsembleShape shape{.depth = setting.depth, .num_outputs = setting.num_outputs};
  shape.columns.assign(setting.num_columns, basis_of(setting.num_bins));
  std::vector<std::uint32_t> all(setting.num_columns);
  for (std::uint32_t column = 0; column < setting.num_columns; ++column) all[column] = column;
  if (setting.narrow == 0) {
    shape.bundles = make_bundles(setting.num_trees, setting.depth, all, 0, setting.num_outputs);
    return shape;
  }
  const std::size_t together = narrow_trees_per_bundle(setting.depth);
  for (std::size_t first = 0; first < setting.num_trees; first += together) {
    std::vector<std::uint32_t> columns(all);
    RandomStream(1, "columns", first).shuffle(columns);
    columns.resize(setting.narrow);
    std::sort(columns.begin(), columns.end());
    shape.bundles.push_back({columns, together, 0, setting.num_outputs});
  }
  return shape;
}

struct Forest {
  static constexpr std::size_t kTableRows = 4096;

  Setting setting;
  Ensemble ensemble;
  std::vector<float> table;  // [columns × kTableRows]
  std::vector<std::uint32_t> rows;
  AlignedVector<float> parameters, values, gradients;
  Batch batch;
  std::vector<BundleMemory> memories;
  std::vector<float> out, out_gradients;

  explicit Forest(const Setting& chosen)
      : setting(chosen),
        ensemble(shape_of(chosen)),
        parameters(ensemble.make_buffer()),
        values(ensemble.make_buffer()),
        gradients(ensemble.make_buffer()),
        batch(ensemble.shape(), chosen.num_rows),
        out(chosen.num_outputs * chosen.num_rows),
        out_gradients(chosen.num_outputs * chosen.num_rows, 0.01F) {
    initialise(ensemble, 1, 0, {.splits = 0.2F, .leaves = 0.1F}, parameters);
    for (std::size_t column = 0; column < setting.num_columns; ++column) {
      const RandomStream stream(2, "table", column);
      const double scale = setting.num_bins == 0 ? 1 : static_cast<double>(setting.num_bins);
      for (std::size_t row = 0; row < kTableRows; ++row) {
        table.push_back(static_cast<float>(stream.uniform(row) * scale));
      }
    }
    for (std::size_t row = 0; row < setting.num_rows; ++row) {
      rows.push_back(static_cast<std::uint32_t>(RandomStream(3, "rows").below(row, kTableRows)));
    }
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      memories.emplace_back(ensemble, bundle, setting.num_rows);
    }
    load();
    make_curves();
    run_forward();
  }

  std::size_t num_bundles() const { return ensemble.shape().bundles.size(); }
  MatrixView<const float> view() const { return {table.data(), setting.num_columns, kTableRows}; }

  void load() {
    batch.resize(setting.num_rows);
    for (std::size_t column = 0; column < setting.num_columns; ++column) {
      batch.load_column(column, view(), rows, true);
    }
  }
  void make_curves() {
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      curves_from_parameters(ensemble, bundle, parameters, values);
    }
  }
  void run_forward() {
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      forward(ensemble, bundle, values, batch, memories[bundle],
              {out.data(), setting.num_outputs, setting.num_rows});
    }
  }
  void run_backward() {
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      backward(ensemble, bundle, values, batch, memories[bundle],
               {out_gradients.data(), setting.num_outputs, setting.num_rows}, gradients);
    }
  }
  /// Rows × columns × blocks of 16 nodes of one pass.
  double units() const {
    double total = 0;
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle) {
      total += static_cast<double>(ensemble.layout(bundle).num_blocks *
                                   ensemble.shape().bundles[bundle].columns.size());
    }
    return total * static_cast<double>(setting.num_rows);
  }
};

void report(benchmark::State& state, const Forest& forest) {
  using benchmark::Counter;
  const double rows = static_cast<double>(forest.setting.num_rows);
  state.counters["rows/s"] = Counter(rows, Counter::kIsIterationInvariantRate);
  state.counters["unit"] =
      Counter(forest.units(), Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void run_forward(benchmark::State& state, const Setting& setting) {
  Forest forest(setting);
  for (auto _ : state) forest.run_forward();
  report(state, forest);
}

/// A backward pass uses up what the forward pass kept, so only both together repeat.
void run_both(benchmark::State& state, const Setting& setting) {
  Forest forest(setting);
  for (auto _ : state) {
    forest.run_forward();
    forest.run_backward();
  }
  report(state, forest);
}

void run_load(benchmark::State& state, const Setting& setting) {
  Forest forest(setting);
  for (auto _ : state) forest.load();
  report(state, forest);
}

void run_curves(benchmark::State& state, const Setting& setting) {
  Forest forest(setting);
  for (auto _ : state) {
    forest.make_curves();
    for (std::size_t bundle = 0; bundle < forest.num_bundles(); ++bundle) {
      gradients_of_parameters(forest.ensemble, bundle, forest.gradients);
    }
  }
  state.counters["per parameter"] = benchmark::Counter(
      static_cast<double>(forest.ensemble.buffer_size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void run_predict(benchmark::State& state, const Setting& setting) {
  Forest forest(setting);
  Predictor predictor(forest.ensemble, forest.values);
  std::vector<double> out(setting.num_outputs * Forest::kTableRows);
  const MatrixView<double> view(out.data(), setting.num_outputs, Forest::kTableRows);
  for (auto _ : state) predictor.predict(forest.view(), 0, setting.num_rows, view);
  report(state, forest);
}

#define TREE_BENCH(name, ...)                                 \
  BENCHMARK_CAPTURE(run_forward, name, Setting{__VA_ARGS__}); \
  BENCHMARK_CAPTURE(run_both, name, Setting{__VA_ARGS__});    \
  BENCHMARK_CAPTURE(run_load, name, Setting{__VA_ARGS__})

TREE_BENCH(wide_16_bins, .num_bins = 16);
TREE_BENCH(wide_4_bins, .num_bins = 4);
TREE_BENCH(wide_16_bins_1024_rows, .num_bins = 16, .num_rows = 1024);
TREE_BENCH(wide_16_bins_26_outputs, .num_bins = 16, .num_outputs = 26);
TREE_BENCH(wide_16_bins_depth_6, .num_bins = 16, .num_trees = 12, .depth = 6);
TREE_BENCH(linear_32_columns, .num_columns = 32, .num_bins = 0, .depth = 4);
TREE_BENCH(narrow_64_bins, .num_bins = 64, .num_trees = 96, .narrow = 4);
TREE_BENCH(narrow_128_bins, .num_bins = 128, .num_trees = 96, .narrow = 4);
BENCHMARK_CAPTURE(run_curves, wide_16_bins, Setting{});
BENCHMARK_CAPTURE(run_predict, wide_16_bins_4096_rows, Setting{.num_rows = 4096});
BENCHMARK_CAPTURE(run_predict, wide_16_bins_single_row, Setting{.num_rows = 1});

}  // namespace
}  // namespace softwood
