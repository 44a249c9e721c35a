#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "data/encoder/curve_scale.h"
#include "data/encoder/encode_columns.h"
#include "data/encoder/encoder.h"
#include "data/encoder/messages.h"
#include "data/table/column_groups.h"
#include "data/text/date_parts.h"
#include "softwood/error.h"

namespace softwood {
namespace {

using TrainingRows = std::span<const std::uint32_t>;

/// The values that the training rows have in a numeric or datetime column.
std::vector<double> present_values(const Column& column, DatePart part, TrainingRows rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  const double* all = column.values.data();
  for (const std::uint32_t row : rows) {
    if (!std::isnan(all[row])) values.push_back(date_part(part, all[row]));
  }
  return values;
}

/// Whether the training rows tell nothing apart: one value or none, and not missing in some only.
/// That a date is missing is told by its time; the other parts need not repeat it.
bool is_constant(const Column& column, DatePart part, TrainingRows rows) {
  const double* values = column.values.data();
  const bool missing_tells = part == DatePart::none || part == DatePart::time;
  std::optional<double> first;
  bool any_missing = false;
  for (const std::uint32_t row : rows) {
    any_missing |= std::isnan(values[row]);
    if (std::isnan(values[row])) continue;
    const double value = date_part(part, values[row]);
    if (!first) first = value;
    if (value != *first) return false;
  }
  return !(missing_tells && first && any_missing);
}

void reject_infinite(const Table& table, const Column& column, TrainingRows rows) {
  const double* values = column.values.data();
  for (const std::uint32_t row : rows) {
    if (std::isinf(values[row])) throw Error(infinite_cell(table, column, row));
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
  std::sort(values.begin(), values.end());
  const std::vector<double> coarse = edges_of_sorted(values, bins);
  column.edges = coarse;
  column.coarse.clear();
  if (fine_bins <= bins) return;
  column.edges = hybrid_edges_of_sorted(std::move(values), fine_bins, coarse);
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

/// Decides on every encoded column, finds the scales of the numeric ones and encodes the table, one
/// group of columns after the other.
class EncoderFit {
 public:
  EncoderFit(const Table& table, TrainingRows rows, const EncoderOptions& options)
      : table_(table), rows_(rows), options_(options) {
    if (options.bins < 0)
      throw Error(fmt::format("bins is {}; it must be at least 1.", options.bins));
  }

  /// Decides on the columns; their scales are still to be found.
  void choose_columns() {
    for (const ColumnGroup& group : group_columns(wanted_columns())) {
      load_columns(group);
      for (const Column* column : group) add(*column);
      release_columns(group);
    }
  }

  /// `rows` may be nullptr: then nothing is encoded.
  void run(Rows* rows, const std::function<void(const Column&)>& on_feature) {
    const std::vector<const Column*> wanted = wanted_columns();
    std::vector<FittedGroup> fitted;
    std::size_t num_seen = 0;
    for (ColumnGroup& group : group_columns(wanted)) {
      load_columns(group);
      FittedGroup& fit = fitted.emplace_back(FittedGroup{.first = columns.size()});
      for (const Column* column : group) {
        const std::size_t before = columns.size();
        add(*column);
        if (on_feature && columns.size() > before) on_feature(*column);
      }
      fit.end = columns.size();
      num_seen += group.size();
      // Only the last group knows how many columns there are: until then, all that are left.
      const std::span<const Column* const> left = std::span(wanted).subspan(num_seen);
      fit.bins = bins_with(left);
      if (rows != nullptr) make_room(*rows, left);
      find_scales(fit, rows);
      release_columns(group);
      fit.sources = std::move(group);
    }
    require_columns();
    for (FittedGroup& fit : fitted) find_scales_again(fit, rows);
    if (infinite_) throw Error(*infinite_);
  }

  std::vector<EncodedColumn> columns;
  ColumnKinds read_as;
  LeftOut left_out;

 private:
  /// Encoded columns first … end − 1, made from a group of columns.
  struct FittedGroup {
    std::size_t first = 0, end = 0;
    ColumnGroup sources = {};
    int bins = 0;
  };

  std::vector<const Column*> wanted_columns() const {
    const std::set<std::string> names(options_.features.begin(), options_.features.end());
    for (const std::string& name : names) table_.column(name);  // complains about unknown ones
    std::vector<const Column*> wanted;
    for (const Column& column : table_.columns()) {
      if (names.contains(column.name)) wanted.push_back(&column);
    }
    return wanted;
  }

  void require_columns() const {
    if (!columns.empty()) return;
    throw Error(fmt::format("no feature is left to learn from in {}: {}", table_.origin,
                            left_out.empty()
                                ? "no column is left besides responses and dropped ones."
                                : "every one is constant or an id."));
  }

  /// Bins of a numeric column if the columns that are `left` are all encoded.
  int bins_with(std::span<const Column* const> left) const {
    if (options_.bins > 0) return options_.bins;
    const auto num_numeric = std::count_if(columns.begin(), columns.end(),
                                           [](const EncodedColumn& column) {
                                             return column.kind != EncodedColumn::Kind::levels;
                                           }) +
                             std::count_if(left.begin(), left.end(), [](const Column* column) {
                               return column->kind != ColumnKind::categorical;
                             });
    return default_bins(static_cast<std::size_t>(num_numeric), columns.size() + left.size(),
                        rows_.size());
  }

  /// For the columns that there are, which are cleared; memory for those that are `left` is set
  /// aside but not touched yet.
  void make_room(Rows& rows, std::span<const Column* const> left) const {
    rows.num_rows = table_.num_rows();
    rows.num_columns = columns.size();
    rows.positions.reserve(rows.num_rows * (columns.size() + left.size()));
    rows.positions.resize(rows.num_rows * columns.size());
  }

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

  void find_scales(const FittedGroup& group, Rows* rows) {
    ThreadTeam team(options_.threads);
    team.for_each(group.end - group.first, [&](std::size_t index) {
      EncodedColumn& column = columns[group.first + index];
      if (column.kind == EncodedColumn::Kind::levels) return;
      std::vector<double> values =
          present_values(*table_.find(column.source), *find_date_part(column.part), rows_);
      set_mean_and_sd(column, values);
      if (column.kind == EncodedColumn::Kind::curve) {
        set_edges(column, std::move(values), group.bins, options_.fine_bins);
      }
    });
    if (rows == nullptr) return;
    const auto encoded =
        std::span<const EncodedColumn>(columns).subspan(group.first, group.end - group.first);
    const auto failure = encode_columns(table_, encoded, read_as, options_.threads,
                                        rows->positions.data() + group.first * rows->num_rows);
    if (!infinite_) infinite_ = failure;
  }

  /// If in the end there are so few columns that each gets more bins than was thought.
  void find_scales_again(FittedGroup& group, Rows* rows) {
    const int bins = bins_with({});
    if (group.bins == bins) return;
    group.bins = bins;
    load_columns(group.sources);
    find_scales(group, rows);
    release_columns(group.sources);
  }

  const Table& table_;
  TrainingRows rows_;
  const EncoderOptions& options_;
  std::optional<std::string> infinite_;  // the message of the first infinite value
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
  fit.run(nullptr, {});
  return Encoder(std::move(fit.columns), std::move(fit.read_as), std::move(fit.left_out));
}

Encoder Encoder::fit_and_encode(const Table& table, std::span<const std::uint32_t> training_rows,
                                const EncoderOptions& options, Rows& rows,
                                const std::function<void(const Column&)>& on_feature) {
  EncoderFit fit(table, training_rows, options);
  fit.run(&rows, on_feature);
  return Encoder(std::move(fit.columns), std::move(fit.read_as), std::move(fit.left_out));
}

}  // namespace softwood
