#include "tree/tree_place.h"

#include <cassert>

namespace softwood {

TreePlace::TreePlace(const Ensemble& ensemble, std::size_t tree)
    : ensemble_(ensemble), tree_(tree) {
  assert(tree < ensemble.shape().num_trees());
  while (tree_ >= bundle().num_trees) {
    tree_ -= bundle().num_trees;
    ++bundle_;
  }
}

}  // namespace softwood
