#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace softwood {

/// Bytes that grow without being cleared first: tables of gigabytes are read into it.
class ByteBuffer {
 public:
  char* data() { return data_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool is_full() const { return size_ == capacity_; }
  void reserve(std::size_t capacity);
  /// `size` ≤ capacity(); new bytes are whatever was there.
  void resize(std::size_t size) { size_ = size; }
  void push_back(char byte);
  /// Which must have room.
  void append(std::string_view bytes);
  std::string_view view() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(char* data) const { std::free(data); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace softwood
