#include "data/csv/deferred_numbers.h"

#include <algorithm>
#include <numeric>

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
  team.for_each(chunks_.size(), [&](std::size_t chunk) {
    const CsvNumbers numbers = read_chunk(chunk, absent);
    for (std::size_t index = 0; index < absent.size(); ++index) {
      const double* first = numbers.column(absent[index]->place_);
      std::copy_n(first, numbers.num_rows, values[index] + first_rows_[chunk]);
    }
  });
  file_->refuse_changed();
  for (std::size_t index = 0; index < absent.size(); ++index) {
    absent[index]->values_ = std::move(buffers[index]);
    absent[index]->data_.store(values[index], std::memory_order_release);
  }
}

std::vector<std::vector<double>> DeferredNumbers::read_rows(
    std::span<DeferredColumn* const> columns, std::size_t first, std::size_t count) const {
  std::vector<std::vector<double>> values(columns.size(), std::vector<double>(count));
  if (count == 0) return values;
  const std::size_t end = first + count;
  const auto chunk_of = [&](std::size_t row) {
    const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
    return static_cast<std::size_t>(after - first_rows_.begin()) - 1;
  };
  const std::size_t first_chunk = chunk_of(first), num_chunks = chunk_of(end - 1) + 1 - first_chunk;
  ThreadTeam team(threads_);
  team.for_each(num_chunks, [&](std::size_t index) {
    const std::size_t chunk = first_chunk + index;
    const CsvNumbers numbers = read_chunk(chunk, columns);
    const std::size_t from = std::max(first, first_rows_[chunk]);
    const std::size_t to = std::min(end, first_rows_[chunk + 1]);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const double* cells = numbers.column(columns[column]->place_) + (from - first_rows_[chunk]);
      std::copy_n(cells, to - from, values[column].data() + (from - first));
    }
  });
  file_->refuse_changed();
  return values;
}

CsvNumbers DeferredNumbers::read_chunk(std::size_t chunk,
                                       std::span<DeferredColumn* const> columns) const {
  file_->refuse_changed();
  CsvColumnStates states(source_.names.size());
  for (auto& state : states) state = CsvColumnState::text;  // not to be read
  for (const DeferredColumn* column : columns) states[column->place_] = column->state_;
  CsvNumbers numbers;
  try {
    numbers = read_chunk_numbers(source_, chunks_[chunk], states, style_);
  } catch (const Error&) {
    source_.fail_changed();  // it was looked through before, and found right
  }
  bool as_found = numbers.num_rows == first_rows_[chunk + 1] - first_rows_[chunk];
  for (const DeferredColumn* column : columns) as_found &= states[column->place_] == column->state_;
  if (!as_found) source_.fail_changed();
  return numbers;
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
