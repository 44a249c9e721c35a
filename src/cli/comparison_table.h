#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "softwood/model.h"

namespace softwood::cli {

/// What came of one loss.
struct Contender {
  std::string loss;                       ///< as the user wrote it
  std::string chosen = {};                ///< by `count`; else empty
  std::string failure = {};               ///< why there is no model; the rest is then empty
  Evaluation evaluation = {};             ///< on the rows held out
  std::optional<double> likelihood = {};  ///< mean −log of it, where the loss is a complete one
  bool is_discrete = false;
  std::size_t num_trees = 0;
  double seconds = 0;
};

/// By likelihood; then those without; then the failed. Equals keep their order.
void sort_contenders(std::vector<Contender>& contenders);

/// One aligned line per contender, the best of each column marked, and what the columns mean.
std::string comparison_text(const std::vector<Contender>& contenders);

nlohmann::json comparison_json(const std::vector<Contender>& contenders);

}  // namespace softwood::cli
