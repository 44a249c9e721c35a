#include "model/explain/tree_passage.h"

#include <algorithm>
#include <cmath>

#include "model/explain/spread.h"
#include "tree/activation.h"
#include "tree/tree_place.h"

namespace softwood {
namespace {

/// What a column adds at `position`, given its first knot's value (or its weight).
double value_at(const ColumnBasis& basis, const float* first, float position) {
  if (basis.kind == ColumnBasis::Kind::linear) return static_cast<double>(*first) * position;
  const auto knot = std::min(static_cast<std::size_t>(position), basis.num_knots - 2);
  const double fraction = position - static_cast<double>(knot);
  return (1 - fraction) * first[knot * kLanes] + fraction * first[(knot + 1) * kLanes];
}

/// The rows at one tree.
class Passage {
 public:
  Passage(const Member& member, std::size_t tree, MatrixView<const float> positions,
          std::span<const std::uint32_t> rows)
      : member_(member), place_(member.ensemble, tree), rows_(rows) {
    for (const std::uint32_t column : place_.bundle().columns) {
      const ColumnBasis& basis = member.ensemble.shape().columns[column];
      const auto stored = positions.row(member.ensemble.shape().source_of(column));
      std::vector<float>& on_scale = positions_.emplace_back();
      for (const std::uint32_t row : rows) on_scale.push_back(basis.position(stored[row]));
    }
  }

  TreePassage run() {
    const EnsembleShape& shape = member_.ensemble.shape();
    const std::size_t num_splits = shape.num_splits_per_tree();
    std::vector<std::vector<double>> reach(2 * num_splits + 1);
    reach[0].assign(rows_.size(), 1.0);
    TreePassage passage;
    for (std::size_t split = 0; split < num_splits; ++split) {
      passage.strengths.emplace_back();
      const std::vector<double> z = scores(split, passage.strengths.back());
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        const double left = reach[split][row] * left_chance(shape, z[row]).probability;
        reach[2 * split + 1].push_back(left);
        reach[2 * split + 2].push_back(reach[split][row] - left);
      }
    }
    for (const std::vector<double>& node : reach) passage.shares.push_back(mean_of(node));
    return passage;
  }

 private:
  std::vector<double> scores(std::size_t split, std::vector<double>& strengths) const {
    const std::vector<std::uint32_t>& columns = place_.bundle().columns;
    std::vector<double> z(rows_.size(), member_.values[place_.bias(split)]);
    std::vector<double> added(rows_.size());
    for (std::size_t place = 0; place < columns.size(); ++place) {
      const ColumnBasis& basis = member_.ensemble.shape().columns[columns[place]];
      const float* const first = member_.values.data() + place_.first_knot(split, place);
      for (std::size_t row = 0; row < added.size(); ++row) {
        added[row] = value_at(basis, first, positions_[place][row]);
        z[row] += added[row];
      }
      strengths.push_back(std::sqrt(variance_of(added)));
    }
    return z;
  }

  const Member& member_;
  TreePlace place_;
  std::span<const std::uint32_t> rows_;
  std::vector<std::vector<float>> positions_;  // [column of the bundle][row]
};

}  // namespace

TreePassage pass_through(const Member& member, std::size_t tree, MatrixView<const float> positions,
                         std::span<const std::uint32_t> rows) {
  return Passage(member, tree, positions, rows).run();
}

}  // namespace softwood
