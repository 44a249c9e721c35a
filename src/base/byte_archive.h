#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "softwood/error.h"

namespace softwood {

/// Values as bytes, one after another, in the machine's own order: numbers as they are, vectors
/// with their lengths before them. `Self` derives from it and adds write() for types of its own.
template <class Self>
class ByteWriter {
 public:
  template <class... Values>
  void operator()(const Values&... values) {
    (self().write(values), ...);
  }
  template <class T>
  void write(const T& number) requires std::is_arithmetic_v<T> {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  template <class T, class Allocator>
  void write(const std::vector<T, Allocator>& list) {
    write(static_cast<std::uint64_t>(list.size()));
    if constexpr (std::is_arithmetic_v<T>) {
      bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    } else {
      for (const T& each : list) self().write(each);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  std::string bytes_;
};

/// The same bytes back into the same types. Throws Error if they are cut short.
template <class Self>
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  template <class... Values>
  void operator()(Values&... values) {
    (self().read(values), ...);
  }
  template <class T>
  void read(T& number) requires std::is_arithmetic_v<T> {
    take(&number, sizeof number);
  }
  /// A byte that is neither 0 nor 1 would be no bool at all.
  void read(bool& flag) {
    unsigned char byte = 0;
    take(&byte, sizeof byte);
    expect(byte <= 1);
    flag = byte == 1;
  }
  template <class T, class Allocator>
  void read(std::vector<T, Allocator>& list) {
    std::uint64_t size = 0;
    read(size);
    // A length that the bytes cannot hold would ask for more memory than there is.
    expect(size <= left_.size());
    if constexpr (std::is_arithmetic_v<T>) {
      expect(size * sizeof(T) <= left_.size());
      list.resize(size);
      take(list.data(), size * sizeof(T));
    } else {
      list.clear();
      for (std::uint64_t i = 0; i < size; ++i) self().read(list.emplace_back());
    }
  }
  void expect_end() const { expect(left_.empty()); }
  static void expect(bool fits) {
    if (!fits) throw Error("the saved state is cut short or damaged.");
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  void take(void* to, std::size_t size) {
    expect(size <= left_.size());
    if (size > 0) std::memcpy(to, left_.data(), size);
    left_.remove_prefix(size);
  }
  std::string_view left_;
};

}  // namespace softwood
