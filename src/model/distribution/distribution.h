#pragma once

#include <cstdint>
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
/// for any number of threads; a row's numbers do not depend on the other rows.
class Distribution {
 public:
  /// As MixtureCdf. The task's loss must have a cdf.
  Distribution(const Task& task, const LossData& data, const MemberOutputs& outputs,
               std::size_t num_rows, ThreadTeam& team);

  bool is_discrete() const { return cdf_.is_discrete(); }
  std::size_t num_rows() const { return cdf_.num_rows(); }

  /// P(Y ≤ q), P(Y < q) and P(Y > c).
  std::vector<double> cdf(std::span<const double> q) const;
  std::vector<double> below(std::span<const double> q) const;
  std::vector<double> above(double c) const;

  /// inf{q: P(Y ≤ q) ≥ p}: see find_quantiles().
  std::vector<double> quantile(double p) const;
  std::vector<double> quantile(std::span<const double> p) const;
  /// Draw number `draw` of each row; draws of different tasks (`purpose`) are independent.
  /// Rows are counted from `first_row`.
  std::vector<double> sample(std::uint64_t seed, std::string_view purpose, std::uint64_t draw,
                             std::uint64_t first_row = 0) const;

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
  void for_blocks(const std::function<void(Rows)>& work) const;
  Moments moments_from_cdf() const;
  Moments stated_moments() const;

  const Task& task_;
  LossData data_;
  const MemberOutputs& outputs_;
  ThreadTeam& team_;
  MixtureCdf cdf_;
  std::vector<std::uint32_t> rows_;  // 0, 1, …
  std::vector<SearchStart> whereabouts_;
};

}  // namespace softwood
