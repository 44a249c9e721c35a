#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "softwood/model.h"

namespace softwood {

/// What a group of a member's addends is.
enum class GroupKind {
  wide,    ///< trees that see all columns
  narrow,  ///< trees that see a few columns each, on fine scales
  linear,  ///< the linear part
};
/// "wide", "narrow", "linear".
const char* group_kind_name(GroupKind kind);

/// A group of trees that were trained on one loss together, or the linear part, and what became of
/// it.
struct GroupRecord {
  /// Its part in one task.
  struct Share {
    bool takes_part = false;  ///< it learned the task
    double weight = 0;        ///< multiplied into its leaves or weights
    int best_epoch = 0;       ///< that the task keeps; 0: the group has no say
    bool operator==(const Share&) const = default;
  };
  GroupKind kind = GroupKind::wide;
  bool is_private = false;    ///< it learned one task of several
  bool learns_rest = false;   ///< it learned what the linear part leaves
  bool was_added = false;     ///< later: it learned what the groups before it left
  std::size_t num_trees = 0;  ///< as trained; the model has none of a group without weight
  double learning_rate = 0;
  std::size_t batch_size = 0;
  std::vector<Share> shares;  ///< per task of the model

  /// The epochs that tasks keep, each once, ascending.
  std::vector<int> best_epochs() const;
  bool operator==(const GroupRecord&) const = default;
};

/// How a member was trained. Empty (no groups) of a model whose file is older than this record.
struct MemberRecord {
  std::uint64_t seed = 0;
  std::size_t num_training_rows = 0;      ///< that it learned from
  std::size_t num_validation_rows = 0;    ///< that its epochs were chosen on
  bool was_stopped = false;               ///< by a hook, before its time
  std::vector<double> validation_losses;  ///< per task; empty: no such rows
  std::vector<GroupRecord> groups;
  std::vector<std::uint32_t> group_of_bundle;  ///< per bundle of the ensemble
  /// Of trees of a smooth step, at every level of a tree: how many splits a row reaches, the mean
  /// over trees and validation rows (training rows if there are none). Empty: nobody has looked.
  std::vector<double> nodes_visited;
  /// Seconds are NaN in a model that comes from a file: a file knows no clock.
  std::vector<EpochResult> history;
};

}  // namespace softwood
