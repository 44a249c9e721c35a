#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace softwood {

/// What comes through a pipe, from a device or out of gzip may be large without end.
class TextLimit {
 public:
  /// `origin`: what is read, for messages. `most`: bytes of its text.
  TextLimit(std::string origin, std::size_t most) : origin_(std::move(origin)), most_(most) {}

  std::size_t most() const { return most_; }
  /// Throws Error if there are so many bytes.
  void check(std::size_t num_bytes) const {
    if (num_bytes > most_) refuse();
  }
  /// Whether reading on is no use, for a NUL byte among the last of so many makes it no text: a
  /// table's reader will say so. What is small is read to its end, which tells zip files apart.
  static bool is_hopeless(std::string_view last, std::size_t num_bytes) {
    constexpr std::size_t kFewestBytes = std::size_t{16} << 20;
    return num_bytes >= kFewestBytes && last.find('\0') != std::string_view::npos;
  }

 private:
  [[noreturn]] void refuse() const;

  std::string origin_;
  std::size_t most_;
};

}  // namespace softwood
