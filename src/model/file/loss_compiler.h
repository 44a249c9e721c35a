#pragma once

#include <map>
#include <string>
#include <utility>

#include "task/loss_budget.h"

namespace softwood {

/// Compiles the losses of a model file within a LossBudget; what several tasks share, once.
class LossCompiler {
 public:
  /// `key`: the same of the same source. Throws Error if the text is no loss, or if those before it
  /// took too many steps already.
  LossProgram compile(const std::string& key, const LossSource& source, std::size_t num_classes);

 private:
  std::map<std::pair<std::string, std::size_t>, LossProgram> known_;
  LossBudget budget_;
};

}  // namespace softwood
