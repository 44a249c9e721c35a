#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "task/responses.h"

namespace softwood {

/// Some rows of one task and what the trees say of them.
struct ScoredRows {
  const Responses& responses;
  std::span<const double> weights;  ///< empty = all 1
  std::span<const double> f;        ///< [the task's outputs × rows]

  std::size_t size() const { return responses.y.size(); }
  /// 0 without a response.
  double weight(std::size_t row) const {
    if (std::isnan(responses.y[row])) return 0;
    return weights.empty() ? 1 : weights[row];
  }
};

/// Some of the rows of one of several parts: what is worked on at once.
struct RowBlock {
  std::size_t part, first, length;
};

/// All rows of all parts, in order.
std::vector<RowBlock> blocks_of(std::span<const ScoredRows> parts);

/// f of a block [outputs × length] with something added to each output.
std::vector<double> shifted(const ScoredRows& rows, const RowBlock& block,
                            std::span<const double> shift);

}  // namespace softwood
