#include "train/planting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "tree/initialise.h"

namespace softwood {
namespace {

constexpr float kLeafLimit = 0.005F;

/// Mean of each level's indicator: its share of the rows.
std::vector<float> level_means(std::size_t num_levels, std::span<const float> positions) {
  std::vector<double> counts(num_levels, 0);
  for (const float position : positions) ++counts[static_cast<std::size_t>(position)];
  std::vector<float> means;
  for (const double count : counts) {
    means.push_back(static_cast<float>(count / static_cast<double>(positions.size())));
  }
  return means;
}

/// Means of a curve's features: slope (centred already), how full each bin is, missing.
std::vector<float> curve_means(std::size_t num_bins, std::span<const float> positions) {
  const std::size_t missing = num_bins + 1;
  // A row in bin k at fraction t fills bins before k wholly and bin k by t.
  std::vector<double> whole(num_bins + 1, 0), part(num_bins + 1, 0);
  double num_missing = 0;
  for (const float position : positions) {
    if (position >= static_cast<float>(missing)) {
      ++num_missing;
      continue;
    }
    const auto bin = static_cast<std::size_t>(position);
    ++whole[bin];
    part[bin] += position - static_cast<float>(bin);
  }
  const double present = std::max(1.0, static_cast<double>(positions.size()) - num_missing);
  std::vector<float> means(num_bins + 2, 0.0F);
  double beyond = whole[num_bins];
  for (std::size_t bin = num_bins; bin-- > 0;) {
    means[bin + 1] = static_cast<float>((beyond + part[bin]) / present);
    beyond += whole[bin];
  }
  means[missing] = static_cast<float>(num_missing / static_cast<double>(positions.size()));
  return means;
}

std::vector<std::uint32_t> all_columns(std::size_t count) {
  std::vector<std::uint32_t> columns(count);
  std::iota(columns.begin(), columns.end(), 0U);
  return columns;
}

/// `count` of the columns, drawn for one bundle.
std::vector<std::uint32_t> random_columns(std::size_t num_columns, std::size_t count,
                                          std::uint64_t seed, std::size_t bundle) {
  std::vector<std::uint32_t> columns = all_columns(num_columns);
  RandomStream(seed, "columns", bundle).shuffle(columns);
  columns.resize(std::min(count, num_columns));
  std::sort(columns.begin(), columns.end());
  return columns;
}

/// Parameters of one split: the fan-in of Glorot's rule.
std::size_t parameters_per_split(const EnsembleShape& shape, const Bundle& bundle) {
  std::size_t count = 0;
  for (const std::uint32_t column : bundle.columns) count += shape.columns[column].num_parameters();
  return count;
}

}  // namespace

ColumnBasis column_basis(const EncodedColumn& column, std::span<const float> positions) {
  ColumnBasis basis;
  basis.num_knots = column.num_knots();
  switch (column.kind) {
    case EncodedColumn::Kind::curve:
      basis.kind = ColumnBasis::Kind::curve;
      basis.mean = curve_means(column.edges.size() - 1, positions);
      for (const double edge : column.edges) {
        basis.slope.push_back(static_cast<float>((edge - column.mean) / column.sd));
      }
      break;
    case EncodedColumn::Kind::levels:
      basis.kind = ColumnBasis::Kind::levels;
      basis.mean = level_means(column.num_knots(), positions);
      break;
    case EncodedColumn::Kind::linear:
      basis.kind = ColumnBasis::Kind::linear;
      basis.mean = {0.0F};
      break;
  }
  return basis;
}

EnsembleShape plan_ensemble(const Settings& settings, std::vector<ColumnBasis> columns,
                            std::size_t num_outputs) {
  EnsembleShape shape;
  shape.depth = settings.depth;
  shape.activation = settings.activation;
  shape.gamma = settings.gamma;
  shape.num_outputs = num_outputs;
  shape.columns = std::move(columns);
  const std::size_t num_columns = shape.columns.size();
  if (settings.columns_per_tree == 0 || settings.columns_per_tree >= num_columns) {
    shape.bundles = make_bundles(settings.num_trees, settings.depth, all_columns(num_columns), 0,
                                 num_outputs, 0);
    return shape;
  }
  const std::size_t per_bundle = narrow_trees_per_bundle(settings.depth);
  for (std::size_t first = 0; first < settings.num_trees; first += per_bundle) {
    Bundle bundle;
    bundle.columns =
        random_columns(num_columns, settings.columns_per_tree, settings.seed, shape.bundles.size());
    bundle.num_trees = std::min(per_bundle, settings.num_trees - first);
    bundle.num_outputs = num_outputs;
    shape.bundles.push_back(std::move(bundle));
  }
  return shape;
}

AlignedVector<float> initial_parameters(const Ensemble& ensemble, std::uint64_t seed) {
  AlignedVector<float> parameters = ensemble.make_buffer();
  const EnsembleShape& shape = ensemble.shape();
  std::size_t first_tree = 0;
  for (std::size_t index = 0; index < shape.bundles.size(); ++index) {
    const auto fan =
        static_cast<double>(parameters_per_split(shape, shape.bundles[index]) + shape.num_trees());
    const InitialLimits limits = {.splits = static_cast<float>(std::sqrt(6 / fan)),
                                  .leaves = kLeafLimit};
    initialise_bundle(ensemble, index, seed, first_tree, limits, parameters);
    first_tree += shape.bundles[index].num_trees;
  }
  return parameters;
}

}  // namespace softwood
