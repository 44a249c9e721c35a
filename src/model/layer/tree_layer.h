#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/encoder/encoder.h"
#include "linear/linear_part.h"
#include "softwood/model.h"
#include "tree/ensemble.h"
#include "tree/plain_tensors.h"

namespace softwood {

/// Trees that have learned nothing yet, with linear splits on all inputs: the paper's hyperplanes.
struct FreshTrees {
  std::size_t num_inputs = 0;
  std::size_t num_outputs = 0;
  std::size_t num_trees = 32;
  int depth = 3;
  Activation activation = Activation::smooth_step;
  double gamma = 1;
  std::uint64_t seed = 0;
};

/// Shapes of the three tensors that hold a layer's values. Trees that see different columns have
/// curves of different lengths, and those of different tasks different leaves: then all of them lie
/// in one row.
struct LayerShapes {
  std::vector<std::size_t> curves;  ///< [trees, splits, knots] or [all]
  std::vector<std::size_t> biases;  ///< [trees, splits]
  std::vector<std::size_t> leaves;  ///< [trees, leaves, outputs] or [all]
};

/// Trees as a layer of a network: raw numbers in, f = offset + unit · (trees + linear part) out,
/// with derivatives in both the numbers and the trees' values (LayerPass). A linear part is fixed:
/// it takes part in outputs and in the numbers' derivatives, and stays as the model has it. The
/// values themselves are the network's. Immutable and cheap to copy.
class TreeLayer {
 public:
  /// Throws Error for a number out of range.
  explicit TreeLayer(const FreshTrees& fresh);
  /// One member of a model: its inputs are the encoder's columns (see input_place()), its outputs
  /// the raw ones of all tasks. Throws Error if there is no such member.
  TreeLayer(const Model& model, std::size_t member);

  std::size_t num_inputs() const { return num_inputs_; }
  std::size_t num_outputs() const { return offset_.size(); }
  const Ensemble& ensemble() const { return *ensemble_; }
  LayerShapes shapes() const;
  /// How raw numbers become positions; nullptr: they are positions.
  const std::vector<EncodedColumn>* columns() const;
  const std::vector<double>& offset() const { return offset_; }
  const std::vector<double>& unit() const { return unit_; }
  /// Of the model's member; nullptr: there is none.
  const LinearPart* linear() const;

  /// What fresh trees start with, or what the model learned.
  PlainNumbers<float> start() const;
  /// A copy of `model` with these values in the layer's member; `model` must have that member's
  /// shape, else Error.
  Model put_into(const Model& model, PlainTensors<const float> values) const;

  /// Where it comes from: one of the two.
  const std::optional<FreshTrees>& fresh() const { return fresh_; }
  const std::optional<Model>& model() const { return model_; }
  std::size_t member() const { return member_; }

 private:
  std::optional<FreshTrees> fresh_;
  std::optional<Model> model_;
  std::size_t member_ = 0;
  std::size_t num_inputs_ = 0;
  std::shared_ptr<const Ensemble> ensemble_;
  std::vector<double> offset_, unit_;  // [output]
};

}  // namespace softwood
