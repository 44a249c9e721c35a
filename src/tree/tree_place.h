#pragma once

#include <vector>

#include "tree/ensemble.h"

namespace softwood {

/// Where one tree's numbers stand in an ensemble buffer.
class TreePlace {
 public:
  /// `tree` counts over all bundles in order; it must exist. `ensemble` is borrowed.
  TreePlace(const Ensemble& ensemble, std::size_t tree);
  /// `tree` counts within the bundle.
  TreePlace(const Ensemble& ensemble, std::size_t bundle, std::size_t tree)
      : ensemble_(ensemble), bundle_(bundle), tree_(tree) {}

  const Bundle& bundle() const { return ensemble_.shape().bundles[bundle_]; }
  std::size_t bias(std::size_t split) const { return layout().biases + slot(split); }
  std::size_t leaf(std::size_t leaf) const {
    const std::size_t num_leaves = ensemble_.shape().num_leaves_per_tree();
    return layout().leaves + (tree_ * num_leaves + leaf) * bundle().num_outputs;
  }
  /// Of the first knot (or the weight) of the bundle's column number `place`; further knots follow
  /// every kLanes floats.
  std::size_t first_knot(std::size_t split, std::size_t place) const {
    return layout().weights + slot(split) / kLanes * layout().block_stride +
           layout().column_offset[place] + slot(split) % kLanes;
  }

 private:
  const BundleLayout& layout() const { return ensemble_.layout(bundle_); }
  std::size_t slot(std::size_t split) const {
    return layout().slot(tree_ * ensemble_.shape().num_splits_per_tree() + split);
  }

  const Ensemble& ensemble_;
  std::size_t bundle_ = 0;
  std::size_t tree_ = 0;  // within the bundle
};

}  // namespace softwood
