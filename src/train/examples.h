#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/encoder.h"
#include "data/splits.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "train/task.h"
#include "train/words.h"

namespace softwood {

/// Rows ready to learn from: encoded inputs, each task's response, row weights.
struct Examples {
  Rows rows;
  std::vector<Responses> tasks;
  std::vector<double> weights;  ///< of mean 1; empty = all 1

  std::size_t size() const { return rows.num_rows; }
  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

/// The columns the trees may see: options.features, or every column that is no target, weight,
/// split mark, group, dropped, or read by a loss.
std::vector<std::string> choose_features(const TrainOptions& options,
                                         const std::vector<Task>& tasks, const Table& table);

/// Throws Error if there is nothing to learn from: fewer than two rows.
void check_row_count(const TrainOptions& options, std::span<const std::uint32_t> rows,
                     const Table& table);

/// Training and validation rows among those to learn from (see learnable_rows()), for every member.
std::vector<Split> split_rows(const TrainOptions& options, std::span<const std::uint32_t> rows,
                              const Table& table);

/// Row weights of a table; empty if options name no column. Throws Error for a bad one, with its
/// row.
std::vector<double> read_weights(const TrainOptions& options, const Table& table);

/// The chosen rows of everything.
Examples select_examples(const Rows& rows, const std::vector<Responses>& responses,
                         const std::vector<double>& weights, std::span<const std::uint32_t> chosen);

/// Makes the mean of each side's weights 1, whatever their size: only their ratios count.
void normalise_weights(Examples& training, Examples& validation);

}  // namespace softwood
