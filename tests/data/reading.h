#pragma once

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/arff/reader.h"
#include "data/csv/reader.h"
#include "softwood/error.h"
#include "softwood/table.h"

namespace softwood {

/// Reads a text as if it stood in a file called test.csv or test.arff.
inline Table read_csv_text(std::string_view text, const ReadOptions& options = {},
                           std::size_t chunk_bytes = kCsvChunkBytes) {
  return read_csv(FileBytes(text, "test.csv"), options, chunk_bytes);
}

inline Table read_arff_text(std::string_view text, const ReadOptions& options = {}) {
  return read_arff(FileBytes(text, "test.arff"), options);
}

/// The message of the Error that `work` throws; fails if it throws none.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

/// The texts of a column, "" where missing.
inline std::vector<std::string> texts_of(const Column& column) {
  std::vector<std::string> texts;
  for (std::size_t row = 0; row < column.size(); ++row) texts.push_back(column.text(row));
  return texts;
}

}  // namespace softwood
