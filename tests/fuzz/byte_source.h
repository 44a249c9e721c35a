#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace softwood::fuzz {

/// Bytes from anywhere as decisions. Where they end, zeros follow.
class ByteSource {
 public:
  explicit ByteSource(std::string_view bytes) : left_(bytes) {}

  bool is_empty() const { return left_.empty(); }
  unsigned byte() {
    if (left_.empty()) return 0;
    const auto first = static_cast<unsigned char>(left_[0]);
    left_.remove_prefix(1);
    return first;
  }
  /// 0 … count − 1, for at most 65,536.
  std::size_t below(std::size_t count) {
    const std::size_t number = count > 256 ? byte() * 256 + byte() : byte();
    return number % count;
  }
  bool one_in(std::size_t count) { return below(count) == 1; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  std::string text(std::size_t size) {
    const std::string text(left_.substr(0, size));
    left_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view left_;
};

}  // namespace softwood::fuzz
