#include <cmath>

#include <fmt/format.h>

#include "base/random.h"
#include "data/table/table_rows.h"
#include "options/range.h"
#include "softwood/error.h"
#include "train/compare/held_out_rows.h"

namespace softwood {
namespace {

/// Those with a value of the target, or all.
std::vector<std::uint32_t> rows_to_split(const Table& table, const std::string& target) {
  const Column* column = target.empty() ? nullptr : &table.column(target);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < table.num_rows(); ++row) {
    if (column == nullptr || !column->is_missing(row)) rows.push_back(row);
  }
  return rows;
}

void check_fraction(double fraction) {
  constexpr Range kRange = {.least = 0, .most = 1, .above_least = true, .below_most = true};
  if (!kRange.contains(fraction)) {
    throw Error(
        fmt::format("the part to hold out is {}, but must be {}.", fraction, range_text(kRange)));
  }
}

Table selected(const Table& table, const std::vector<std::uint32_t>& rows) {
  return select_rows(table, std::vector<std::int64_t>(rows.begin(), rows.end()));
}

}  // namespace

Split held_out_rows(const Table& table, const HoldOutOptions& options) {
  check_fraction(options.fraction);
  const std::vector<std::uint32_t> rows = rows_to_split(table, options.target);
  const std::uint64_t seed = RandomStream(options.seed, "hold out").bits(0);
  Split split =
      options.keep_together.empty()
          ? split_at_random(rows, options.fraction, seed)
          : split_by_group(rows, table.column(options.keep_together), options.fraction, seed);
  if (split.training.empty() || split.validation.empty()) {
    const std::string which =
        options.target.empty() ? "" : fmt::format(" with a value of '{}'", options.target);
    throw Error(fmt::format("{}: {} rows{} are too few to hold {:g} % of them out.", table.origin,
                            rows.size(), which, 100 * options.fraction));
  }
  return split;
}

Table without_responses(const Table& table, const std::string& target,
                        const std::vector<std::uint32_t>& rows) {
  std::vector<Column> columns = table.columns();
  for (Column& column : columns) {
    if (column.name != target) continue;
    for (const std::uint32_t row : rows) {
      if (column.kind == ColumnKind::categorical) {
        column.codes[row] = -1;
      } else {
        column.values[row] = std::nan("");
      }
    }
  }
  Table masked(std::move(columns));
  masked.origin = table.origin;
  return masked;
}

HeldOut hold_out(const Table& table, const HoldOutOptions& options) {
  const Split split = held_out_rows(table, options);
  return {.training = selected(table, split.training), .test = selected(table, split.validation)};
}

}  // namespace softwood
