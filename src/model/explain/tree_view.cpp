#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "model/explain/column_curve.h"
#include "model/explain/row_sample.h"
#include "model/explain/tree_passage.h"
#include "model/model_access.h"
#include "softwood/error.h"
#include "softwood/explain.h"
#include "tree/activation.h"
#include "tree/tree_place.h"

namespace softwood {
namespace {

constexpr std::size_t kMostRows = 4096;

/// The class that an output speaks for: one output per class, or one for the second of two.
std::string label_of(const Task& task, std::size_t output) {
  if (task.num_outputs() == task.labels.size()) return task.labels[output];
  return task.num_outputs() == 1 && task.labels.size() == 2 ? task.labels[1] : "";
}

/// Looks at one tree.
class TreeViewer {
 public:
  TreeViewer(const ModelParts& parts, std::size_t tree, std::size_t member)
      : parts_(parts), member_(find_member(parts, member)), tree_(tree), place_(find_tree()) {
    const EnsembleShape& shape = member_.ensemble.shape();
    view_.member = member;
    view_.index = tree;
    view_.depth = shape.depth;
    view_.activation = activation_name(shape.activation);
    if (shape.activation == Activation::smooth_step) view_.gamma = static_cast<double>(shape.gamma);
  }

  TreeView run(const Table* table) {
    add_outputs();
    for (std::size_t i = 0; i < shape().num_splits_per_tree(); ++i) add_split(i);
    for (std::size_t i = 0; i < shape().num_leaves_per_tree(); ++i) add_leaf(i);
    if (table != nullptr && table->num_rows() > 0) add_passage(*table);
    for (TreeView::Split& split : view_.splits) {
      std::ranges::stable_sort(split.columns, std::greater(), &ColumnCurve::strength);
    }
    return std::move(view_);
  }

 private:
  const EnsembleShape& shape() const { return member_.ensemble.shape(); }

  TreePlace find_tree() const {
    const std::size_t count = shape().num_trees();
    if (tree_ < count) return TreePlace(member_.ensemble, tree_);
    throw Error(
        fmt::format("there is no tree {}: the model has {}, counted from 0.", tree_, count));
  }

  void add_outputs() {
    const Bundle& bundle = place_.bundle();
    for (std::size_t k = 0; k < bundle.num_outputs; ++k) add_output(bundle.first_output + k);
  }

  void add_output(std::size_t output) {
    for (const Task& task : parts_.tasks) {
      if (output < task.first_output || output >= task.first_output + task.num_outputs()) continue;
      const std::size_t k = output - task.first_output;
      view_.outputs.push_back({.task = task.target,
                               .name = task.program.outputs()[k].name,
                               .label = label_of(task, k),
                               .offset = member_.offset[output]});
      units_.push_back(task.units.unit[k]);
    }
  }

  void add_split(std::size_t index) {
    TreeView::Split& split = view_.splits.emplace_back();
    split.bias = member_.values[place_.bias(index)];
    const std::vector<std::uint32_t>& columns = place_.bundle().columns;
    for (std::size_t place = 0; place < columns.size(); ++place) {
      const ColumnBasis& basis = shape().columns[columns[place]];
      std::vector<double> knots;
      for (std::size_t knot = 0; knot < basis.num_parameters(); ++knot) {
        knots.push_back(member_.values[place_.first_knot(index, place) + knot * kLanes]);
      }
      const EncodedColumn& encoded = parts_.encoder.columns()[shape().source_of(columns[place])];
      split.columns.push_back(column_curve(encoded, basis, knots));
    }
  }

  void add_leaf(std::size_t index) {
    TreeView::Leaf& leaf = view_.leaves.emplace_back();
    for (std::size_t k = 0; k < units_.size(); ++k) {
      leaf.values.push_back(units_[k] *
                            static_cast<double>(member_.values[place_.leaf(index) + k]));
    }
  }

  void add_passage(const Table& table) {
    const Rows rows = parts_.encoder.encode(table, 0);
    const TreePassage passage = pass_through(member_, tree_, rows.view(),
                                             sample_rows(rows.num_rows, kMostRows, 0, "passage"));
    for (std::size_t i = 0; i < view_.splits.size(); ++i) {
      TreeView::Split& split = view_.splits[i];
      split.share = passage.shares[i];
      for (std::size_t place = 0; place < split.columns.size(); ++place)
        split.columns[place].strength = passage.strengths[i][place];
    }
    for (std::size_t i = 0; i < view_.leaves.size(); ++i)
      view_.leaves[i].share = passage.shares[view_.splits.size() + i];
  }

  const ModelParts& parts_;
  const Member& member_;
  std::size_t tree_;
  TreePlace place_;
  std::vector<double> units_;  // of the outputs it feeds
  TreeView view_;
};

}  // namespace

std::size_t num_members(const Model& model) {
  return ModelAccess::parts(model).members.size();
}

std::size_t num_trees(const Model& model, std::size_t member) {
  return find_member(ModelAccess::parts(model), member).ensemble.shape().num_trees();
}

TreeView tree_view(const Model& model, std::size_t tree, std::size_t member) {
  return TreeViewer(ModelAccess::parts(model), tree, member).run(nullptr);
}

TreeView tree_view(const Model& model, const Table& table, std::size_t tree, std::size_t member) {
  return TreeViewer(ModelAccess::parts(model), tree, member).run(&table);
}

}  // namespace softwood
