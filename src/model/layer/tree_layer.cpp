#include "model/layer/tree_layer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/simd_target.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "tree/initialise.h"

namespace softwood {
namespace {

constexpr std::size_t kMost = 1 << 20;  // inputs, outputs, trees: more is a slip of the pen

void check_range(const char* name, double value, double least, double most) {
  if (value >= least && value <= most) return;
  throw Error(fmt::format("{} = {}: must be from {} to {}.", name, value, least, most));
}

const FreshTrees& checked(const FreshTrees& fresh) {
  check_range("in_features", static_cast<double>(fresh.num_inputs), 1, kMost);
  check_range("out_features", static_cast<double>(fresh.num_outputs), 1, kMost);
  check_range("trees", static_cast<double>(fresh.num_trees), 1, kMost);
  check_range("depth", fresh.depth, 1, kMaxDepth);
  if (!(fresh.gamma > 0) || !std::isfinite(fresh.gamma)) {
    throw Error(fmt::format("gamma = {}: must be a positive number.", fresh.gamma));
  }
  return fresh;
}

EnsembleShape shape_of(const FreshTrees& fresh) {
  std::vector<std::uint32_t> columns(fresh.num_inputs);
  std::iota(columns.begin(), columns.end(), 0U);
  const ColumnBasis linear{.kind = ColumnBasis::Kind::linear, .mean = {0.0F}};
  return {.depth = fresh.depth,
          .activation = fresh.activation,
          .gamma = static_cast<float>(fresh.gamma),
          .num_outputs = fresh.num_outputs,
          .columns = std::vector<ColumnBasis>(fresh.num_inputs, linear),
          .bundles = make_bundles(fresh.num_trees, fresh.depth, columns, 0, fresh.num_outputs)};
}

PlainNumbers<float> to_plain(const Ensemble& ensemble, std::span<const float> values) {
  PlainNumbers<float> numbers(plain_sizes(ensemble));
  const std::vector<PlainTensors<float>> parts = by_bundle(ensemble, numbers.view());
  for (std::size_t bundle = 0; bundle < parts.size(); ++bundle) {
    plain_from_values(ensemble, bundle, values, parts[bundle]);
  }
  return numbers;
}

/// Same trees over the same columns: values of one fit the other.
bool have_one_shape(const EnsembleShape& a, const EnsembleShape& b) {
  const auto same_column = [](const ColumnBasis& one, const ColumnBasis& other) {
    return one.kind == other.kind && one.num_knots == other.num_knots && one.scale == other.scale;
  };
  const auto same_bundle = [](const Bundle& one, const Bundle& other) {
    return one.columns == other.columns && one.num_trees == other.num_trees &&
           one.first_output == other.first_output && one.num_outputs == other.num_outputs;
  };
  return a.depth == b.depth && a.activation == b.activation && a.gamma == b.gamma &&
         std::ranges::equal(a.columns, b.columns, same_column) &&
         std::ranges::equal(a.bundles, b.bundles, same_bundle);
}

}  // namespace

TreeLayer::TreeLayer(const FreshTrees& fresh)
    : fresh_(checked(fresh)),
      num_inputs_(fresh.num_inputs),
      offset_(fresh.num_outputs, 0.0),
      unit_(fresh.num_outputs, 1.0) {
  choose_simd_target();
  ensemble_ = std::make_shared<const Ensemble>(shape_of(fresh));
}

TreeLayer::TreeLayer(const Model& model, std::size_t member)
    : model_(model),
      member_(member),
      num_inputs_(ModelAccess::parts(model).encoder.columns().size()) {
  // The model's own ensemble, which lives as long as the model does.
  ensemble_ = {std::make_shared<const Model>(model),
               &find_member(ModelAccess::parts(model), member).ensemble};
  offset_ = find_member(ModelAccess::parts(model), member).offset;
  for (const Task& task : ModelAccess::parts(model).tasks)
    unit_.insert(unit_.end(), task.units.unit.begin(), task.units.unit.end());
}

const std::vector<EncodedColumn>* TreeLayer::columns() const {
  return model_ ? &ModelAccess::parts(*model_).encoder.columns() : nullptr;
}

const LinearPart* TreeLayer::linear() const {
  if (!model_) return nullptr;
  const Member& member = find_member(ModelAccess::parts(*model_), member_);
  return member.linear ? &*member.linear : nullptr;
}

LayerShapes TreeLayer::shapes() const {
  const EnsembleShape& shape = ensemble_->shape();
  const PlainSizes sizes = plain_sizes(*ensemble_);
  const std::size_t num_nodes = shape.num_trees() * shape.num_splits_per_tree();
  const std::size_t num_leaves = shape.num_trees() * shape.num_leaves_per_tree();
  LayerShapes shapes{.curves = {sizes.curves},
                     .biases = {shape.num_trees(), shape.num_splits_per_tree()},
                     .leaves = {sizes.leaves}};
  if (shape.bundles.empty()) return shapes;
  const auto are_alike = [&](auto of_bundle) {
    return std::ranges::all_of(shape.bundles, [&](const Bundle& bundle) {
      return of_bundle(bundle) == of_bundle(shape.bundles[0]);
    });
  };
  if (are_alike([](const Bundle& bundle) { return bundle.columns; })) {
    shapes.curves = {shape.num_trees(), shape.num_splits_per_tree(), sizes.curves / num_nodes};
  }
  if (are_alike([](const Bundle& bundle) {
        return std::pair(bundle.first_output, bundle.num_outputs);
      })) {
    shapes.leaves = {shape.num_trees(), shape.num_leaves_per_tree(), sizes.leaves / num_leaves};
  }
  return shapes;
}

PlainNumbers<float> TreeLayer::start() const {
  if (model_) return to_plain(*ensemble_, find_member(ModelAccess::parts(*model_), member_).values);
  AlignedVector<float> values = ensemble_->make_buffer();
  initialise(*ensemble_, fresh_->seed, 0, glorot_limits(ensemble_->shape()), values);
  return to_plain(*ensemble_, values);
}

Model TreeLayer::put_into(const Model& model, PlainTensors<const float> values) const {
  if (!have_one_shape(find_member(ModelAccess::parts(model), member_).ensemble.shape(),
                      ensemble_->shape())) {
    throw Error("the model's trees are not of the layer's shape: give the model it was made from.");
  }
  ModelParts parts = ModelAccess::parts(model);
  Member& member = parts.members[member_];
  // Curves that were trained follow from no others any more.
  if (!std::ranges::equal(to_plain(*ensemble_, member.values).curves, values.curves))
    member.kept = {};
  const std::vector<PlainTensors<const float>> bundles = by_bundle(*ensemble_, values);
  for (std::size_t bundle = 0; bundle < bundles.size(); ++bundle) {
    values_from_plain<float>(*ensemble_, bundle, bundles[bundle], member.values);
  }
  return ModelAccess::make(std::move(parts));
}

}  // namespace softwood
