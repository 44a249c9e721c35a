#include "data/csv/deferred_numbers.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/thread_team.h"
#include "softwood/error.h"

namespace softwood {

DeferredNumbers::DeferredNumbers(std::shared_ptr<const FileBytes> file, CsvSource source,
                                 std::vector<CsvChunk> chunks,
                                 std::vector<std::size_t> rows_in_chunks, const NumberStyle& style,
                                 int threads)
    : file_(std::move(file)),
      source_(std::move(source)),
      chunks_(std::move(chunks)),
      first_rows_(std::move(rows_in_chunks)),
      style_(style),
      threads_(threads) {
  first_rows_.push_back(0);
  std::exclusive_scan(first_rows_.begin(), first_rows_.end(), first_rows_.begin(), std::size_t{0});
}

Cells<double> DeferredNumbers::defer(std::size_t place, CsvColumnState state,
                                     std::size_t num_missing) {
  return Cells<double>::defer(
      std::make_shared<DeferredColumn>(shared_from_this(), place, state, num_missing));
}

void DeferredNumbers::load(std::span<DeferredColumn* const> columns) {
  const std::lock_guard lock(loading_);
  std::vector<DeferredColumn*> absent;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(absent),
               [](const DeferredColumn* column) { return column->values_ == nullptr; });
  if (absent.empty()) return;
  std::vector<std::unique_ptr<double[]>> buffers;
  std::vector<double*> values;
  for (std::size_t index = 0; index < absent.size(); ++index) {
    buffers.push_back(std::make_unique_for_overwrite<double[]>(num_rows()));
    values.push_back(buffers.back().get());
  }
  ThreadTeam team(threads_);
  team.for_each(chunks_.size(), [&](std::size_t chunk) { read_chunk(chunk, absent, values); });
  if (!file_->mapped()->is_unchanged()) fail_changed();
  for (std::size_t index = 0; index < absent.size(); ++index) {
    absent[index]->values_ = std::move(buffers[index]);
    absent[index]->data_.store(values[index], std::memory_order_release);
  }
}

void DeferredNumbers::read_chunk(std::size_t chunk, std::span<DeferredColumn* const> columns,
                                 std::span<double* const> values) const {
  // Before each chunk, for a file that has become shorter has no such place any more.
  if (!file_->mapped()->is_unchanged()) fail_changed();
  CsvColumnStates states(source_.names.size());
  for (auto& state : states) state = CsvColumnState::text;  // not to be read
  for (const DeferredColumn* column : columns) states[column->place_] = column->state_;
  const CsvNumbers numbers = read_chunk_numbers(source_, chunks_[chunk], states, style_);
  if (numbers.num_rows != first_rows_[chunk + 1] - first_rows_[chunk]) fail_changed();
  for (std::size_t index = 0; index < columns.size(); ++index) {
    if (states[columns[index]->place_] != columns[index]->state_) fail_changed();
    const double* first = numbers.column(columns[index]->place_);
    std::copy_n(first, numbers.num_rows, values[index] + first_rows_[chunk]);
  }
}

void DeferredNumbers::fail_changed() const {
  throw Error(fmt::format(
      "'{}' has changed while it was being read. Start again, and leave it as it is meanwhile.",
      source_.origin));
}

const double* DeferredColumn::data() {
  if (const double* data = data_.load(std::memory_order_acquire)) return data;
  DeferredColumn* const self = this;
  file_->load({&self, 1});
  return data_.load(std::memory_order_acquire);
}

void DeferredColumn::release() {
  const std::lock_guard lock(file_->loading_);
  data_.store(nullptr, std::memory_order_release);
  values_.reset();
}

}  // namespace softwood
