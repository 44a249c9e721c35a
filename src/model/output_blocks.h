#pragma once

#include <functional>
#include <vector>

#include "base/thread_team.h"
#include "model/model_parts.h"
#include "model/predict.h"

namespace softwood {

/// Some rows of a table after the trees.
struct OutputBlock {
  std::size_t first = 0, num_rows = 0;       ///< rows of the table
  std::vector<std::vector<double>> members;  ///< raw outputs f [all outputs × rows] of every member

  TaskOutputs of_task(const Task& task) const;
};

/// Sends a table through the trees a few rows at a time, so that the memory that it takes does not
/// grow with the table. A row's numbers do not depend on the blocks.
class OutputBlocks {
 public:
  /// All borrowed. Throws Error for a column that is absent or of a wrong kind.
  OutputBlocks(const ModelParts& parts, const Table& table, ThreadTeam& team);

  /// Block after block, in order; of a table without rows one that is empty.
  void visit(const std::function<void(const OutputBlock&)>& visit) const;

 private:
  OutputBlock block(std::size_t first, std::size_t count) const;

  const ModelParts& parts_;
  TableEncoder encoder_;
  std::size_t num_rows_;
  ThreadTeam& team_;
};

}  // namespace softwood
