#include "tree/double_passes.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "tree/activation.h"

namespace softwood {
namespace {

/// to += share · from, a block's lanes: promised apart, so that the compiler makes vectors of them.
void add_lanes(double share, const double* __restrict from, double* __restrict to) {
  for (std::size_t lane = 0; lane < kLanes; ++lane) to[lane] += share * from[lane];
}

/// One bundle, one row at a time.
class RowPass {
 public:
  RowPass(const Ensemble& ensemble, std::size_t bundle, std::span<const double> values,
          const DoubleBatch& batch)
      : shape_(ensemble.shape()),
        bundle_(shape_.bundles[bundle]),
        layout_(ensemble.layout(bundle)),
        values_(values),
        batch_(batch),
        z_(layout_.num_blocks * kLanes),
        routes_(shape_.num_splits_per_tree()),
        reach_(num_places()),
        worth_(num_places()) {}

  /// z = b + Σ_c φ_c of every node.
  void score(std::size_t row) {
    std::copy_n(values_.begin() + layout_.biases, z_.size(), z_.begin());
    for_each_cell(row, [&](double share, std::size_t at, std::size_t first_node) {
      add_lanes(share, values_.data() + at, z_.data() + first_node);
    });
  }

  void add_outputs(std::size_t row, MatrixView<double> out) {
    for (std::size_t tree = 0; tree < bundle_.num_trees; ++tree) {
      descend(tree);
      for (std::size_t leaf = 0; leaf < shape_.num_leaves_per_tree(); ++leaf) {
        for (std::size_t k = 0; k < bundle_.num_outputs; ++k) {
          out(k, row) += reach_[routes_.size() + leaf] * values_[leaf_index(tree, leaf, k)];
        }
      }
    }
  }

  /// Adds the leaves' gradients; overwrites ∂loss/∂z of every node.
  void ascend(std::size_t row, MatrixView<const double> output_gradients,
              std::span<double> gradients, double* z_gradients) {
    const std::size_t num_splits = routes_.size();
    for (std::size_t tree = 0; tree < bundle_.num_trees; ++tree) {
      descend(tree);
      weigh_leaves(tree, row, output_gradients, gradients);
      for (std::size_t i = num_splits; i-- > 0;) {
        const double difference = worth_[2 * i + 1] - worth_[2 * i + 2];
        worth_[i] = worth_[2 * i + 2] + routes_[i].probability * difference;
        z_gradients[layout_.slot(tree * num_splits + i)] =
            reach_[i] * difference * routes_[i].slope;
      }
    }
  }

  /// Adds the gradients of biases and columns.
  void add_node_gradients(std::size_t row, const double* z_gradients, std::span<double> gradients) {
    for (std::size_t slot = 0; slot < z_.size(); ++slot) {
      gradients[layout_.biases + slot] += z_gradients[slot];
    }
    for_each_cell(row, [&](double share, std::size_t at, std::size_t first_node) {
      add_lanes(share, z_gradients + first_node, gradients.data() + at);
    });
  }

 private:
  /// Splits, then leaves: the children of i are 2i + 1 and 2i + 2 for leaves too.
  std::size_t num_places() const { return 2 * shape_.num_leaves_per_tree() - 1; }
  std::size_t leaf_index(std::size_t tree, std::size_t leaf, std::size_t output) const {
    const std::size_t num_leaves = shape_.num_leaves_per_tree();
    return layout_.leaves + (tree * num_leaves + leaf) * bundle_.num_outputs + output;
  }

  /// Calls visit(share, index of a knot's or weight's first lane, first node of its block) for
  /// everything that the row's cells touch: z += share · values there.
  template <class Visit>
  void for_each_cell(std::size_t row, const Visit& visit) const {
    for (std::size_t block = 0; block < layout_.num_blocks; ++block) {
      const std::size_t weights = layout_.weights + block * layout_.block_stride;
      for (const ColumnPlace& place : layout_.knot_columns) {
        const double t = batch_.fraction(place.column, row);
        const std::size_t at = weights + place.offset + batch_.interval(place.column, row) * kLanes;
        visit(1 - t, at, block * kLanes);
        visit(t, at + kLanes, block * kLanes);
      }
      for (const ColumnPlace& place : layout_.linear_columns) {
        visit(batch_.fraction(place.column, row), weights + place.offset, block * kLanes);
      }
    }
  }

  /// The routes and reach of one tree.
  void descend(std::size_t tree) {
    const std::size_t num_splits = routes_.size();
    reach_[0] = 1;
    for (std::size_t i = 0; i < num_splits; ++i) {
      routes_[i] = left_chance(shape_, z_[layout_.slot(tree * num_splits + i)]);
      reach_[2 * i + 1] = reach_[i] * routes_[i].probability;
      reach_[2 * i + 2] = reach_[i] - reach_[2 * i + 1];
    }
  }

  void weigh_leaves(std::size_t tree, std::size_t row, MatrixView<const double> output_gradients,
                    std::span<double> gradients) {
    for (std::size_t leaf = 0; leaf < shape_.num_leaves_per_tree(); ++leaf) {
      const std::size_t place = routes_.size() + leaf;
      worth_[place] = 0;
      for (std::size_t k = 0; k < bundle_.num_outputs; ++k) {
        const std::size_t index = leaf_index(tree, leaf, k);
        worth_[place] += output_gradients(k, row) * values_[index];
        gradients[index] += output_gradients(k, row) * reach_[place];
      }
    }
  }

  const EnsembleShape& shape_;
  const Bundle& bundle_;
  const BundleLayout& layout_;
  std::span<const double> values_;
  const DoubleBatch& batch_;
  std::vector<double> z_;
  std::vector<LeftChance> routes_;     // of one tree
  std::vector<double> reach_, worth_;  // of one tree's splits and leaves
};

/// Σ over nodes of ∂loss/∂z · v, for one knot or weight: v of a block's first node at `values`.
double weighted_sum(const BundleLayout& layout, const double* z_gradients, const double* values) {
  double sums[kLanes] = {};
  for (std::size_t block = 0; block < layout.num_blocks; ++block) {
    const double* const v = values + block * layout.block_stride;
    const double* const g = z_gradients + block * kLanes;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += g[lane] * v[lane];
  }
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

}  // namespace

DoubleBatch::DoubleBatch(std::span<const ColumnBasis> columns, std::size_t num_rows)
    : columns_(columns),
      num_rows_(num_rows),
      intervals_(columns.size() * num_rows),
      fractions_(columns.size() * num_rows) {}

void DoubleBatch::load_column(std::size_t column, MatrixView<const double> positions) {
  const ColumnBasis& basis = columns_[column];
  const std::span<const double> stored =
      positions.row(basis.source.value_or(static_cast<std::uint32_t>(column)));
  const bool linear = basis.kind == ColumnBasis::Kind::linear;
  const double last = linear ? 0 : static_cast<double>(basis.num_knots - 2);
  for (std::size_t row = 0; row < num_rows_; ++row) {
    const double position = basis.position(stored[row]);
    // A NaN fails the comparison and ends at `last`: a valid read, a NaN fraction.
    const double bounded = std::max(position < last ? position : last, 0.0);
    const auto interval = linear ? 0 : static_cast<std::uint32_t>(bounded);
    intervals_[column * num_rows_ + row] = interval;
    fractions_[column * num_rows_ + row] = position - interval;
  }
}

DoubleMemory::DoubleMemory(const Ensemble& ensemble, std::size_t bundle, std::size_t num_rows)
    : z_gradients(num_rows * ensemble.layout(bundle).num_blocks * kLanes) {}

void forward(const Ensemble& ensemble, std::size_t bundle, std::span<const double> values,
             const DoubleBatch& batch, MatrixView<double> out) {
  assert(values.size() == ensemble.buffer_size() && out.cols == batch.num_rows());
  for (std::size_t k = 0; k < out.rows; ++k) std::ranges::fill(out.row(k), 0.0);
  RowPass pass(ensemble, bundle, values, batch);
  for (std::size_t row = 0; row < batch.num_rows(); ++row) {
    pass.score(row);
    pass.add_outputs(row, out);
  }
}

void backward(const Ensemble& ensemble, std::size_t bundle, std::span<const double> values,
              const DoubleBatch& batch, DoubleMemory& memory,
              MatrixView<const double> output_gradients, std::span<double> gradients) {
  assert(gradients.size() == ensemble.buffer_size());
  const BundleLayout& layout = ensemble.layout(bundle);
  std::fill(gradients.begin() + layout.begin(), gradients.begin() + layout.end(), 0.0);
  RowPass pass(ensemble, bundle, values, batch);
  for (std::size_t row = 0; row < batch.num_rows(); ++row) {
    double* const z_gradients = memory.z_gradients.data() + row * layout.num_blocks * kLanes;
    pass.score(row);
    pass.ascend(row, output_gradients, gradients, z_gradients);
    pass.add_node_gradients(row, z_gradients, gradients);
  }
}

void add_position_gradients(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const double> values, const DoubleBatch& batch,
                            MatrixView<const double> positions, const DoubleMemory& memory,
                            std::size_t first, std::size_t last, MatrixView<double> gradients) {
  const EnsembleShape& shape = ensemble.shape();
  const BundleLayout& layout = ensemble.layout(bundle);
  const double* const weights = values.data() + layout.weights;
  for (std::size_t row = first; row < last; ++row) {
    const double* const z_gradients = memory.z_gradients.data() + row * layout.num_blocks * kLanes;
    for (const ColumnPlace& place : layout.linear_columns) {
      gradients(shape.source_of(place.column), row) +=
          weighted_sum(layout, z_gradients, weights + place.offset);
    }
    for (const ColumnPlace& place : layout.knot_columns) {
      const ColumnBasis& basis = shape.columns[place.column];
      const std::size_t interval = batch.interval(place.column, row);
      if (basis.kind == ColumnBasis::Kind::levels || interval + 2 >= place.num_knots) continue;
      const double* const from = weights + place.offset + interval * kLanes;
      const std::size_t source = shape.source_of(place.column);
      const double rise = weighted_sum(layout, z_gradients, from + kLanes) -
                          weighted_sum(layout, z_gradients, from);
      gradients(source, row) += rise * basis.stretch(positions(source, row));
    }
  }
}

}  // namespace softwood
