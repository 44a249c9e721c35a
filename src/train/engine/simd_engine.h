#pragma once

#include <memory>
#include <vector>

#include "train/engine/engine.h"
#include "train/engine/simd_group.h"

namespace softwood {

/// Threads share out the groups, and the bundles inside each.
class SimdEngine : public Engine {
 public:
  SimdEngine(const std::vector<EngineGroup>& groups, ThreadTeam& team, int threads);

  void run(std::span<const GroupBatches> chapter, const std::function<bool()>& go_on) override;
  DescentState export_state(std::size_t group) const override { return groups_[group]->state(); }
  void import_state(std::size_t group, DescentState state) override {
    groups_[group]->set_state(std::move(state));
  }
  std::size_t steps_done(std::size_t group) const override {
    return groups_[group]->state().steps_done;
  }
  std::vector<double> take_training_losses(std::size_t group) override {
    return groups_[group]->take_training_losses();
  }
  std::span<const float> averaged_values(std::size_t group) const override {
    return groups_[group]->averaged_values();
  }
  std::span<const double> validation_scores(std::size_t group) const override {
    return groups_[group]->validation_scores();
  }
  void validate(std::size_t group) override { groups_[group]->validate(); }

 private:
  ThreadTeam& team_;
  Reducer reducer_;  // one machine
  std::vector<std::unique_ptr<SimdGroup>> groups_;
};

}  // namespace softwood
