#include "tree/reference.h"

#include <algorithm>
#include <cmath>

namespace softwood {
namespace {

/// h_i at knot j, centred: the formula of ColumnBasis, written out.
double feature(const ColumnBasis& basis, std::size_t i, std::size_t j) {
  const double mean = basis.mean[i];
  if (basis.kind == ColumnBasis::Kind::levels) return (i == j ? 1 : 0) - mean;
  const std::size_t missing = basis.num_knots - 1;
  if (i == 0) return (j == missing ? 0 : static_cast<double>(basis.slope[j])) - mean;
  if (i == missing) return (j == missing ? 1 : 0) - mean;
  if (j == missing) return 0;
  return (j >= i ? 1 : 0) - mean;
}

/// A position of the stored scale on the scale whose knots' places are given.
double on_scale(const std::vector<float>& scale, double position) {
  const auto knot = std::min(static_cast<std::size_t>(position), scale.size() - 2);
  const double fraction = position - static_cast<double>(knot);
  return (1 - fraction) * scale[knot] + fraction * scale[knot + 1];
}

/// The features of one cell, one per parameter: φ = Σ_i θ_i · features[i].
std::vector<double> features_at(const ColumnBasis& basis, double stored) {
  const double position = basis.scale.empty() ? stored : on_scale(basis.scale, stored);
  if (basis.kind == ColumnBasis::Kind::linear) return {position};
  const std::size_t last = basis.num_knots - 2;
  const std::size_t k = std::min(static_cast<std::size_t>(std::floor(position)), last);
  const double t = position - static_cast<double>(k);
  std::vector<double> features(basis.num_knots);
  for (std::size_t i = 0; i < basis.num_knots; ++i) {
    features[i] = (1 - t) * feature(basis, i, k) + t * feature(basis, i, k + 1);
  }
  return features;
}

struct Routing {
  double probability;  // S(z)
  double slope;        // S'(z)
};

Routing route(const EnsembleShape& shape, double z) {
  if (shape.activation == Activation::logistic) {
    const double s = 1 / (1 + std::exp(-z));
    return {s, s * (1 - s)};
  }
  const double gamma = shape.gamma;
  if (z <= -gamma / 2) return {0, 0};
  if (z >= gamma / 2) return {1, 0};
  return {-2 * z * z * z / (gamma * gamma * gamma) + 3 * z / (2 * gamma) + 0.5,
          -6 * z * z / (gamma * gamma * gamma) + 3 / (2 * gamma)};
}

/// One bundle and one row.
struct Pass {
  const Ensemble& ensemble;
  const Bundle& bundle;
  const BundleLayout& layout;
  std::span<const double> parameters;
  std::vector<std::vector<double>> features;  // of each of the bundle's columns

  Pass(const Ensemble& whole, std::size_t index, std::span<const double> all_parameters,
       MatrixView<const float> positions, std::size_t row)
      : ensemble(whole),
        bundle(whole.shape().bundles[index]),
        layout(whole.layout(index)),
        parameters(all_parameters) {
    for (const std::uint32_t column : bundle.columns) {
      const double stored = positions(whole.shape().source_of(column), row);
      features.push_back(features_at(whole.shape().columns[column], stored));
    }
  }

  std::size_t weight_index(std::size_t node, std::size_t column, std::size_t parameter) const {
    const std::size_t slot = layout.slot(node);
    return layout.weights + slot / kLanes * layout.block_stride + layout.column_offset[column] +
           parameter * kLanes + slot % kLanes;
  }
  std::size_t leaf_index(std::size_t tree, std::size_t leaf, std::size_t output) const {
    const std::size_t num_leaves = ensemble.shape().num_leaves_per_tree();
    return layout.leaves + (tree * num_leaves + leaf) * bundle.num_outputs + output;
  }

  Routing route_at(std::size_t node) const {
    double z = parameters[layout.biases + layout.slot(node)];
    for (std::size_t column = 0; column < features.size(); ++column) {
      for (std::size_t i = 0; i < features[column].size(); ++i) {
        z += parameters[weight_index(node, column, i)] * features[column][i];
      }
    }
    return route(ensemble.shape(), z);
  }

  std::vector<Routing> routes_of(std::size_t tree) const {
    const std::size_t num_splits = ensemble.shape().num_splits_per_tree();
    std::vector<Routing> routes;
    for (std::size_t i = 0; i < num_splits; ++i) routes.push_back(route_at(tree * num_splits + i));
    return routes;
  }
};

/// The probability of the path to `leaf`, its factor at depth `except` replaced by ± S'(z):
/// the derivative in that node's z. `except` = depth: the probability itself.
double path_product(int depth, std::span<const Routing> routes, std::size_t leaf, int except) {
  double product = 1;
  std::size_t node = 0;
  for (int level = 0; level < depth; ++level) {
    const bool right = (leaf >> (depth - 1 - level)) & 1;
    const double probability = right ? 1 - routes[node].probability : routes[node].probability;
    const double slope = right ? -routes[node].slope : routes[node].slope;
    product *= level == except ? slope : probability;
    node = 2 * node + (right ? 2 : 1);
  }
  return product;
}

/// The node at `level` on the path to `leaf`.
std::size_t node_on_path(int depth, std::size_t leaf, int level) {
  return (std::size_t{1} << level) - 1 + (leaf >> (depth - level));
}

void add_forward(const Pass& pass, std::size_t row, MatrixView<double> out) {
  const EnsembleShape& shape = pass.ensemble.shape();
  for (std::size_t tree = 0; tree < pass.bundle.num_trees; ++tree) {
    const std::vector<Routing> routes = pass.routes_of(tree);
    for (std::size_t leaf = 0; leaf < shape.num_leaves_per_tree(); ++leaf) {
      const double probability = path_product(shape.depth, routes, leaf, shape.depth);
      for (std::size_t output = 0; output < pass.bundle.num_outputs; ++output) {
        out(pass.bundle.first_output + output, row) +=
            probability * pass.parameters[pass.leaf_index(tree, leaf, output)];
      }
    }
  }
}

/// Adds ∂/∂z of one node to the gradients of its bias and weights.
void add_node_gradient(const Pass& pass, std::size_t node, double z_gradient,
                       std::vector<double>& gradient) {
  gradient[pass.layout.biases + pass.layout.slot(node)] += z_gradient;
  for (std::size_t column = 0; column < pass.features.size(); ++column) {
    for (std::size_t i = 0; i < pass.features[column].size(); ++i) {
      gradient[pass.weight_index(node, column, i)] += z_gradient * pass.features[column][i];
    }
  }
}

void add_gradient(const Pass& pass, std::size_t row, MatrixView<const double> output_gradients,
                  std::vector<double>& gradient) {
  const EnsembleShape& shape = pass.ensemble.shape();
  for (std::size_t tree = 0; tree < pass.bundle.num_trees; ++tree) {
    const std::vector<Routing> routes = pass.routes_of(tree);
    std::vector<double> z_gradients(routes.size());
    for (std::size_t leaf = 0; leaf < shape.num_leaves_per_tree(); ++leaf) {
      const double probability = path_product(shape.depth, routes, leaf, shape.depth);
      double weighted_leaf = 0;
      for (std::size_t output = 0; output < pass.bundle.num_outputs; ++output) {
        const std::size_t index = pass.leaf_index(tree, leaf, output);
        const double g = output_gradients(pass.bundle.first_output + output, row);
        gradient[index] += g * probability;
        weighted_leaf += g * pass.parameters[index];
      }
      for (int level = 0; level < shape.depth; ++level) {
        z_gradients[node_on_path(shape.depth, leaf, level)] +=
            weighted_leaf * path_product(shape.depth, routes, leaf, level);
      }
    }
    for (std::size_t i = 0; i < routes.size(); ++i) {
      add_node_gradient(pass, tree * routes.size() + i, z_gradients[i], gradient);
    }
  }
}

}  // namespace

void reference_forward(const Ensemble& ensemble, std::span<const double> parameters,
                       MatrixView<const float> positions, MatrixView<double> out) {
  for (std::size_t output = 0; output < out.rows; ++output) {
    std::ranges::fill(out.row(output), 0.0);
  }
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    for (std::size_t row = 0; row < out.cols; ++row) {
      add_forward(Pass(ensemble, bundle, parameters, positions, row), row, out);
    }
  }
}

std::vector<double> reference_gradient(const Ensemble& ensemble, std::span<const double> parameters,
                                       MatrixView<const float> positions,
                                       MatrixView<const double> output_gradients) {
  std::vector<double> gradient(ensemble.buffer_size());
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    for (std::size_t row = 0; row < output_gradients.cols; ++row) {
      add_gradient(Pass(ensemble, bundle, parameters, positions, row), row, output_gradients,
                   gradient);
    }
  }
  return gradient;
}

}  // namespace softwood
