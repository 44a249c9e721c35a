#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tree/ensemble.h"

namespace softwood {

/// Which numbers of the curves stand for themselves, a bit each, in the order of PlainTensors,
/// bundle after bundle; the others follow from them (fill_in). Of a default one all do.
class KeptKnots {
 public:
  KeptKnots() = default;
  /// None of `size` is kept so far.
  explicit KeptKnots(std::size_t size) : size_(size), bytes_((size + 7) / 8, 0) {}
  /// `bytes`: as many as `size` bits need; bits beyond are 0.
  KeptKnots(std::size_t size, std::vector<std::uint8_t> bytes);

  bool keeps_all() const { return bytes_.empty(); }
  std::size_t size() const { return size_; }
  bool operator[](std::size_t index) const { return (bytes_[index / 8] >> index % 8 & 1) != 0; }
  void keep(std::size_t index) {
    bytes_[index / 8] = static_cast<std::uint8_t>(bytes_[index / 8] | 1U << index % 8);
  }
  /// How many are kept.
  std::size_t count() const;
  std::span<const std::uint8_t> bytes() const { return bytes_; }
  /// One after the other.
  void append(const KeptKnots& more);

 private:
  std::size_t size_ = 0;
  std::vector<std::uint8_t> bytes_;
};

/// Per column of an ensemble, where the edges of its curves stand: ascending from 0 to 1, missing
/// is not among them. Empty for levels and linear columns.
using KnotPlaces = std::vector<std::vector<double>>;

/// Overwrites the numbers of one split's curves that are not kept: an edge between two kept ones is
/// on the line between them, by its place; beyond the outermost it is as that one; all else is 0
/// (edges without any that is kept, missing, levels, weights). `first`: place of the split's first
/// number among `kept`. Deterministic: whoever fills in gets the same bits.
void fill_in(const EnsembleShape& shape, const Bundle& bundle, const KnotPlaces& places,
             const KeptKnots& kept, std::size_t first, std::span<float> numbers);

}  // namespace softwood
