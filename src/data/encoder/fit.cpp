#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "data/encoder/curve_scale.h"
#include "data/encoder/encoder.h"
#include "data/encoder/messages.h"
#include "data/text/date_parts.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using TrainingRows = std::span<const std::uint32_t>;

/// The values that the training rows have in a numeric or datetime column.
std::vector<double> present_values(const Column& column, DatePart part, TrainingRows rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    if (!column.is_missing(row)) values.push_back(date_part(part, column.values[row]));
  }
  return values;
}

/// Whether the training rows tell nothing apart: one value or none, and not missing in some only.
/// That a date is missing is told by its time; the other parts need not repeat it.
bool is_constant(const Column& column, DatePart part, TrainingRows rows) {
  const std::vector<double> values = present_values(column, part, rows);
  const bool missing_tells = part == DatePart::none || part == DatePart::time;
  if (missing_tells && !values.empty() && values.size() < rows.size()) return false;
  return std::all_of(values.begin(), values.end(),
                     [&](double value) { return value == values[0]; });
}

void reject_infinite(const Table& table, const Column& column, TrainingRows rows) {
  for (const std::uint32_t row : rows) {
    if (std::isinf(column.values[row])) throw Error(infinite_cell(table, column, row));
  }
}

void set_mean_and_sd(EncodedColumn& column, const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  // Squares of huge values would overflow: measure them in units of the largest.
  const double unit = largest > 1e100 ? largest : 1;
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value / unit;
  const double mean = sum / count;
  for (const double value : values) squares += (value / unit - mean) * (value / unit - mean);
  column.mean = mean * unit;
  const double sd = std::sqrt(squares / count) * unit;
  column.sd = sd > 0 && std::isfinite(sd) ? sd : 1;
}

void set_edges(EncodedColumn& column, std::vector<double> values, int bins, int fine_bins) {
  const std::vector<double> coarse = equal_frequency_edges(values, bins);
  column.edges = coarse;
  if (fine_bins <= bins) return;
  column.edges = hybrid_edges(std::move(values), fine_bins, coarse);
  if (column.edges.size() == coarse.size()) return;
  for (const double edge : coarse) {
    const auto found = std::lower_bound(column.edges.begin(), column.edges.end(), edge);
    column.coarse.push_back(static_cast<std::uint32_t>(found - column.edges.begin()));
  }
}

int default_bins(std::size_t num_numeric, std::size_t num_columns, std::size_t num_rows) {
  if (num_columns > num_rows) return 1;
  const std::size_t wish = num_numeric > 64 ? 4 : num_numeric > 16 ? 8 : 16;
  return static_cast<int>(std::max<std::size_t>(1, std::min(wish, num_rows / 16)));
}

/// Decides on every encoded column, then finds the scales of the numeric ones.
class EncoderFit {
 public:
  EncoderFit(const Table& table, TrainingRows rows, const EncoderOptions& options)
      : table_(table), rows_(rows), options_(options) {
    if (options.bins < 0)
      throw Error(fmt::format("bins is {}; it must be at least 1.", options.bins));
  }

  /// Decides on the columns; their scales are still to be found.
  void choose_columns() {
    const std::set<std::string> wanted(options_.features.begin(), options_.features.end());
    for (const std::string& name : wanted) table_.column(name);  // complains about unknown ones
    for (const Column& column : table_.columns()) {
      if (wanted.contains(column.name)) add(column);
    }
  }

  void run() {
    choose_columns();
    if (columns.empty()) {
      throw Error(fmt::format("no feature is left to learn from in {}: {}", table_.origin,
                              left_out.empty()
                                  ? "no column is left besides responses and dropped ones."
                                  : "every one is constant or an id."));
    }
    find_scales();
  }

  std::vector<EncodedColumn> columns;
  std::map<std::string, ReadAs, std::less<>> read_as;
  LeftOut left_out;

 private:
  /// Dates that come from no text are to be written year first.
  static ReadAs how_to_read(const Column& column) {
    const bool is_plain = column.kind == ColumnKind::datetime && column.date_order.empty();
    return {column.kind, is_plain ? "ymd" : column.date_order};
  }

  void add(const Column& column) {
    const std::size_t before = columns.size();
    bool looks_like_id = false;
    if (column.kind == ColumnKind::categorical) {
      looks_like_id = add_levels(column);
    } else {
      reject_infinite(table_, column, rows_);
      for (const DatePart part : parts_of(column)) add_number(column, part);
    }
    if (columns.size() > before) {
      read_as[column.name] = how_to_read(column);
      return;
    }
    (looks_like_id ? left_out.like_ids : left_out.constant).push_back(column.name);
  }

  std::vector<DatePart> parts_of(const Column& column) const {
    if (column.kind == ColumnKind::numeric) return {DatePart::none};
    std::vector<DatePart> parts = {DatePart::time, DatePart::year, DatePart::month, DatePart::day,
                                   DatePart::weekday};
    const bool has_clock = std::any_of(rows_.begin(), rows_.end(), [&](std::uint32_t row) {
      return !column.is_missing(row) && std::fmod(column.values[row], 86400) != 0;
    });
    if (has_clock) parts.insert(parts.end(), {DatePart::hour, DatePart::minute});
    return parts;
  }

  void add_number(const Column& column, DatePart part) {
    if (is_constant(column, part, rows_)) return;
    EncodedColumn encoded;
    encoded.kind = options_.linear ? EncodedColumn::Kind::linear : EncodedColumn::Kind::curve;
    encoded.source = column.name;
    encoded.part = date_part_name(part);
    columns.push_back(std::move(encoded));
  }

  /// Adds nothing if the training rows tell nothing apart; true if that is for too many rare
  /// levels.
  bool add_levels(const Column& column) {
    std::vector<std::size_t> counts(column.levels.size() + 1);  // the last is missing
    for (const std::uint32_t row : rows_) {
      ++counts[column.is_missing(row) ? column.levels.size()
                                      : static_cast<std::size_t>(column.codes[row])];
    }
    EncodedColumn encoded;
    encoded.kind = EncodedColumn::Kind::levels;
    encoded.source = column.name;
    std::size_t num_other = 0;
    for (std::size_t level = 0; level < column.levels.size(); ++level) {
      if (counts[level] >= static_cast<std::size_t>(std::max(1, options_.min_level_count))) {
        encoded.levels.push_back(column.levels[level]);
      } else {
        num_other += counts[level];
      }
    }
    std::sort(encoded.levels.begin(), encoded.levels.end());
    const std::size_t told_apart = encoded.levels.size() + (num_other > 0) + (counts.back() > 0);
    if (told_apart > 1) columns.push_back(std::move(encoded));
    return told_apart == 1 && num_other > 1;
  }

  void find_scales() {
    const auto num_numeric = static_cast<std::size_t>(std::count_if(
        columns.begin(), columns.end(),
        [](const EncodedColumn& column) { return column.kind != EncodedColumn::Kind::levels; }));
    const int bins =
        options_.bins > 0 ? options_.bins : default_bins(num_numeric, columns.size(), rows_.size());
    ThreadTeam team(options_.threads);
    team.for_each(columns.size(), [&](std::size_t index) {
      EncodedColumn& column = columns[index];
      if (column.kind == EncodedColumn::Kind::levels) return;
      std::vector<double> values =
          present_values(*table_.find(column.source), *find_date_part(column.part), rows_);
      set_mean_and_sd(column, values);
      if (column.kind == EncodedColumn::Kind::curve) {
        set_edges(column, std::move(values), bins, options_.fine_bins);
      }
    });
  }

  const Table& table_;
  TrainingRows rows_;
  const EncoderOptions& options_;
};

}  // namespace

LeftOut find_left_out(const Table& table, std::span<const std::uint32_t> training_rows,
                      const EncoderOptions& options) {
  EncoderFit fit(table, training_rows, options);
  fit.choose_columns();
  return std::move(fit.left_out);
}

Encoder Encoder::fit(const Table& table, std::span<const std::uint32_t> training_rows,
                     const EncoderOptions& options) {
  EncoderFit fit(table, training_rows, options);
  fit.run();
  Encoder encoder;
  encoder.columns_ = std::move(fit.columns);
  encoder.read_as_ = std::move(fit.read_as);
  encoder.left_out_ = std::move(fit.left_out);
  return encoder;
}

}  // namespace softwood
