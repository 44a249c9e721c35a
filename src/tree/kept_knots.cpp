#include "tree/kept_knots.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace softwood {
namespace {

/// Edges of one curve: values[edge] stands at places[edge], `is_kept(edge)`.
template <class IsKept>
void fill_in_edges(std::span<const double> places, const IsKept& is_kept, std::span<float> values) {
  std::size_t before = values.size();  // the last kept one so far
  for (std::size_t edge = 0; edge < values.size(); ++edge) {
    if (!is_kept(edge)) continue;
    if (before == values.size()) {
      std::fill_n(values.begin(), edge, values[edge]);
    } else {
      const double from = values[before], rise = values[edge] - from;
      const double width = places[edge] - places[before];
      for (std::size_t between = before + 1; between < edge; ++between)
        values[between] = static_cast<float>(
            width > 0 ? from + rise * ((places[between] - places[before]) / width) : from);
    }
    before = edge;
  }
  if (before == values.size()) {
    std::ranges::fill(values, 0.0F);
  } else {
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(before), values.end(), values[before]);
  }
}

}  // namespace

KeptKnots::KeptKnots(std::size_t size, std::vector<std::uint8_t> bytes)
    : size_(size), bytes_(std::move(bytes)) {
  assert(bytes_.size() == (size + 7) / 8);
}

std::size_t KeptKnots::count() const {
  std::size_t count = 0;
  for (const std::uint8_t byte : bytes_) count += static_cast<std::size_t>(std::popcount(byte));
  return count;
}

void KeptKnots::append(const KeptKnots& more) {
  const std::size_t first = size_;
  size_ += more.size_;
  bytes_.resize((size_ + 7) / 8, 0);
  for (std::size_t index = 0; index < more.size_; ++index) {
    if (more[index]) keep(first + index);
  }
}

void fill_in(const EnsembleShape& shape, const Bundle& bundle, const KnotPlaces& places,
             const KeptKnots& kept, std::size_t first, std::span<float> numbers) {
  std::size_t at = 0;
  for (const std::uint32_t column : bundle.columns) {
    const std::size_t num_edges = places[column].size();
    const std::size_t end = at + shape.columns[column].num_parameters();
    fill_in_edges(
        places[column], [&](std::size_t edge) { return kept[first + at + edge]; },
        numbers.subspan(at, num_edges));
    for (std::size_t index = at + num_edges; index < end; ++index) {
      if (!kept[first + index]) numbers[index] = 0;
    }
    at = end;
  }
}

}  // namespace softwood
