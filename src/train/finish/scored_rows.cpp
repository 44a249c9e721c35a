#include "train/finish/scored_rows.h"

#include <algorithm>

namespace softwood {
namespace {

constexpr std::size_t kBlock = 1024;

}  // namespace

std::vector<RowBlock> blocks_of(std::span<const ScoredRows> parts) {
  std::vector<RowBlock> blocks;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::size_t num_rows = parts[part].size();
    for (std::size_t first = 0; first < num_rows; first += kBlock)
      blocks.push_back({part, first, std::min(kBlock, num_rows - first)});
  }
  return blocks;
}

std::vector<double> shifted(const ScoredRows& rows, const RowBlock& block,
                            std::span<const double> shift) {
  const std::size_t num_rows = rows.size();
  std::vector<double> f(shift.size() * block.length);
  for (std::size_t k = 0; k < shift.size(); ++k) {
    const double* from = rows.f.data() + k * num_rows + block.first;
    for (std::size_t i = 0; i < block.length; ++i) f[k * block.length + i] = from[i] + shift[k];
  }
  return f;
}

}  // namespace softwood
