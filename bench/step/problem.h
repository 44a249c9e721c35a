#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "softwood/options.h"
#include "softwood/table.h"
#include "train/prepare/preparation.h"
#include "train/start/prepared_group.h"

namespace softwood {

/// A made-up table of noise and how to learn it: enough to run steps on.
struct ProblemSize {
  std::size_t num_rows = 4096;
  std::size_t num_numeric = 0;
  std::size_t num_categories = 0;  ///< columns of 2 to 40 levels
  std::size_t num_tasks = 1;
  std::size_t num_classes = 0;  ///< of softmax's responses
  std::string loss = "logistic";
  TrainOptions options{};  ///< but the tasks
};

/// Table, encoder and groups of trees, exactly as a training makes them; every row learns.
class Problem {
 public:
  explicit Problem(const ProblemSize& size);
  Problem(const Problem&) = delete;
  Problem& operator=(const Problem&) = delete;

  const std::vector<PreparedGroup>& groups() const { return groups_; }
  const TrainingAndValidation& sides() const { return sides_; }
  /// The rows of one epoch, shuffled.
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  Preparation preparation_;
  TrainingAndValidation sides_;
  std::vector<PreparedGroup> groups_;
  std::vector<std::uint32_t> order_;
};

}  // namespace softwood
