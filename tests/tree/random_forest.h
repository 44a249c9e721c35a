#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tree/batch.h"
#include "tree/ensemble.h"
#include "tree/kernels/curves.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// A curve of `num_bins` bins with means as a training table with values everywhere would give.
inline ColumnBasis curve_basis(std::size_t num_bins, double missing_share) {
  ColumnBasis basis{.kind = ColumnBasis::Kind::curve, .num_knots = num_bins + 2};
  const double bins = static_cast<double>(num_bins);
  basis.mean.push_back(0);
  for (std::size_t j = 0; j <= num_bins; ++j) {
    basis.slope.push_back(static_cast<float>((static_cast<double>(j) / bins - 0.5) * 2));
  }
  for (std::size_t i = 1; i <= num_bins; ++i) {
    basis.mean.push_back(static_cast<float>((bins + 0.5 - static_cast<double>(i)) / bins));
  }
  basis.mean.push_back(static_cast<float>(missing_share));
  return basis;
}

inline ColumnBasis levels_basis(std::size_t num_levels) {
  ColumnBasis basis{.kind = ColumnBasis::Kind::levels, .num_knots = num_levels};
  basis.mean.assign(num_levels, 1.0F / static_cast<float>(num_levels));
  return basis;
}

inline ColumnBasis linear_basis() {
  return {.kind = ColumnBasis::Kind::linear};
}

/// A curve of `num_bins` bins over a stored scale that cuts each of them into `parts`, not evenly.
inline ColumnBasis scaled_basis(std::size_t num_bins, std::size_t parts, double missing_share) {
  ColumnBasis basis = curve_basis(num_bins, missing_share);
  for (std::size_t knot = 0; knot < num_bins * parts; ++knot) {
    const double part = static_cast<double>(knot % parts) / static_cast<double>(parts);
    basis.scale.push_back(static_cast<float>(static_cast<double>(knot / parts) + part * part));
  }
  basis.scale.push_back(static_cast<float>(num_bins));
  basis.scale.push_back(static_cast<float>(num_bins + 1));
  return basis;
}

/// Kinds in turn: curves of several sizes, levels, linear columns.
inline std::vector<ColumnBasis> mixed_columns(std::size_t count) {
  std::vector<ColumnBasis> columns;
  for (std::size_t column = 0; column < count; ++column) {
    switch (column % 5) {
      case 0:
        columns.push_back(curve_basis(4, 0.1));
        break;
      case 1:
        columns.push_back(linear_basis());
        break;
      case 2:
        columns.push_back(levels_basis(column % 2 == 0 ? 2 : 7));
        break;
      case 3:
        columns.push_back(curve_basis(1, 0));
        break;
      default:
        columns.push_back(linear_basis());
        break;
    }
  }
  return columns;
}

/// Columns as an encoder with two scales gives them: first every column, curves on coarse scales,
/// then the curves once more, on the stored ones.
inline std::vector<ColumnBasis> columns_on_two_scales() {
  std::vector<ColumnBasis> columns = {scaled_basis(3, 4, 0.1), linear_basis(),
                                      levels_basis(5),         scaled_basis(1, 6, 0),
                                      curve_basis(12, 0.1),    curve_basis(6, 0)};
  for (std::uint32_t column = 0; column < 4; ++column) columns[column].source = column;
  columns[4].source = 0;
  columns[5].source = 3;
  return columns;
}

inline std::vector<std::uint32_t> first_columns(std::size_t count) {
  std::vector<std::uint32_t> columns(count);
  for (std::size_t column = 0; column < count; ++column) {
    columns[column] = static_cast<std::uint32_t>(column);
  }
  return columns;
}

/// A stored position that suits the column: every knot, exact edges and the missing knot occur.
inline float random_position(const ColumnBasis& basis, const RandomStream& stream,
                             std::uint64_t counter) {
  const double u = stream.uniform(2 * counter), choice = stream.uniform(2 * counter + 1);
  if (basis.kind == ColumnBasis::Kind::linear) return static_cast<float>(3 * u - 1.5);
  const double last =
      static_cast<double>((basis.scale.empty() ? basis.num_knots : basis.scale.size()) - 1);
  if (basis.kind == ColumnBasis::Kind::levels)
    return static_cast<float>(std::floor(u * (last + 1)));
  if (choice < 0.1) return static_cast<float>(last);  // missing
  const double position = u * (last - 1);
  return static_cast<float>(choice < 0.3 ? std::round(position) : position);
}

struct Positions {
  std::size_t num_rows = 0;
  std::vector<float> data;  // [columns × rows]
  MatrixView<const float> view() const {
    return {data.data(), num_rows == 0 ? 0 : data.size() / num_rows, num_rows};
  }
};

inline Positions random_positions(const std::vector<ColumnBasis>& columns, std::size_t num_rows,
                                  std::uint64_t seed) {
  Positions positions{num_rows, {}};
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const RandomStream stream(seed, "positions", column);
    for (std::size_t row = 0; row < num_rows; ++row) {
      positions.data.push_back(random_position(columns[column], stream, row));
    }
  }
  return positions;
}

/// Which lanes of a bundle's blocks hold a node; the others are padding.
inline std::vector<bool> slots_with_nodes(const BundleLayout& layout) {
  std::vector<bool> is_node(layout.num_blocks * kLanes);
  for (std::size_t node = 0; node < layout.num_nodes; ++node) is_node[layout.slot(node)] = true;
  return is_node;
}

/// Parameters uniform in ±scale, padding zero.
inline AlignedVector<float> random_parameters(const Ensemble& ensemble, double scale,
                                              std::uint64_t seed) {
  AlignedVector<float> parameters = ensemble.make_buffer();
  const RandomStream stream(seed, "parameters");
  const auto draw = [&](std::size_t index) {
    parameters[index] = static_cast<float>((2 * stream.uniform(index) - 1) * scale);
  };
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    const BundleLayout& layout = ensemble.layout(bundle);
    const std::vector<bool> is_node = slots_with_nodes(layout);
    for (std::size_t at = 0; at < layout.weights_size; ++at) {
      if (is_node[at / layout.block_stride * kLanes + at % kLanes]) draw(layout.weights + at);
    }
    for (std::size_t slot = 0; slot < is_node.size(); ++slot) {
      if (is_node[slot]) draw(layout.biases + slot);
    }
    const std::size_t num_leaf_values = ensemble.shape().bundles[bundle].num_trees *
                                        ensemble.shape().num_leaves_per_tree() *
                                        ensemble.shape().bundles[bundle].num_outputs;
    for (std::size_t at = 0; at < num_leaf_values; ++at) draw(layout.leaves + at);
  }
  return parameters;
}

inline AlignedVector<float> all_curves(const Ensemble& ensemble,
                                       const AlignedVector<float>& parameters) {
  AlignedVector<float> values = ensemble.make_buffer();
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    curves_from_parameters(ensemble, bundle, parameters, values);
  }
  return values;
}

/// All rows of `positions`, in order, sorted for the backward pass.
inline Batch whole_batch(const Ensemble& ensemble, const Positions& positions) {
  Batch batch(ensemble.shape(), positions.num_rows);
  batch.resize(positions.num_rows);
  std::vector<std::uint32_t> rows = first_columns(positions.num_rows);
  for (std::size_t column = 0; column < batch.num_columns(); ++column) {
    const MatrixView<const float> view(positions.data.data(), batch.num_columns(),
                                       positions.num_rows);
    batch.load_column(column, view, rows, true);
  }
  if (batch.by_row()) batch.load_rows(ensemble.shape().columns_in_use(), positions.view(), 0);
  return batch;
}

/// The kernels' outputs and gradients of the parameters, all bundles.
struct KernelResult {
  std::vector<float> out;  // [num_outputs × rows]
  AlignedVector<float> gradients;
};

inline KernelResult run_kernels(const Ensemble& ensemble, const AlignedVector<float>& parameters,
                                const Positions& positions,
                                const std::vector<float>& output_gradients) {
  const EnsembleShape& shape = ensemble.shape();
  const std::size_t num_rows = positions.num_rows;
  const AlignedVector<float> values = all_curves(ensemble, parameters);
  const Batch batch = whole_batch(ensemble, positions);
  KernelResult result{std::vector<float>(shape.num_outputs * num_rows),
                      AlignedVector<float>(ensemble.buffer_size(), 123.0F)};
  for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle) {
    const Bundle& trees = shape.bundles[bundle];
    BundleMemory memory(ensemble, bundle, num_rows);
    std::vector<float> out(trees.num_outputs * num_rows, 77.0F);
    forward(ensemble, bundle, values, batch, memory, {out.data(), trees.num_outputs, num_rows});
    for (std::size_t i = 0; i < out.size(); ++i) {
      result.out[trees.first_output * num_rows + i] += out[i];
    }
    backward(ensemble, bundle, values, batch, memory,
             {output_gradients.data() + trees.first_output * num_rows, trees.num_outputs, num_rows},
             result.gradients);
    gradients_of_parameters(ensemble, bundle, result.gradients);
  }
  return result;
}

inline std::vector<float> random_output_gradients(std::size_t count, std::uint64_t seed) {
  const RandomStream stream(seed, "output gradients");
  std::vector<float> gradients(count);
  for (std::size_t i = 0; i < count; ++i) {
    gradients[i] = static_cast<float>(2 * stream.uniform(i) - 1);
  }
  return gradients;
}

}  // namespace softwood
