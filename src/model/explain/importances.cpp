#include <algorithm>
#include <atomic>
#include <numeric>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "model/explain/column_swaps.h"
#include "model/explain/row_sample.h"
#include "model/explain/spread.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "softwood/explain.h"

namespace softwood {
namespace {

/// An output that varies by less, in units of what trees add up to, is constant: what is left
/// are the rounding errors of floats.
constexpr double kConstant = 1e-6;

/// Every row with the next one of a random order, then with the next but one, … until there are
/// enough pairs.
RowPairs make_pairs(std::size_t num_rows, const ImportanceOptions& options) {
  const std::vector<std::uint32_t> order =
      sample_rows(num_rows, options.max_rows, options.seed, "pairs");
  const std::size_t rounds =
      std::clamp<std::size_t>(options.max_rows / order.size(), 1, order.size() - 1);
  RowPairs pairs;
  for (std::size_t round = 1; round <= rounds; ++round) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      pairs.rows.push_back(order[i]);
      pairs.donors.push_back(order[(i + round) % order.size()]);
    }
  }
  return pairs;
}

/// What was measured of one member.
struct Changes {
  std::size_t num_outputs = 0;
  std::vector<double> outputs;  ///< [outputs × pairs]
  std::vector<double> squares;  ///< [columns × outputs]: sums over the pairs
};

/// Pieces of pairs are fixed before threads are known and added up in order.
Changes measure(const Member& member, const Rows& rows, const std::vector<SourceColumn>& columns,
                const RowPairs& pairs, ThreadTeam& team) {
  constexpr std::size_t kPiece = ColumnSwaps::kPairsAtOnce;
  const std::size_t num_outputs = member.ensemble.shape().num_outputs;
  const std::size_t num_pieces = (pairs.size() + kPiece - 1) / kPiece;
  const std::size_t num_squares = columns.size() * num_outputs;
  Changes changes{num_outputs, std::vector<double>(num_outputs * pairs.size()),
                  std::vector<double>(num_squares)};
  std::vector<double> pieces(num_pieces * num_squares);
  std::atomic<std::size_t> next{0};
  team.for_each(static_cast<std::size_t>(team.size()), [&](std::size_t) {
    ColumnSwaps swaps(member, rows.view(), columns);
    for (std::size_t piece = next++; piece < num_pieces; piece = next++) {
      swaps.run(pairs, piece * kPiece, std::min(pairs.size(), (piece + 1) * kPiece),
                {changes.outputs.data(), num_outputs, pairs.size()},
                {pieces.data() + piece * num_squares, columns.size(), num_outputs});
    }
  });
  for (std::size_t i = 0; i < pieces.size(); ++i) changes.squares[i % num_squares] += pieces[i];
  return changes;
}

/// Adds each column's total index, summed over the task's outputs.
void add_indices(const Task& task, const Changes& changes, std::vector<double>& shares) {
  const std::size_t num_pairs = changes.outputs.size() / changes.num_outputs;
  for (std::size_t k = task.first_output; k < task.first_output + task.num_outputs(); ++k) {
    const double total = variance_of(std::span(changes.outputs).subspan(k * num_pairs, num_pairs));
    if (total < kConstant * kConstant) continue;
    for (std::size_t column = 0; column < shares.size(); ++column) {
      shares[column] += changes.squares[column * changes.num_outputs + k] /
                        (2 * static_cast<double>(num_pairs) * total);
    }
  }
}

void scale_to_one(std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (sum == 0) return;
  for (double& share : shares) share /= sum;
}

void check(const Table& table, const ImportanceOptions& options) {
  if (table.num_rows() < 2) {
    throw Error(fmt::format("importances compare rows; {} has {}, at least 2 are needed.",
                            table.origin, table.num_rows()));
  }
  if (options.max_rows < 2)
    throw Error(fmt::format("max_rows is {}; it must be at least 2.", options.max_rows));
}

}  // namespace

Importances importances(const Model& model, const Table& table, const ImportanceOptions& options) {
  const ModelParts& parts = ModelAccess::parts(model);
  check(table, options);
  ThreadTeam team(options.threads);
  const Rows rows = parts.encoder.encode(table, team.size());
  const RowPairs pairs = make_pairs(table.num_rows(), options);
  const auto columns = source_columns(parts.encoder, parts.members[0]);
  Importances result;
  for (const SourceColumn& column : columns) result.columns.push_back(column.name);
  for (const Task& task : parts.tasks) result.tasks.push_back(task.target);
  result.shares.assign(parts.tasks.size(), std::vector<double>(columns.size()));
  for (const Member& member : parts.members) {
    const Changes changes =
        measure(member, rows, source_columns(parts.encoder, member), pairs, team);
    for (std::size_t task = 0; task < parts.tasks.size(); ++task) {
      add_indices(parts.tasks[task], changes, result.shares[task]);
    }
  }
  for (std::vector<double>& shares : result.shares) scale_to_one(shares);
  return result;
}

}  // namespace softwood
