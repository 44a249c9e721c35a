#include "tree/tree_sums.h"

#include <algorithm>
#include <atomic>

#include "tree/predict.h"

namespace softwood {
namespace {

/// Rows per piece of work: enough to amortise a call, few enough to share out evenly.
constexpr std::size_t kRowsPerPiece = 1024;

/// `predict(predictor, first, count, g)` for every piece of the rows, by as many threads as come.
template <class Predict>
std::vector<double> sums_of_pieces(const Ensemble& ensemble, std::span<const float> values,
                                   std::size_t num_rows, ThreadTeam& team, const Predict& predict) {
  std::vector<double> buffer(ensemble.shape().num_outputs * num_rows);
  if (num_rows == 0) return buffer;
  const MatrixView<double> g(buffer.data(), ensemble.shape().num_outputs, num_rows);
  const std::size_t pieces = (num_rows + kRowsPerPiece - 1) / kRowsPerPiece;
  std::atomic<std::size_t> next{0};
  // One predictor, with its scratch, per thread that comes.
  team.for_each(static_cast<std::size_t>(team.size()), [&](std::size_t) {
    Predictor predictor(ensemble, values);
    for (std::size_t piece = next++; piece < pieces; piece = next++) {
      const std::size_t begin = piece * kRowsPerPiece;
      predict(predictor, begin, std::min(num_rows, begin + kRowsPerPiece) - begin, g);
    }
  });
  return buffer;
}

}  // namespace

std::vector<double> tree_sums(const Ensemble& ensemble, std::span<const float> values,
                              MatrixView<const float> positions, ThreadTeam& team) {
  return sums_of_pieces(
      ensemble, values, positions.cols, team,
      [&](Predictor& predictor, std::size_t first, std::size_t count, MatrixView<double> g) {
        predictor.predict(positions, first, count, g);
      });
}

std::vector<double> tree_sums(const Ensemble& ensemble, std::span<const float> values,
                              const ChosenRows& chosen, ThreadTeam& team) {
  return sums_of_pieces(
      ensemble, values, chosen.rows.size(), team,
      [&](Predictor& predictor, std::size_t first, std::size_t count, MatrixView<double> g) {
        predictor.predict(chosen.positions, chosen.rows, first, count, g);
      });
}

}  // namespace softwood
