#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/model_parts.h"
#include "tree/batch.h"
#include "tree/kernels/kernels.h"

namespace softwood {

/// Rows in order, and for each the row that lends it a column's cell.
struct RowPairs {
  std::vector<std::uint32_t> rows, donors;

  std::size_t size() const { return rows.size(); }
};

/// One column of the table as a member sees it.
struct SourceColumn {
  std::string name;
  std::vector<std::size_t> inputs{};   ///< columns of the ensemble: scales, and parts of a date
  std::vector<std::size_t> bundles{};  ///< those that read one of them
  std::vector<std::size_t> encoded{};  ///< encoded columns, those that the linear part reads
};

/// The columns of the encoder, each name once, in its order.
std::vector<SourceColumn> source_columns(const Encoder& encoder, const Member& member);

/// Predicts some pairs at a time, as they are and with one column swapped. Only bundles that read
/// the column are asked again, and only for pairs whose cells differ: of a column that is mostly
/// zero or of few levels those are few, and several columns share a batch. One per thread.
class ColumnSwaps {
 public:
  static constexpr std::size_t kPairsAtOnce = 128;

  /// All borrowed.
  ColumnSwaps(const Member& member, MatrixView<const float> positions,
              const std::vector<SourceColumn>& columns);

  /// For pairs [first, end), at most kPairsAtOnce: overwrites outputs(k, first …) [outputs × pairs]
  /// with what trees and linear part add up to, and squares [columns × outputs] with the sums of
  /// squared changes.
  void run(const RowPairs& pairs, std::size_t first, std::size_t end, MatrixView<double> outputs,
           MatrixView<double> squares);

 private:
  struct Swap {
    std::size_t column, pair;
  };
  /// The pairs of one run.
  struct Pairs {
    std::span<const std::uint32_t> rows, donors;
  };

  void load(std::span<const std::size_t> inputs, std::span<const std::uint32_t> rows);
  void load_rows(std::vector<std::uint32_t> rows);
  void load_donors(const Pairs& pairs);
  void load_own();
  MatrixView<float> plain_outputs(std::size_t bundle);
  void predict_plain(std::size_t first, MatrixView<double> outputs);
  bool differ(const SourceColumn& column, std::size_t row, std::size_t donor) const;
  void measure(const Pairs& pairs, MatrixView<double> squares);
  void add_changes(std::size_t bundle);
  void add_linear_changes(const Pairs& pairs);

  const Member& member_;
  MatrixView<const float> positions_;
  const std::vector<SourceColumn>& columns_;
  Batch batch_;
  BundleMemory memory_;
  std::size_t num_pairs_ = 0;
  std::vector<std::uint32_t> loaded_;     // rows of the batch
  std::vector<Swap> swaps_;               // to be measured next, by column
  std::vector<std::size_t> first_plain_;  // of each bundle in plain_
  AlignedVector<float> plain_, swapped_;  // [bundle's outputs × pairs]
  std::vector<double> changes_;           // [outputs × swaps]
};

}  // namespace softwood
