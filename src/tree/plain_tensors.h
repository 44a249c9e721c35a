#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "tree/ensemble.h"

namespace softwood {

/// Numbers of trees as people and files write them, without the kernels' blocks and padding:
///   curves  [tree][split][knots of its columns one after the other; a linear column has one]
///   biases  [tree][split]
///   leaves  [tree][leaf][output]
/// Splits are in breadth-first order. Of one bundle, or of all bundles one after the other.
template <class T>
struct PlainTensors {
  std::span<T> curves, biases, leaves;

  /// Tensors of mutable numbers are also tensors of constant ones.
  operator PlainTensors<const T>() const requires(!std::is_const_v<T>) {
    return {curves, biases, leaves};
  }
};

struct PlainSizes {
  std::size_t curves = 0, biases = 0, leaves = 0;
  bool operator==(const PlainSizes&) const = default;
};
PlainSizes plain_sizes(const Ensemble& ensemble, std::size_t bundle);
/// Of all bundles together.
PlainSizes plain_sizes(const Ensemble& ensemble);

/// Owned tensors.
template <class T>
struct PlainNumbers {
  std::vector<T> curves, biases, leaves;

  explicit PlainNumbers(const PlainSizes& sizes)
      : curves(sizes.curves), biases(sizes.biases), leaves(sizes.leaves) {}
  PlainTensors<T> view() { return {curves, biases, leaves}; }
  PlainTensors<const T> view() const { return {curves, biases, leaves}; }
};

/// Each bundle's part of the tensors of all bundles.
template <class T>
std::vector<PlainTensors<T>> by_bundle(const Ensemble& ensemble, PlainTensors<T> all);

/// Writes one bundle's tensors into its part of `values`, an ensemble buffer; padding stays.
template <class T>
void values_from_plain(const Ensemble& ensemble, std::size_t bundle, PlainTensors<const T> tensors,
                       std::span<T> values);
/// And back.
template <class T>
void plain_from_values(const Ensemble& ensemble, std::size_t bundle, std::span<const T> values,
                       PlainTensors<T> tensors);

}  // namespace softwood
