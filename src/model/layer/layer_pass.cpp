#include "model/layer/layer_pass.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "data/encoder/input_scale.h"
#include "task/raw_outputs.h"

namespace softwood {
namespace {

/// Rows of an evaluation that are in work together: they bound its memory.
constexpr std::size_t kRowsAtOnce = 1024;

/// Positions [inputs × rows] of x [rows × inputs]; `slopes`: of the same shape, or empty for fresh
/// trees, whose inputs are positions as they are.
template <class T>
std::vector<T> place_inputs(const TreeLayer& layer, MatrixView<const T> x, ThreadTeam& team,
                            std::vector<T>& slopes) {
  std::vector<T> positions(x.rows * x.cols);
  if (layer.columns() != nullptr) slopes.resize(positions.size());
  team.for_each(x.cols, [&](std::size_t input) {
    for (std::size_t row = 0; row < x.rows; ++row) {
      const std::size_t at = input * x.rows + row;
      if (layer.columns() == nullptr) {
        positions[at] = x(row, input);
        continue;
      }
      const ScalePlace place = input_place((*layer.columns())[input], x(row, input));
      positions[at] = static_cast<T>(place.position);
      slopes[at] = static_cast<T>(place.slope);
    }
  });
  return positions;
}

}  // namespace

template <class T>
LayerPass<T>::LayerPass(TreeLayer layer, PlainTensors<const T> values, MatrixView<const T> x,
                        ThreadTeam& team)
    : layer_(std::move(layer)),
      num_rows_(x.rows),
      pass_(layer_.ensemble(), values, place_inputs(layer_, x, team, slopes_), x.rows, team) {
  assert(x.cols == layer_.num_inputs());
}

template <class T>
MatrixView<const T> LayerPass<T>::positions() const {
  return {pass_.positions().data, layer_.num_inputs(), num_rows_};
}

template <class T>
void LayerPass<T>::forward(MatrixView<T> out, ThreadTeam& team) {
  assert(out.rows == num_rows_ && out.cols == layer_.num_outputs());
  std::vector<double> sums(out.cols * num_rows_);
  pass_.forward(team, {sums.data(), out.cols, num_rows_});
  if (layer_.linear() != nullptr)
    layer_.linear()->add_sums(positions(), {sums.data(), out.cols, num_rows_}, team);
  for (std::size_t k = 0; k < out.cols; ++k) {
    const double offset = layer_.offset()[k], unit = layer_.unit()[k];
    for (std::size_t row = 0; row < num_rows_; ++row) {
      out(row, k) = static_cast<T>(in_units(offset, unit, sums[k * num_rows_ + row]));
    }
  }
}

template <class T>
void LayerPass<T>::backward(MatrixView<const T> output_gradients, PlainTensors<T> gradients,
                            MatrixView<T> x_gradients, ThreadTeam& team) {
  const std::size_t num_outputs = layer_.num_outputs();
  std::vector<T> g(num_outputs * num_rows_);
  for (std::size_t k = 0; k < num_outputs; ++k) {
    for (std::size_t row = 0; row < num_rows_; ++row) {
      g[k * num_rows_ + row] = static_cast<T>(layer_.unit()[k] * output_gradients(row, k));
    }
  }
  const bool asked = x_gradients.data != nullptr;
  std::vector<double> moves(asked ? layer_.num_inputs() * num_rows_ : 0);  // ∂loss/∂position
  MatrixView<double> position_gradients;
  if (asked) position_gradients = {moves.data(), layer_.num_inputs(), num_rows_};
  pass_.backward({g.data(), num_outputs, num_rows_}, gradients, position_gradients, team);
  if (asked && layer_.linear() != nullptr) {
    layer_.linear()->add_position_gradients(positions(), {g.data(), num_outputs, num_rows_},
                                            position_gradients, team);
  }
  for (std::size_t at = 0; at < moves.size(); ++at) {
    const double slope = slopes_.empty() ? 1 : static_cast<double>(slopes_[at]);
    x_gradients(at % num_rows_, at / num_rows_) = static_cast<T>(moves[at] * slope);
  }
}

template <class T>
void evaluate_layer(const TreeLayer& layer, PlainTensors<const T> values, MatrixView<const T> x,
                    MatrixView<T> out, ThreadTeam& team) {
  for (std::size_t first = 0; first < x.rows; first += kRowsAtOnce) {
    const std::size_t rows = std::min(kRowsAtOnce, x.rows - first);
    LayerPass<T> pass(layer, values, {x.data + first * x.stride, rows, x.cols, x.stride}, team);
    pass.forward({out.data + first * out.stride, rows, out.cols, out.stride}, team);
  }
}

template class LayerPass<float>;
template class LayerPass<double>;
template void evaluate_layer(const TreeLayer&, PlainTensors<const float>, MatrixView<const float>,
                             MatrixView<float>, ThreadTeam&);
template void evaluate_layer(const TreeLayer&, PlainTensors<const double>, MatrixView<const double>,
                             MatrixView<double>, ThreadTeam&);

}  // namespace softwood
