#pragma once

#include <span>
#include <vector>

#include "base/thread_team.h"
#include "train/finish/scored_rows.h"
#include "train/prepare/examples.h"

namespace softwood {

/// What a shift of the outputs does to the mean loss over some rows, and how sure that is.
struct LossRise {
  double mean = 0;
  double standard_error = 0;

  /// No more than chance explains.
  bool is_borne() const { return mean <= standard_error; }
};
/// Nothing if there are no rows.
LossRise rise_by(const Task& task, const ScoredRows& rows, std::span<const double> shift);

/// Some rows and what the trees say of them, f [all outputs × rows] with the best constants as
/// offsets.
struct BalancedRows {
  const Examples* examples = nullptr;
  std::vector<double> f;
};

/// The offsets of all outputs, each task's fitted once more to all rows: few rows, averages and
/// early stopping leave the trees' sums a little off. `parts`: the rows that each member learned
/// from, then all validation rows. Only what the mean depends on moves, and the rest (a dispersion)
/// if that is better for the validation rows; nothing if they do not bear it, or if chance explains
/// the gradient of several outputs. Then means are made equal, if they bear it.
std::vector<double> balanced_offsets(const Tasks& tasks, std::span<const BalancedRows> parts,
                                     ThreadTeam& team);

}  // namespace softwood
