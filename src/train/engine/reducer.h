#pragma once

#include <span>

#include "base/views.h"

namespace softwood {

/// What workers that share the work of a step add up among them. One machine has nothing to add:
/// this does nothing.
class Reducer {
 public:
  virtual ~Reducer() = default;

  /// Workers that share out the trees: `sums` [outputs × rows] becomes the sum over the workers.
  virtual void add_outputs([[maybe_unused]] MatrixView<double> sums) {}
  /// Workers that share out the rows: the gradients of a few bundles become their sums. Pieces come
  /// from several threads, in any order.
  virtual void add_gradients([[maybe_unused]] std::span<float> gradients) {}
  /// Workers that share out the trees, before gradients are clipped: the sum of squares.
  virtual double add_squares(double squares) { return squares; }
};

}  // namespace softwood
