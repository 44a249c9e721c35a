#include "model/file/loss_compiler.h"

namespace softwood {

LossProgram LossCompiler::compile(const std::string& key, const LossSource& source,
                                  std::size_t num_classes) {
  const auto known = known_.find({key, num_classes});
  if (known != known_.end()) return known->second;
  budget_.expect_room();
  const loss::StepMeter meter;
  LossProgram program = LossProgram::compile(source, num_classes);
  budget_.take(program, meter);
  return known_.emplace(std::pair(key, num_classes), std::move(program)).first->second;
}

}  // namespace softwood
