#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace softwood {

/// The cells of a column: a vector, or memory that belongs to someone else (a NumPy array, an Arrow
/// buffer) and that `keeper` keeps alive. Reads like a vector. Copies of borrowed cells borrow too;
/// whatever may change them (a non-const [], begin, push_back, …) first copies the numbers, so the
/// lender never sees a change. Reading from several threads is safe, as for a vector.
template <class T>
class Cells {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  Cells() = default;
  Cells(std::vector<T> cells) : owned_(std::move(cells)) {}
  Cells(std::initializer_list<T> cells) : owned_(cells) {}

  /// `cells` must stay as they are for as long as `keeper` lives, which may not be null.
  static Cells borrow(std::span<const T> cells, std::shared_ptr<const void> keeper) {
    assert(keeper != nullptr);
    return Cells(cells, std::move(keeper));
  }
  bool is_borrowed() const { return keeper_ != nullptr; }

  std::size_t size() const { return is_borrowed() ? borrowed_.size() : owned_.size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return is_borrowed() ? borrowed_.data() : owned_.data(); }
  const T& operator[](std::size_t index) const { return data()[index]; }
  const T& front() const { return data()[0]; }
  const T& back() const { return data()[size() - 1]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  operator std::span<const T>() const { return {data(), size()}; }
  std::vector<T> to_vector() const { return {begin(), end()}; }

  T& operator[](std::size_t index) { return own()[index]; }
  T* begin() { return own().data(); }
  T* end() { return own().data() + owned_.size(); }
  void push_back(T cell) { own().push_back(cell); }
  void reserve(std::size_t capacity) { own().reserve(capacity); }
  void resize(std::size_t size, T cell = {}) { own().resize(size, cell); }
  void assign(std::size_t size, T cell) { *this = std::vector<T>(size, cell); }
  template <std::input_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    *this = std::vector<T>(first, last);
  }
  void clear() { *this = Cells(); }

  friend bool operator==(const Cells& left, const Cells& right) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end());
  }

 private:
  Cells(std::span<const T> cells, std::shared_ptr<const void> keeper)
      : borrowed_(cells), keeper_(std::move(keeper)) {}

  std::vector<T>& own() {
    if (is_borrowed()) *this = to_vector();
    return owned_;
  }

  std::vector<T> owned_;
  std::span<const T> borrowed_;         // means something only while there is a keeper
  std::shared_ptr<const void> keeper_;  // null: the cells are our own
};

}  // namespace softwood
