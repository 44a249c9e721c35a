#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "softwood/table.h"

namespace softwood {

struct ModelParts;  // the library's own

/// Each row's predicted distribution of one task's response; of several members, their mixture.
/// The rows have been through the trees, and what all questions need is found: they cost no more
/// than their answers. Immutable and thread-safe; keeps what it needs of the model and the table.
/// Answers have one number per row.
class PredictedDistribution {
 public:
  const std::string& target() const;
  std::size_t num_rows() const;
  /// The response is a whole number.
  bool is_discrete() const;

  std::vector<double> mean() const;
  std::vector<double> variance() const;
  /// inf{q: P(Y ≤ q) ≥ p}; Error unless 0 < p < 1.
  std::vector<double> quantile(double p) const;
  /// Where the middle `level` of the probability lies, equal tails; Error unless 0 < level < 1.
  struct Interval {
    std::vector<double> lower, upper;
  };
  Interval interval(double level) const;
  /// P(Y ≤ q), q one number per row; Error if there are more or fewer.
  std::vector<double> cdf(std::span<const double> q) const;
  /// Draw number `draw`: same seed, row and number, same draw.
  std::vector<double> sample(std::uint64_t seed, std::uint64_t draw) const;
  /// Draws 0 … count − 1 of every row: [rows × count], row-major.
  std::vector<double> samples(std::uint64_t seed, std::size_t count) const;

 private:
  friend class Model;
  PredictedDistribution(std::shared_ptr<const ModelParts> parts, const Table& table,
                        const std::string& target, int threads);

  struct Prepared;
  std::shared_ptr<const Prepared> prepared_;
};

}  // namespace softwood
