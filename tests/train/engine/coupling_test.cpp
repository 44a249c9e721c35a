#include "train/engine/coupling.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace softwood {
namespace {

using testing::Each;
using testing::FloatNear;

/// Three tasks' weights, moments and averages: two blocks of three vectors of nodes.
struct CoupledTasks {
  static constexpr std::size_t kTasks = 3, kBlocks = 2, kStride = 3;
  static constexpr std::size_t kSize = kBlocks * kStride * kLanes;
  std::vector<std::vector<float>> parameters, moments, averages;
  std::vector<float> strengths;

  explicit CoupledTasks(float strength) : strengths(kBlocks * kLanes, strength) {
    const RandomStream random(1, "coupling");
    std::uint64_t counter = 0;
    const auto draw = [&](double low, double high) {
      return static_cast<float>(low + (high - low) * random.uniform(counter++));
    };
    for (std::size_t task = 0; task < kTasks; ++task) {
      for (auto* buffer : {&parameters, &moments, &averages}) buffer->emplace_back(kSize);
      for (float& value : parameters.back()) value = draw(-1, 1);
      for (float& value : moments.back()) value = draw(0.01, 1);
      for (float& value : averages.back()) value = draw(-1, 1);
    }
  }
  void step(const AdamStep& step) {
    const auto side_by_side = [](const auto& tasks) {
      std::vector<float> flat;
      for (const auto& each : tasks) flat.insert(flat.end(), each.begin(), each.end());
      return flat;
    };
    std::vector<float> flat_parameters = side_by_side(parameters);
    std::vector<float> flat_averages = side_by_side(averages);
    const std::vector<float> flat_moments = side_by_side(moments);
    CoupledPieces pieces{.offsets = {}, .size = kSize};
    for (std::size_t task = 0; task < kTasks; ++task) pieces.offsets.push_back(task * kSize);
    couple(step, strengths, kStride, pieces,
           {flat_parameters.data(), flat_averages.data(), flat_moments.data()});
    for (std::size_t task = 0; task < kTasks; ++task) {
      std::copy_n(flat_parameters.begin() + task * kSize, kSize, parameters[task].begin());
      std::copy_n(flat_averages.begin() + task * kSize, kSize, averages[task].begin());
    }
  }
  double mean(std::size_t at) const {
    double sum = 0;
    for (const auto& each : parameters) sum += each[at];
    return sum / kTasks;
  }
};

TEST(Coupling, follows_the_formula_lane_by_lane) {
  CoupledTasks tasks(0);
  for (std::size_t lane = 0; lane < tasks.strengths.size(); ++lane) {
    tasks.strengths[lane] = 0.1F * static_cast<float>(lane % 7);
  }
  const CoupledTasks before = tasks;
  const AdamStep step{.rate = 0.02F, .v_correction = 1.5F, .average_weight = 0.25F};
  tasks.step(step);
  for (std::size_t task = 0; task < CoupledTasks::kTasks; ++task) {
    for (std::size_t at = 0; at < CoupledTasks::kSize; ++at) {
      const std::size_t lane = at / (CoupledTasks::kStride * kLanes) * kLanes + at % kLanes;
      const double size = std::sqrt(before.moments[task][at] * 1.5) + 1e-8;
      const double factor =
          1 / (1 + 2 * before.strengths[lane] * CoupledTasks::kTasks * 0.02 / size);
      const double mean = before.mean(at);
      const double updated = mean + (before.parameters[task][at] - mean) * factor;
      EXPECT_NEAR(tasks.parameters[task][at], updated, 1e-6);
      const double average = before.averages[task][at];
      EXPECT_NEAR(tasks.averages[task][at], average + 0.25 * (updated - average), 1e-6);
    }
  }
}

TEST(Coupling, strength_zero_moves_nothing_much_and_an_infinite_one_makes_all_equal) {
  CoupledTasks free(0), tied(1e30F);
  const CoupledTasks before = free;
  const AdamStep step{.rate = 0.02F};
  free.step(step);
  tied.step(step);
  for (std::size_t at = 0; at < CoupledTasks::kSize; ++at) {
    for (std::size_t task = 0; task < CoupledTasks::kTasks; ++task) {
      EXPECT_NEAR(free.parameters[task][at], before.parameters[task][at], 1e-6);
      EXPECT_NEAR(tied.parameters[task][at], before.mean(at), 1e-6);
    }
  }
  EXPECT_EQ(free.averages, before.averages);  // not this time
}

TEST(Coupling, with_the_gradient_of_the_loss_it_rests_where_the_penalised_loss_is_least) {
  // Σ_t (w_t − t)²/2 + λ Σ_{s<t} (w_s − w_t)² is least at w_t = 1 + (t − 1)/(1 + 6 λ), t = 0, 1, 2.
  CoupledTasks tasks(0.5F);
  const AdamStep step{.rate = 0.02F};
  for (auto& each : tasks.moments) each.assign(CoupledTasks::kSize, 0.49F);
  for (int time = 0; time < 3000; ++time) {
    for (std::size_t task = 0; task < CoupledTasks::kTasks; ++task) {
      for (float& w : tasks.parameters[task]) w -= 0.02F / 0.7F * (w - static_cast<float>(task));
    }
    tasks.step(step);
  }
  for (std::size_t task = 0; task < CoupledTasks::kTasks; ++task) {
    const float expected = 1 + (static_cast<float>(task) - 1) / 4;
    EXPECT_THAT(tasks.parameters[task], Each(FloatNear(expected, 2e-2F)));
  }
}

TEST(Coupling, strength_falls_with_depth_and_padding_has_none) {
  EnsembleShape shape;
  shape.depth = 3;
  shape.columns = {{.kind = ColumnBasis::Kind::linear, .mean = {0}}};
  shape.bundles = {{.columns = {0}, .num_trees = 3, .first_output = 0, .num_outputs = 1}};
  const std::vector<float> strengths = coupling_strengths(Ensemble(shape), 0, 0.8, 0.5);
  ASSERT_EQ(strengths.size(), 2 * kLanes);
  for (std::size_t node = 0; node < 21; ++node) {
    const std::size_t place = node % 7;
    EXPECT_FLOAT_EQ(strengths[node], place == 0 ? 0.8F : place < 3 ? 0.4F : 0.2F);
  }
  for (std::size_t lane = 21; lane < 2 * kLanes; ++lane) EXPECT_EQ(strengths[lane], 0);
}

}  // namespace
}  // namespace softwood
