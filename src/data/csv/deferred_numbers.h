#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "data/csv/chunks.h"
#include "data/csv/numbers.h"
#include "data/csv/source.h"
#include "data/file/file_bytes.h"
#include "softwood/cells.h"

namespace softwood {

class DeferredColumn;

/// A CSV file that has been looked through, and whose numbers stay in it until they are needed.
class DeferredNumbers : public std::enable_shared_from_this<DeferredNumbers> {
 public:
  /// `source` is of `file`; `rows_in_chunks`: how many rows each chunk has, all of which can be
  /// read.
  DeferredNumbers(std::shared_ptr<const FileBytes> file, CsvSource source,
                  std::vector<CsvChunk> chunks, std::vector<std::size_t> rows_in_chunks,
                  const NumberStyle& style, int threads);

  /// The column at this place, which was found to be of that state and to miss so many cells.
  Cells<double> defer(std::size_t place, CsvColumnState state, std::size_t num_missing);

  std::size_t num_rows() const { return first_rows_.back(); }
  /// Reads those of the columns that are not there, all in one pass over the file. Throws Error if
  /// the file has changed since it was looked through.
  void load(std::span<DeferredColumn* const> columns);
  /// Rows first … first + count − 1 of some columns, whether they are loaded or not.
  std::vector<std::vector<double>> read_rows(std::span<DeferredColumn* const> columns,
                                             std::size_t first, std::size_t count) const;

 private:
  friend class DeferredColumn;

  /// The numbers of these columns in a chunk.
  CsvNumbers read_chunk(std::size_t chunk, std::span<DeferredColumn* const> columns) const;

  std::shared_ptr<const FileBytes> file_;
  CsvSource source_;
  std::vector<CsvChunk> chunks_;
  std::vector<std::size_t> first_rows_;  // of each chunk; last, the number of rows
  NumberStyle style_;
  int threads_;
  std::mutex loading_;
};

/// A column of such a file.
class DeferredColumn final : public CellSource<double> {
 public:
  DeferredColumn(std::shared_ptr<DeferredNumbers> file, std::size_t place, CsvColumnState state,
                 std::size_t num_missing)
      : file_(std::move(file)), place_(place), state_(state), num_missing_(num_missing) {}

  std::size_t size() const override { return file_->num_rows(); }
  std::size_t num_missing() const override { return num_missing_; }
  const double* data() override;
  void release() override;

  DeferredNumbers& file() const { return *file_; }

 private:
  friend class DeferredNumbers;

  std::shared_ptr<DeferredNumbers> file_;
  std::size_t place_;
  CsvColumnState state_;
  std::size_t num_missing_;
  std::unique_ptr<double[]> values_;
  std::atomic<const double*> data_{nullptr};  // of values_, once all of them are there
};

}  // namespace softwood
