#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "task/responses.h"
#include "train/prepare/examples.h"

namespace softwood {

/// The examples that a task's linear function learns from.
struct LearnedRows {
  std::vector<std::uint32_t> places;  ///< among the examples, ascending
  Eigen::VectorXd shares;             ///< weight / weight of all; they add up to 1

  std::size_t size() const { return places.size(); }
};

/// Those with a response and a weight above 0; if they are more than `most`, that many of them,
/// evenly spread.
LearnedRows learned_rows(const Examples& examples, const Responses& responses, std::size_t most);

/// A task's response and what else its loss reads, of some of the examples.
Responses pick_responses(const Responses& responses, const std::vector<std::uint32_t>& places);

}  // namespace softwood
