#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "base/thread_team.h"
#include "data/encoder/curve_scale.h"
#include "data/encoder/encode_columns.h"
#include "data/encoder/encoder.h"
#include "data/encoder/input_scale.h"
#include "data/encoder/messages.h"
#include "data/table/column_groups.h"
#include "data/text/cell_text.h"
#include "data/text/date_parts.h"
#include "data/text/level_index.h"
#include "data/text/text_column.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// Rows that a thread encodes at a time.
constexpr std::size_t kBlockRows = std::size_t{1} << 15;

/// The places of a categorical column's levels on the trees' scale.
class LevelPlaces {
 public:
  explicit LevelPlaces(const std::vector<std::string>& levels)
      : other_(static_cast<float>(levels.size())) {
    for (const std::string& level : levels) index_.add(level);
    for (const std::string& level : levels) {
      const std::optional<double> number = parse_number(level);
      if (number) aliases_.emplace(number_text(*number), static_cast<float>(index_.find(level)));
    }
  }

  float missing() const { return other_ + 1; }
  float of_text(const std::string& text) const {
    const std::int32_t level = index_.find(text);
    return level < 0 ? other_ : static_cast<float>(level);
  }
  /// A number is looked up by its shortest text; the level "1.0" is found by 1 unless there is a
  /// "1".
  float of_number(const std::string& text) const {
    const float exact = of_text(text);
    if (exact != other_) return exact;
    const auto alias = aliases_.find(text);
    return alias == aliases_.end() ? other_ : alias->second;
  }
  /// For every row that is asked for.
  float of_cell(const Column& column, std::size_t row) const {
    if (column.is_missing(row)) return missing();
    const std::string text = column.text(row);
    return column.kind == ColumnKind::numeric ? of_number(text) : of_text(text);
  }

 private:
  LevelIndex index_;
  std::map<std::string, float, std::less<>> aliases_;
  float other_;
};

/// One encoded column and where its values come from.
struct Input {
  const EncodedColumn* encoded = nullptr;
  const Column* column = nullptr;
  const double* values = nullptr;  // of the column, unless it is for levels
  DatePart part = DatePart::none;
  std::vector<float> place_of_code;   // levels from a categorical column
  std::optional<LevelPlaces> places;  // levels from another
};

/// Finds the inputs of one table; texts that are numbers or dates are read as such.
class InputFinder {
 public:
  explicit InputFinder(const Table& table) : table_(table) {}

  Input find(const EncodedColumn& encoded, const ReadAs& read_as) {
    Input input;
    input.encoded = &encoded;
    input.column = &table_.column(encoded.source);
    if (encoded.kind == EncodedColumn::Kind::levels) {
      prepare_levels(input);
    } else {
      input.part = *find_date_part(encoded.part);
      input.column = &as_values(*input.column, read_as);
      input.values = std::as_const(input.column->values).data();
    }
    return input;
  }

 private:
  static void prepare_levels(Input& input) {
    input.places.emplace(input.encoded->levels);
    if (input.column->kind != ColumnKind::categorical) return;
    for (const std::string& level : input.column->levels) {
      input.place_of_code.push_back(input.places->of_text(level));
    }
  }

  const Column& as_values(const Column& column, const ReadAs& read_as) {
    if (column.kind == read_as.kind) return column;
    const bool wants_date = read_as.kind == ColumnKind::datetime;
    const std::string_view expected = wants_date ? "a date" : "a number";
    if (column.kind != ColumnKind::categorical) {
      for (std::size_t row = 0; row < column.size(); ++row) {
        if (!column.is_missing(row)) throw Error(unexpected_cell(table_, column, row, expected));
      }
      return column;  // nothing but missing cells
    }
    Column& converted = converted_.emplace_back(column);
    const std::optional<std::size_t> bad_row =
        wants_date ? turn_into_dates(converted, read_as.date_order) : turn_into_numbers(converted);
    if (bad_row) throw Error(unexpected_cell(table_, column, *bad_row, expected));
    return converted;
  }

  const Table& table_;
  std::deque<Column> converted_;
};

double raw_value(const Input& input, std::size_t row) {
  return date_part(input.part, input.values[row]);
}

float level_position(const Input& input, std::size_t row) {
  const Column& column = *input.column;
  if (column.kind != ColumnKind::categorical) return input.places->of_cell(column, row);
  const std::int32_t code = column.codes[row];
  return code < 0 ? input.places->missing() : input.place_of_code[static_cast<std::size_t>(code)];
}

float encoded_cell(const Input& input, std::size_t row) {
  switch (input.encoded->kind) {
    case EncodedColumn::Kind::curve:
      return curve_position(input.encoded->edges, raw_value(input, row));
    case EncodedColumn::Kind::levels:
      return level_position(input, row);
    case EncodedColumn::Kind::linear:
      break;
  }
  return static_cast<float>(linear_place(*input.encoded, raw_value(input, row)).position);
}

double raw_cell(const Input& input, std::size_t row) {
  if (input.encoded->kind != EncodedColumn::Kind::levels) return raw_value(input, row);
  return level_input(*input.encoded, level_position(input, row));
}

/// Visits rows first … end − 1; stops at an infinite value and returns its row.
template <class Visit>
std::optional<std::size_t> visit_block(const Input& input, std::size_t first, std::size_t end,
                                       const Visit& visit) {
  for (std::size_t row = first; row < end; ++row) {
    if (input.values != nullptr && std::isinf(input.values[row])) return row;
    visit(row);
  }
  return std::nullopt;
}

/// The inputs of some encoded columns.
struct TableInputs {
  const Table& table;
  InputFinder finder;
  std::vector<Input> inputs{};

  TableInputs(const Table& from, std::span<const EncodedColumn> columns, const ColumnKinds& kinds)
      : table(from), finder(from) {
    for (const EncodedColumn& column : columns)
      inputs.push_back(finder.find(column, kinds.at(column.source)));
  }

  /// Calls visit(input, its index among the columns, row) for every cell of rows first … end − 1,
  /// in parallel. Returns the message of the first infinite value.
  template <class Visit>
  std::optional<std::string> visit_cells(std::size_t first, std::size_t end, ThreadTeam& team,
                                         const Visit& visit) const {
    const std::size_t num_blocks = (end - first + kBlockRows - 1) / kBlockRows;
    // Each block says where it failed, so that the first failure is reported, not the fastest.
    std::vector<std::optional<std::size_t>> infinite_rows(inputs.size() * num_blocks);
    team.for_each(infinite_rows.size(), [&](std::size_t item) {
      const std::size_t column = item / num_blocks;
      const std::size_t from = first + item % num_blocks * kBlockRows;
      infinite_rows[item] =
          visit_block(inputs[column], from, std::min(from + kBlockRows, end),
                      [&](std::size_t row) { visit(inputs[column], column, row); });
    });
    for (std::size_t item = 0; item < infinite_rows.size(); ++item) {
      if (!infinite_rows[item]) continue;
      return infinite_cell(table, *inputs[item / num_blocks].column, *infinite_rows[item]);
    }
    return std::nullopt;
  }
};

/// The table's columns that an encoder reads, each once.
std::vector<const Column*> sources_of(const Table& table, std::span<const EncodedColumn> columns) {
  std::vector<const Column*> sources;
  for (const EncodedColumn& column : columns) {
    const Column* source = &table.column(column.source);
    if (sources.empty() || sources.back() != source) sources.push_back(source);
  }
  return sources;
}

}  // namespace

struct TableEncoder::Inputs : TableInputs {
  using TableInputs::TableInputs;
};

TableEncoder::TableEncoder(const Encoder& encoder, const Table& table)
    : inputs_(std::make_unique<const Inputs>(table, encoder.columns(), encoder.read_as())) {}

TableEncoder::~TableEncoder() = default;

Rows TableEncoder::encode(std::size_t first, std::size_t count, ThreadTeam& team) const {
  Rows rows{count, inputs_->inputs.size(), {}};
  rows.positions.resize(rows.num_rows * rows.num_columns);
  const auto failure = inputs_->visit_cells(
      first, first + count, team, [&](const Input& input, std::size_t column, std::size_t row) {
        rows.positions[column * count + row - first] = encoded_cell(input, row);
      });
  if (failure) throw Error(*failure);
  return rows;
}

std::optional<std::string> encode_columns(const Table& table,
                                          std::span<const EncodedColumn> columns,
                                          const ColumnKinds& read_as, int threads, float* out) {
  const std::size_t num_rows = table.num_rows();
  ThreadTeam team(threads);
  return TableInputs(table, columns, read_as)
      .visit_cells(0, num_rows, team, [&](const Input& input, std::size_t column, std::size_t row) {
        out[column * num_rows + row] = encoded_cell(input, row);
      });
}

Rows Encoder::encode(const Table& table, int threads) const {
  Rows rows{table.num_rows(), columns_.size(), {}};
  rows.positions.resize(rows.num_rows * rows.num_columns);
  std::span<const EncodedColumn> left = columns_;
  float* out = rows.positions.data();
  for (const ColumnGroup& group : group_columns(sources_of(table, columns_))) {
    load_columns(group);
    const auto next = std::find_if(left.begin(), left.end(), [&](const EncodedColumn& column) {
      return std::find(group.begin(), group.end(), &table.column(column.source)) == group.end();
    });
    const auto count = static_cast<std::size_t>(next - left.begin());
    const auto failure = encode_columns(table, left.first(count), read_as_, threads, out);
    if (failure) throw Error(*failure);
    release_columns(group);
    left = left.subspan(count);
    out += count * rows.num_rows;
  }
  return rows;
}

std::vector<double> Encoder::raw_inputs(const Table& table, int threads) const {
  std::vector<double> numbers(table.num_rows() * columns_.size());
  ThreadTeam team(threads);
  const auto failure =
      TableInputs(table, columns_, read_as_)
          .visit_cells(0, table.num_rows(), team,
                       [&](const Input& input, std::size_t column, std::size_t row) {
                         numbers[row * columns_.size() + column] = raw_cell(input, row);
                       });
  if (failure) throw Error(*failure);
  return numbers;
}

}  // namespace softwood
