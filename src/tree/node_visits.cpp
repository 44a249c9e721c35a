#include "tree/node_visits.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "tree/activation.h"
#include "tree/tree_place.h"

namespace softwood {
namespace {

/// Look-ups that take a moment, and the fewest rows that tell anything.
constexpr std::size_t kMostLookUps = 20'000'000;
constexpr std::size_t kFewestRows = 32, kMostRows = 1000;

/// One tree.
class VisitedTree {
 public:
  VisitedTree(const Ensemble& ensemble, std::span<const float> values,
              MatrixView<const float> positions, const TreePlace& place)
      : shape_(ensemble.shape()), values_(values), positions_(positions), place_(place) {}

  /// Adds 1 at the level of every split that the row reaches, from `split` on.
  void count(std::size_t row, std::size_t split, std::vector<double>& visits) const {
    if (split >= shape_.num_splits_per_tree()) return;
    visits[static_cast<std::size_t>(std::bit_width(split + 1)) - 1] += 1;
    const double left = left_chance(shape_, score(row, split)).probability;
    if (left != 0) count(row, 2 * split + 1, visits);
    if (left != 1) count(row, 2 * split + 2, visits);
  }

 private:
  double score(std::size_t row, std::size_t split) const {
    const std::vector<std::uint32_t>& columns = place_.bundle().columns;
    double z = values_[place_.bias(split)];
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const ColumnBasis& basis = shape_.columns[columns[i]];
      const double position = basis.position<double>(positions_(shape_.source_of(columns[i]), row));
      const float* const first = values_.data() + place_.first_knot(split, i);
      if (basis.kind == ColumnBasis::Kind::linear) {
        z += position * first[0];
        continue;
      }
      const auto knot = std::min(static_cast<std::size_t>(position), basis.num_knots - 2);
      const double t = position - static_cast<double>(knot);
      z += (1 - t) * first[knot * kLanes] + t * first[(knot + 1) * kLanes];
    }
    return z;
  }

  const EnsembleShape& shape_;
  std::span<const float> values_;
  MatrixView<const float> positions_;
  const TreePlace& place_;
};

std::size_t rows_to_look_at(const EnsembleShape& shape, std::size_t num_rows) {
  std::size_t look_ups = 1;  // of one row
  for (const Bundle& bundle : shape.bundles) {
    look_ups += bundle.num_trees * shape.num_splits_per_tree() * (bundle.columns.size() + 1);
  }
  return std::min(num_rows, std::clamp(kMostLookUps / look_ups, kFewestRows, kMostRows));
}

}  // namespace

std::vector<double> mean_node_visits(const Ensemble& ensemble, std::span<const float> values,
                                     const ChosenRows& chosen) {
  const EnsembleShape& shape = ensemble.shape();
  const std::size_t num_rows = rows_to_look_at(shape, chosen.rows.size());
  if (num_rows == 0 || shape.num_trees() == 0) return {};
  std::vector<double> visits(static_cast<std::size_t>(shape.depth));
  for (std::size_t tree = 0; tree < shape.num_trees(); ++tree) {
    const TreePlace place(ensemble, tree);
    const VisitedTree visited(ensemble, values, chosen.positions, place);
    for (std::size_t i = 0; i < num_rows; ++i) {
      visited.count(chosen.rows[i * chosen.rows.size() / num_rows], 0, visits);
    }
  }
  for (double& each : visits) each /= static_cast<double>(num_rows * shape.num_trees());
  return visits;
}

double share_visited(std::span<const double> visits_by_level) {
  const std::size_t num_splits = (std::size_t{1} << visits_by_level.size()) - 1;
  return std::accumulate(visits_by_level.begin(), visits_by_level.end(), 0.0) /
         static_cast<double>(num_splits);
}

}  // namespace softwood
