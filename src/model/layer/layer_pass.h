#pragma once

#include <vector>

#include "base/thread_team.h"
#include "base/views.h"
#include "model/layer/tree_layer.h"
#include "tree/batch_pass.h"

namespace softwood {

/// Some rows through a layer and back, in T = float or double, with what the way back needs.
template <class T>
class LayerPass {
 public:
  /// `x` [rows × inputs] and `values` are copied. Throws Error for a level that is none.
  LayerPass(TreeLayer layer, PlainTensors<const T> values, MatrixView<const T> x, ThreadTeam& team);
  LayerPass(const LayerPass&) = delete;
  LayerPass& operator=(const LayerPass&) = delete;

  /// Overwrites `out` [rows × outputs].
  void forward(MatrixView<T> out, ThreadTeam& team);
  /// After forward(), as often as you like. `output_gradients` [rows × outputs]; overwrites
  /// `gradients`, and `x_gradients` [rows × inputs] unless that is an empty view.
  void backward(MatrixView<const T> output_gradients, PlainTensors<T> gradients,
                MatrixView<T> x_gradients, ThreadTeam& team);

 private:
  MatrixView<const T> positions() const;

  TreeLayer layer_;
  std::size_t num_rows_;
  std::vector<T> slopes_;  // ∂position/∂x [inputs × rows]; empty: all 1
  BatchPass<T> pass_;
};

/// The forward pass for those who do not want to come back: a few rows at a time.
template <class T>
void evaluate_layer(const TreeLayer& layer, PlainTensors<const T> values, MatrixView<const T> x,
                    MatrixView<T> out, ThreadTeam& team);

}  // namespace softwood
