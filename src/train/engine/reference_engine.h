#pragma once

#include <vector>

#include "train/engine/engine.h"
#include "train/engine/loss_step.h"

namespace softwood {

/// The same training straight from the formulas, in double, one row and one parameter at a time:
/// slow, and the truth that whole runs of other engines are checked against. It shares with them
/// the losses, the schedule and the layout, and nothing else: trees are tree/reference.h, Adam and
/// the coupling are written out here.
class ReferenceEngine : public Engine {
 public:
  explicit ReferenceEngine(const std::vector<EngineGroup>& groups);
  ~ReferenceEngine() override;

  void run(std::span<const GroupBatches> chapter, const std::function<bool()>& go_on) override;
  DescentState export_state(std::size_t group) const override;
  void import_state(std::size_t group, DescentState state) override;
  std::size_t steps_done(std::size_t group) const override;
  std::vector<double> take_training_losses(std::size_t group) override;
  std::span<const float> averaged_values(std::size_t group) const override;
  std::span<const double> validation_scores(std::size_t group) const override;
  void validate(std::size_t group) override;

 private:
  struct Group;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace softwood
