#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/encoder/encoder.h"
#include "data/table/splits.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "task/responses.h"
#include "task/tasks.h"
#include "train/prepare/words.h"
#include "tree/tree_sums.h"

namespace softwood {

/// Some rows of an encoded table, to learn from or to validate on: which they are, each task's
/// response there, row weights. The table itself is borrowed: all members share one.
struct Examples {
  MatrixView<const float> positions;  ///< of the whole table [columns × its rows]
  std::vector<std::uint32_t> rows;    ///< which of its rows
  std::vector<Responses> responses;   ///< per task of the model
  std::vector<double> weights;        ///< of mean 1; empty = all 1
  /// Per task, g [its outputs × rows] that the trees add to: what they then learn is the rest.
  /// Empty: 0.
  std::vector<std::vector<double>> base{};

  std::size_t size() const { return rows.size(); }
  ChosenRows chosen() const { return {positions, rows}; }
  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

/// The columns the trees may see: options.features, or every column that is no target, weight,
/// split mark, group, dropped, or read by a loss.
std::vector<std::string> choose_features(const TrainOptions& options, const Tasks& tasks,
                                         const Table& table);

/// Throws Error if there is nothing to learn from: fewer than two rows.
void check_row_count(const TrainOptions& options, std::span<const std::uint32_t> rows,
                     const Table& table);

/// Folds that the rows of several members are dealt into: as many as members, or more if each is to
/// validate on a smaller share of them. Then some rows are learned from by all.
std::size_t num_folds(const TrainOptions& options);

/// Training and validation rows among those to learn from (see learnable_rows()), for every member.
std::vector<Split> split_rows(const TrainOptions& options, std::span<const std::uint32_t> rows,
                              const Table& table);

/// Row weights of a table; empty if options name no column. Throws Error for a bad one, with its
/// row.
std::vector<double> read_weights(const TrainOptions& options, const Table& table);

/// The chosen rows of a table; its positions stay where they are, responses and weights are copied.
Examples select_examples(MatrixView<const float> positions, const std::vector<Responses>& responses,
                         const std::vector<double>& weights, std::span<const std::uint32_t> chosen);

/// Makes the mean of each side's weights 1, whatever their size: only their ratios count.
void normalise_weights(Examples& training, Examples& validation);

}  // namespace softwood
