#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "model/distribution/mixture_cdf.h"
#include "model/distribution/quantile_search.h"

namespace softwood {

struct Moments {
  std::vector<double> mean, variance;
};

/// P(Y < y) and P(Y ≤ y) of each row: where y falls in its own distribution.
struct PitIntervals {
  std::vector<double> low, high;
};

/// The distributions of one task's response, one per row: the mixtures of the members', from the
/// loss's `cdf(q)` alone. Borrows what it is given. Results have one number per row, the same bits
/// for any number of threads; a row's numbers do not depend on the other rows. What all questions
/// need is found once and shared by copies.
class Distribution {
 public:
  /// As MixtureCdf. The task's loss must have a cdf. `first_row`: the number of the first of these
  /// rows in the table, which draws follow from.
  Distribution(const Task& task, const LossData& data, const TaskOutputs& outputs,
               std::size_t num_rows, ThreadTeam& team, std::size_t first_row = 0);

  /// The same, with other threads at work: each team answers one question at a time.
  Distribution with_team(ThreadTeam& team) const;

  bool is_discrete() const { return ready_->cdf.is_discrete(); }
  std::size_t num_rows() const { return ready_->cdf.num_rows(); }

  /// P(Y ≤ q), P(Y < q) and P(Y > c).
  std::vector<double> cdf(std::span<const double> q) const;
  std::vector<double> below(std::span<const double> q) const;
  std::vector<double> above(double c) const;

  /// inf{q: P(Y ≤ q) ≥ p}: see find_quantiles().
  std::vector<double> quantile(double p) const;
  std::vector<double> quantile(std::span<const double> p) const;
  /// Draw number `draw` of each row; draws of different tasks (`purpose`) are independent.
  std::vector<double> sample(std::uint64_t seed, std::string_view purpose,
                             std::uint64_t draw) const;
  /// Draws 0 … count − 1 of each row: [rows × count]. Of few rows faster than one after the other.
  std::vector<double> samples(std::uint64_t seed, std::string_view purpose,
                              std::size_t count) const;

  /// What the loss states as `mean` and `variance`, joined over the members; else from the cdf,
  /// between its quantiles 1e-13 and 1 − 1e-13.
  Moments moments() const;

  /// `censored` rows (empty: none) have a true response above y: [P(Y ≤ y), 1]. NaN where y is.
  PitIntervals pit(std::span<const double> y, const std::vector<bool>& censored) const;
  /// ∫ (F(z) − 1{z ≥ y})² dz, in the response's unit; of censored rows only up to y, where the
  /// truth is known. NaN where y is.
  std::vector<double> crps(std::span<const double> y, const std::vector<bool>& censored) const;

 private:
  using Rows = std::span<const std::uint32_t>;
  /// What questions start from.
  struct Ready {
    const Task& task;
    LossData data;
    TaskOutputs outputs;
    std::size_t first_row;
    MixtureCdf cdf;
    std::vector<std::uint32_t> rows;  // 0, 1, …
    std::vector<SearchStart> search_starts;
  };
  void for_blocks(const std::function<void(Rows)>& work) const;
  Moments moments_from_cdf() const;
  Moments stated_moments() const;

  std::shared_ptr<const Ready> ready_;
  ThreadTeam* team_;
};

}  // namespace softwood
