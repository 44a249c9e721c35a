#include "data/encoder/encoder.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/printable.h"
#include "data/text/date_parts.h"
#include "data/text/date_text.h"

namespace softwood {
namespace {

constexpr std::size_t kLevelsInDescription = 4;

/// "17 … 90", or dates for the time part.
std::string range_text(const EncodedColumn& column) {
  const double first = column.edges.front(), last = column.edges.back();
  if (column.part == date_part_name(DatePart::time)) {
    return fmt::format("{} … {}", date_text(first * 86400), date_text(last * 86400));
  }
  return fmt::format("{:.6g} … {:.6g}", first, last);
}

std::string levels_text(const EncodedColumn& column) {
  const std::size_t shown = std::min(column.levels.size(), kLevelsInDescription);
  std::vector<std::string> parts;
  for (std::size_t level = 0; level < shown; ++level)
    parts.push_back(printable(column.levels[level]));
  if (shown < column.levels.size()) parts.emplace_back("…");
  if (parts.empty()) return "other only";
  return fmt::format("{}: {} + other", column.levels.size(), fmt::join(parts, ", "));
}

std::string scale_text(const EncodedColumn& column) {
  switch (column.kind) {
    case EncodedColumn::Kind::curve: {
      const std::size_t bins = column.edges.size() - 1;
      return fmt::format("curve   {:>3} bin{}  {}", bins, bins == 1 ? " " : "s",
                         range_text(column));
    }
    case EncodedColumn::Kind::levels:
      return "levels  " + levels_text(column);
    case EncodedColumn::Kind::linear:
      break;
  }
  return fmt::format("linear  mean {:.6g}, sd {:.6g}", column.mean, column.sd);
}

/// Letters, not bytes: what lines columns up on a terminal.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  }));
}

}  // namespace

std::string EncodedColumn::name() const {
  return part.empty() ? source : source + "." + part;
}

std::size_t EncodedColumn::num_knots() const {
  switch (kind) {
    case Kind::curve:
      return edges.size() + 1;
    case Kind::levels:
      return levels.size() + 2;
    case Kind::linear:
      break;
  }
  return 0;
}

std::vector<float> coarse_positions(const EncodedColumn& column) {
  std::vector<float> positions;
  for (std::size_t bin = 0; bin + 1 < column.coarse.size(); ++bin) {
    const double from = column.edges[column.coarse[bin]], to = column.edges[column.coarse[bin + 1]];
    for (std::uint32_t edge = column.coarse[bin]; edge < column.coarse[bin + 1]; ++edge) {
      // Halves keep a bin wider than the largest double finite; the smallest have no halves.
      const double part = std::isfinite(to - from) ? 1 : 0.5;
      const double share = (column.edges[edge] * part - from * part) / (to * part - from * part);
      positions.push_back(static_cast<float>(static_cast<double>(bin) + share));
    }
  }
  const auto last = static_cast<float>(column.coarse.size() - 1);
  positions.push_back(last);
  positions.push_back(last + 1);  // missing
  return positions;
}

std::vector<ColumnScale> Encoder::scales() const {
  std::vector<ColumnScale> scales;
  const auto size = static_cast<std::uint32_t>(columns_.size());
  for (std::uint32_t c = 0; c < size; ++c) scales.push_back({c, !columns_[c].coarse.empty()});
  for (std::uint32_t c = 0; c < size; ++c) {
    if (!columns_[c].coarse.empty()) scales.push_back({c, false});
  }
  return scales;
}

ColumnKinds Encoder::read_as() const {
  return read_as_;
}

std::string Encoder::describe() const {
  std::size_t longest = 0;
  for (const EncodedColumn& column : columns_)
    longest = std::max(longest, width(printable(column.name())));
  std::string text;
  for (const EncodedColumn& column : columns_) {
    const std::string name = printable(column.name());
    text += name + std::string(longest + 2 - width(name), ' ') + scale_text(column) + '\n';
  }
  return text;
}

}  // namespace softwood
