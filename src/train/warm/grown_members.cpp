#include "train/warm/grown_members.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include <fmt/format.h>

#include "model/prediction_bases.h"
#include "softwood/error.h"

namespace softwood {
namespace {

/// Knot (or feature of a level) j of a column that has grown is this one of the old column.
std::size_t old_level_knot(const EncodedColumn& old, const EncodedColumn& grown, std::size_t j) {
  const std::size_t other = old.levels.size(), missing = grown.levels.size() + 1;
  return j == missing ? other + 1 : std::min(j, other);
}

class Growth {
 public:
  Growth(const ModelParts& model, const Encoder& old_encoder, const Tasks& old_tasks)
      : tasks_(model.tasks),
        old_tasks_(old_tasks),
        columns_(model.encoder.columns()),
        old_columns_(old_encoder.columns()),
        bases_(prediction_bases(model.encoder)),
        features_(std::make_shared<LinearFeatures>(columns_)),
        scales_(model.encoder.scales()),
        old_scales_(old_encoder.scales()) {
    for (const ColumnScale& old : old_scales_) {
      const auto is_same = [&](const ColumnScale& scale) {
        return scale.column == old.column && scale.is_coarse == old.is_coarse;
      };
      scale_of_old_.push_back(
          static_cast<std::uint32_t>(std::ranges::find_if(scales_, is_same) - scales_.begin()));
    }
    for (const Task& task : old_tasks) {
      for (std::size_t output = 0; output < task.num_outputs(); ++output)
        output_of_old_.push_back(tasks_[task.index_in_model].first_output + output);
    }
  }

  Member grown(const Member& old) const {
    Ensemble ensemble(grown_shape(old.ensemble.shape()));
    AlignedVector<float> values = ensemble.make_buffer();
    for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle)
      fill(ensemble, bundle, old, values);
    Member member{.ensemble = std::move(ensemble),
                  .values = std::move(values),
                  .offset = grown_offset(old.offset),
                  .best_epoch = old.best_epoch,
                  .record = old.record};
    if (old.linear) member.linear = grown(*old.linear);
    return member;
  }

 private:
  std::size_t end_of_task(std::size_t old_end) const {
    for (const Task& task : old_tasks_) {
      if (task.first_output + task.num_outputs() != old_end) continue;
      const Task& today = tasks_[task.index_in_model];
      return today.first_output + today.num_outputs();
    }
    return output_of_old_[old_end - 1] + 1;
  }

  EnsembleShape grown_shape(EnsembleShape shape) const {
    shape.columns = bases_;
    shape.num_outputs = tasks_.num_outputs();
    for (Bundle& bundle : shape.bundles) {
      for (std::uint32_t& column : bundle.columns) column = scale_of_old_[column];
      const std::size_t end = end_of_task(bundle.first_output + bundle.num_outputs);
      bundle.first_output = output_of_old_[bundle.first_output];
      bundle.num_outputs = end - bundle.first_output;
    }
    return shape;
  }

  void fill(const Ensemble& ensemble, std::size_t index, const Member& old,
            std::span<float> values) const {
    const Bundle& bundle = ensemble.shape().bundles[index];
    const BundleLayout &to = ensemble.layout(index), &from = old.ensemble.layout(index);
    for (std::size_t block = 0; block < to.num_blocks; ++block) {
      for (std::size_t place = 0; place < bundle.columns.size(); ++place) {
        copy_column(
            bundle.columns[place],
            &values[to.weights + block * to.block_stride + to.column_offset[place]],
            &old.values[from.weights + block * from.block_stride + from.column_offset[place]]);
      }
    }
    std::copy_n(&old.values[from.biases], from.biases_size, &values[to.biases]);
    const Bundle& before = old.ensemble.shape().bundles[index];
    const std::size_t num_leaves = bundle.num_trees * ensemble.shape().num_leaves_per_tree();
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
      for (std::size_t k = 0; k < before.num_outputs; ++k) {
        const std::size_t output = output_of_old_[before.first_output + k] - bundle.first_output;
        values[to.leaves + leaf * bundle.num_outputs + output] =
            old.values[from.leaves + leaf * before.num_outputs + k];
      }
    }
  }

  /// Of one block of nodes.
  void copy_column(std::uint32_t scale, float* to, const float* from) const {
    const std::uint32_t column = scales_[scale].column;
    const bool has_levels = columns_[column].kind == EncodedColumn::Kind::levels;
    for (std::size_t j = 0; j < bases_[scale].num_parameters(); ++j) {
      const std::size_t knot =
          has_levels ? old_level_knot(old_columns_[column], columns_[column], j) : j;
      std::copy_n(from + knot * kLanes, kLanes, to + j * kLanes);
    }
  }

  LinearPart grown(const LinearPart& old) const {
    const std::size_t num_outputs = tasks_.num_outputs();
    std::vector<float> weights(features_->size() * num_outputs, 0.0F), biases(num_outputs, 0.0F);
    const auto put = [&](std::size_t to, std::size_t from) {
      for (std::size_t k = 0; k < old.num_outputs(); ++k)
        weights[to * num_outputs + output_of_old_[k]] = old.weights()[from * old.num_outputs() + k];
    };
    for (std::size_t column = 0; column < old_columns_.size(); ++column) {
      const ItemRange features = features_->of_column(column);
      const ItemRange before = old.features().of_column(column);
      const bool has_levels = columns_[column].kind == EncodedColumn::Kind::levels;
      for (std::size_t j = 0; j < features.end - features.begin; ++j) {
        const std::size_t knot =
            has_levels ? old_level_knot(old_columns_[column], columns_[column], j) : j;
        put(features.begin + j, before.begin + knot);
      }
    }
    for (std::size_t k = 0; k < old.num_outputs(); ++k) biases[output_of_old_[k]] = old.biases()[k];
    return {features_, std::move(weights), std::move(biases)};
  }

  std::vector<double> grown_offset(const std::vector<double>& old) const {
    std::vector<double> offset;
    for (const Task& task : tasks_)
      offset.insert(offset.end(), task.units.offset.begin(), task.units.offset.end());
    for (std::size_t k = 0; k < old.size(); ++k) offset[output_of_old_[k]] = old[k];
    return offset;
  }

  const Tasks& tasks_;
  const Tasks& old_tasks_;
  const std::vector<EncodedColumn>& columns_;
  const std::vector<EncodedColumn>& old_columns_;
  const std::vector<ColumnBasis> bases_;
  const std::shared_ptr<const LinearFeatures> features_;
  const std::vector<ColumnScale> scales_, old_scales_;
  std::vector<std::uint32_t> scale_of_old_;
  std::vector<std::size_t> output_of_old_;
};

/// A bundle that feeds a part of a task's outputs leaves none that could feed the new ones.
void check_bundles(const ModelParts& model, const Tasks& old_tasks) {
  for (const Task& task : old_tasks) {
    if (model.tasks[task.index_in_model].num_outputs() == task.num_outputs()) continue;
    for (const Member& member : model.members) {
      for (const Bundle& bundle : member.ensemble.shape().bundles) {
        const std::size_t end = bundle.first_output + bundle.num_outputs;
        const std::size_t end_of_task = task.first_output + task.num_outputs();
        const bool overlaps = bundle.first_output < end_of_task && end > task.first_output;
        if (!overlaps || (bundle.first_output <= task.first_output && end >= end_of_task)) continue;
        throw Error(fmt::format(
            "'{}' has new classes, but in the model to start from each class has trees of its own "
            "(--components separate): train a new model.",
            task.target));
      }
    }
  }
}

}  // namespace

void grow_members(ModelParts& model, const Encoder& old_encoder, const Tasks& old_tasks) {
  check_bundles(model, old_tasks);
  const Growth growth(model, old_encoder, old_tasks);
  for (Member& member : model.members) member = growth.grown(member);
}

}  // namespace softwood
