#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

namespace softwood {

/// A number of 64 bits that other data have with a chance of one in 2^64, unless somebody means
/// them to: what it tells apart is mistakes, not attacks. Lists count with their lengths.
class Fingerprint {
 public:
  void add_bytes(std::string_view bytes) {
    std::uint64_t word = bytes.size();
    add_word(word);
    for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
      std::memcpy(&word, bytes.data(), sizeof word);
      add_word(word);
    }
    word = 0;
    if (!bytes.empty()) std::memcpy(&word, bytes.data(), bytes.size());
    add_word(word);
  }
  template <class T, class Allocator>
  void add(const std::vector<T, Allocator>& list) requires std::is_arithmetic_v<T> {
    add_bytes({reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T)});
  }
  std::uint64_t value() const { return mixed(state_); }

 private:
  void add_word(std::uint64_t word) { state_ = std::rotl((state_ ^ mixed(word)) * kPrime, 29); }
  static std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 32)) * 0xD6E8FEB86659FD93U;
    return word ^ (word >> 32);
  }
  static constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15U;
  std::uint64_t state_ = 0x243F6A8885A308D3U;
};

}  // namespace softwood
