#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>

namespace softwood {

/// Borrowed row-major matrix: element (row, col) is data[row * stride + col].
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  MatrixView() = default;
  MatrixView(T* first, std::size_t num_rows, std::size_t num_cols)
      : MatrixView(first, num_rows, num_cols, num_cols) {}
  MatrixView(T* first, std::size_t num_rows, std::size_t num_cols, std::size_t row_stride)
      : data(first), rows(num_rows), cols(num_cols), stride(row_stride) {}

  /// A view to mutable elements is also a view to constant ones.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride};
  }

  std::span<T> row(std::size_t index) const {
    assert(index < rows);
    return {data + index * stride, cols};
  }
  T& operator()(std::size_t row_index, std::size_t col) const {
    assert(row_index < rows && col < cols);
    return data[row_index * stride + col];
  }
};

}  // namespace softwood
