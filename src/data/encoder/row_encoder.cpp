#include "data/encoder/row_encoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "data/encoder/input_scale.h"
#include "softwood/error.h"

namespace softwood {

RowEncoder::RowEncoder(const Encoder& encoder) {
  for (const EncodedColumn& column : encoder.columns()) {
    // A date's parts stand side by side.
    if (sources_.empty() || sources_.back() != column.source) sources_.push_back(column.source);
    cells_.push_back({&column, sources_.size() - 1, *find_date_part(column.part)});
  }
}

double RowEncoder::level(std::size_t source, std::string_view text) const {
  const auto cell = std::ranges::find(cells_, source, &Cell::source);
  if (cell == cells_.end() || cell->encoded->kind != EncodedColumn::Kind::levels) {
    throw Error(fmt::format("column '{}' has no levels: its cells are numbers.", sources_[source]));
  }
  const std::vector<std::string>& levels = cell->encoded->levels;
  const auto found = std::ranges::find(levels, text);
  return found == levels.end() ? -1 : static_cast<double>(found - levels.begin());
}

void RowEncoder::encode(std::span<const double> cells, std::span<float> positions) const {
  assert(cells.size() == sources_.size() && positions.size() == cells_.size());
  for (std::size_t column = 0; column < cells_.size(); ++column) {
    const Cell& cell = cells_[column];
    const double value = cells[cell.source];
    if (std::isinf(value)) {
      throw Error(fmt::format("column '{}' is infinite. Give a large number, or NaN for missing.",
                              sources_[cell.source]));
    }
    positions[column] =
        static_cast<float>(input_place(*cell.encoded, date_part(cell.part, value)).position);
  }
}

}  // namespace softwood
