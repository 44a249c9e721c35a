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

/// Cells that are read, from a file for example, when they are first asked for, and that may be let
/// go again. All of it may be called by several threads at once.
template <class T>
class CellSource {
 public:
  CellSource() = default;
  CellSource(const CellSource&) = delete;
  CellSource& operator=(const CellSource&) = delete;
  virtual ~CellSource() = default;

  virtual std::size_t size() const = 0;
  /// Known without reading them.
  virtual std::size_t num_missing() const = 0;
  /// The cells, read if they are not there; they stay until release(). Throws Error if they cannot
  /// be read any more.
  virtual const T* data() = 0;
  /// Lets go of the cells: pointers to them mean nothing any more.
  virtual void release() = 0;
};

/// The cells of a column: a vector, or memory that belongs to someone else (a NumPy array, an Arrow
/// buffer) and that `keeper` keeps alive, or deferred: read when they are first looked at. Reads
/// like a vector. Copies of borrowed cells borrow too, and copies of deferred ones have the same
/// source; whatever may change them (a non-const [], begin, push_back, …) first copies the numbers,
/// so the lender never sees a change. Reading from several threads is safe, as for a vector.
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
  bool is_borrowed() const { return keeper_ != nullptr && source_ == nullptr; }

  /// `source` may not be null.
  static Cells defer(std::shared_ptr<CellSource<T>> source) {
    assert(source != nullptr);
    return Cells(std::move(source));
  }
  bool is_deferred() const { return keeper_ != nullptr && source_ != nullptr; }
  /// Where deferred cells come from; nullptr for others.
  CellSource<T>* source() const { return is_deferred() ? source_ : nullptr; }
  /// Lets deferred cells go until they are looked at again; others stay.
  void release() const {
    if (is_deferred()) source_->release();
  }

  std::size_t size() const { return keeper_ != nullptr ? borrowed_size() : owned_.size(); }
  bool empty() const { return size() == 0; }
  const T* data() const { return keeper_ != nullptr ? borrowed_data() : owned_.data(); }
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
  explicit Cells(std::shared_ptr<CellSource<T>> source)
      : source_(source.get()), keeper_(std::move(source)) {}

  std::size_t borrowed_size() const { return is_deferred() ? source_->size() : borrowed_.size(); }
  const T* borrowed_data() const { return is_deferred() ? source_->data() : borrowed_.data(); }

  std::vector<T>& own() {
    if (keeper_ != nullptr) *this = to_vector();
    return owned_;
  }

  std::vector<T> owned_;
  std::span<const T> borrowed_;         // means something only while there is a keeper
  CellSource<T>* source_ = nullptr;     // of deferred cells; the keeper keeps it
  std::shared_ptr<const void> keeper_;  // null: the cells are our own
};

}  // namespace softwood
