#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/aligned_vector.h"
#include "base/thread_team.h"
#include "base/views.h"
#include "softwood/table.h"

namespace softwood {

/// The encoded table: one float per row and encoded column, column by column.
struct Rows {
  std::size_t num_rows = 0;
  std::size_t num_columns = 0;
  AlignedVector<float> positions;  // [num_columns × num_rows]

  MatrixView<const float> view() const { return {positions.data(), num_columns, num_rows}; }
};

/// How one input of the trees is made from one column of the table.
struct EncodedColumn {
  enum class Kind {
    curve,   ///< numeric, piecewise linear between `edges`: position = bin + fraction
    levels,  ///< categorical: position = index of the level
    linear,  ///< numeric, (x − mean) / sd; missing = 0
  };
  Kind kind = Kind::curve;
  std::string source;  ///< the table's column
  std::string
      part;  ///< of a datetime: "time", "year", "month", "day", "weekday", "hour", …; else ""

  /// curve: ascending, T + 1 of them for T bins, first and last are the training range.
  /// Values beyond sit at the ends; missing is at position edges.size().
  std::vector<double> edges;
  /// curve: places of the coarse scale's edges among `edges`, ascending, with both ends; empty if
  /// there is one scale only.
  std::vector<std::uint32_t> coarse;
  /// levels: texts known from the training rows; then "other" (rare and unseen), then missing.
  std::vector<std::string> levels;
  /// curve, linear: of the training rows that have a value.
  double mean = 0;
  double sd = 1;

  /// "age" or "arrival.weekday".
  std::string name() const;
  /// curve: edges + missing; levels: levels + other + missing; linear: 0.
  std::size_t num_knots() const;
};

/// A column as some trees see it: on its own scale, or on its coarse one.
struct ColumnScale {
  std::uint32_t column = 0;  ///< index of the encoded column
  bool is_coarse = false;
};

/// Coarse positions of a column's own knots (edges, then missing): between two edges a coarse
/// position is as far along as the fine one.
std::vector<float> coarse_positions(const EncodedColumn& column);

struct EncoderOptions {
  /// Columns to use, in the table's order.
  std::vector<std::string> features = {};
  /// Bins per numeric column; 0 = 16 (8 above 16 numeric columns, 4 above 64; at most rows/16;
  /// one bin, a slope alone, if columns > rows).
  int bins = 0;
  /// Bins of the finer scale beside it (see hybrid_edges()); 0 = none.
  int fine_bins = 0;
  /// Numeric columns become linear ones (the paper's model).
  bool linear = false;
  /// Levels seen less often than this in the training rows join "other".
  int min_level_count = 3;
  /// 0 = as many as the machine has.
  int threads = 0;
};

/// Features that tell the training rows nothing.
struct LeftOut {
  std::vector<std::string> constant;  ///< one value only
  std::vector<std::string> like_ids;  ///< texts, hardly two of them alike

  bool empty() const { return constant.empty() && like_ids.empty(); }
};

/// What Encoder::fit would leave out.
LeftOut find_left_out(const Table& table, std::span<const std::uint32_t> training_rows,
                      const EncoderOptions& options);

/// Turns a table into the trees' inputs. Fitted on the training rows only; part of the model.
class Encoder {
 public:
  Encoder() = default;
  /// Throws Error if no feature is left. left_out() says what was dropped.
  static Encoder fit(const Table& table, std::span<const std::uint32_t> training_rows,
                     const EncoderOptions& options);

  /// Fits, and encodes the table that it is fitted to: as fit() and encode(), but deferred columns
  /// (see Cells) are read once for both, a few at a time, and let go. `on_feature` is shown each
  /// column that is not left out, in order, while it is there.
  static Encoder fit_and_encode(const Table& table, std::span<const std::uint32_t> training_rows,
                                const EncoderOptions& options, Rows& rows,
                                const std::function<void(const Column&)>& on_feature);

  /// Columns are found by name; a missing column, or text where a number is needed, is an Error.
  /// A numeric column where categories are expected is read by its text. In parallel.
  Rows encode(const Table& table, int threads) const;
  /// The same cells as raw numbers, [rows × columns()] row-major: what input_place() takes.
  std::vector<double> raw_inputs(const Table& table, int threads) const;

  const std::vector<EncodedColumn>& columns() const { return columns_; }
  /// Every column once, on its coarse scale if it has one; then the finer scales.
  std::vector<ColumnScale> scales() const;
  /// New levels of a column, after those that it has: "other" and missing move on.
  void add_levels(std::size_t column, std::span<const std::string> levels);
  /// The columns of another encoder after its own; no source may be in both.
  void append(const Encoder& more);

  /// How each source column is to be read from a file so that it means what it meant in training.
  ColumnKinds read_as() const;
  const LeftOut& left_out() const { return left_out_; }
  /// One readable line per encoded column: kind, range or levels, bins.
  std::string describe() const;

  nlohmann::json to_json() const;
  static Encoder from_json(const nlohmann::json& json);

 private:
  Encoder(std::vector<EncodedColumn> columns, ColumnKinds read_as, LeftOut left_out)
      : columns_(std::move(columns)),
        read_as_(std::move(read_as)),
        left_out_(std::move(left_out)) {}

  std::vector<EncodedColumn> columns_;
  ColumnKinds read_as_;
  LeftOut left_out_;
};

/// Encoder::encode() for those who go through a table a few rows at a time: columns are found once.
class TableEncoder {
 public:
  /// Both borrowed. Throws Error for a column that is absent or of a wrong kind.
  TableEncoder(const Encoder& encoder, const Table& table);
  ~TableEncoder();
  TableEncoder(const TableEncoder&) = delete;
  TableEncoder& operator=(const TableEncoder&) = delete;

  /// Rows first … first + count − 1. Throws Error at an infinite value.
  Rows encode(std::size_t first, std::size_t count, ThreadTeam& team) const;

 private:
  struct Inputs;
  std::unique_ptr<const Inputs> inputs_;
};

}  // namespace softwood
