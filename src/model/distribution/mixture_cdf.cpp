#include "model/distribution/mixture_cdf.h"

#include <algorithm>
#include <cassert>

namespace softwood {
namespace {

/// Points at once: they bound the memory of a call.
constexpr std::size_t kBlock = 256;

void gather(std::span<const double> from, std::span<const std::uint32_t> rows, double* to) {
  for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
}

}  // namespace

MixtureCdf::MixtureCdf(const Task& task, LossData data, TaskOutputs outputs, std::size_t num_rows)
    : task_(task), data_(std::move(data)), outputs_(std::move(outputs)), num_rows_(num_rows) {
  assert(task.program.has_cdf());
}

void MixtureCdf::at(std::span<const std::uint32_t> rows, std::span<const double> q,
                    std::span<double> out) const {
  assert(rows.size() == q.size() && rows.size() == out.size());
  for (std::size_t first = 0; first < rows.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, rows.size() - first);
    at_block(rows.subspan(first, count), q.subspan(first, count), out.subspan(first, count));
  }
}

void MixtureCdf::at_block(std::span<const std::uint32_t> rows, std::span<const double> q,
                          std::span<double> out) const {
  const std::size_t count = rows.size();
  const std::size_t num_outputs = task_.num_outputs();
  // Kept between calls: a search makes many small ones.
  thread_local std::vector<double> f, columns, member_cdf;
  f.resize(num_outputs * kBlock);
  columns.resize(data_.columns.size() * kBlock);
  member_cdf.resize(kBlock);
  LossData data{.y = {}, .columns = std::vector<std::span<const double>>(data_.columns.size())};
  for (const std::size_t column : task_.program.distribution_columns()) {
    double* const picked = columns.data() + column * kBlock;
    gather(data_.columns[column], rows, picked);
    data.columns[column] = {picked, count};
  }
  std::fill(out.begin(), out.end(), 0.0);
  for (const std::span<const double> member : outputs_) {
    for (std::size_t k = 0; k < num_outputs; ++k) {
      gather(member.subspan(k * num_rows_, num_rows_), rows, f.data() + k * kBlock);
    }
    task_.program.cdf(data, {f.data(), num_outputs, count, kBlock}, q, {member_cdf.data(), count});
    for (std::size_t i = 0; i < count; ++i) out[i] += member_cdf[i];
  }
  const auto num_members = static_cast<double>(outputs_.size());
  // In this order NaN stays NaN.
  for (double& value : out) value = std::min(std::max(value / num_members, 0.0), 1.0);
}

}  // namespace softwood
