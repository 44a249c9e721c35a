#include "base/random.h"

#include <utility>

#include <Random123/philox.h>

namespace softwood {
namespace {

/// FNV-1a: short, fixed for ever, good enough to tell a handful of purposes apart.
std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  }
  return hash;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view purpose, std::uint64_t index)
    : key_(seed ^ hash_text(purpose)), index_(index) {}

std::uint64_t RandomStream::bits(std::uint64_t counter) const {
  const r123::Philox4x32::ctr_type at = {
      {static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32),
       static_cast<std::uint32_t>(index_), static_cast<std::uint32_t>(index_ >> 32)}};
  const r123::Philox4x32::key_type key = {
      {static_cast<std::uint32_t>(key_), static_cast<std::uint32_t>(key_ >> 32)}};
  const auto out = r123::Philox4x32()(at, key);
  return static_cast<std::uint64_t>(out[1]) << 32 | out[0];
}

double RandomStream::uniform(std::uint64_t counter) const {
  return static_cast<double>(bits(counter) >> 11) * 0x1.0p-53;
}

std::uint64_t RandomStream::below(std::uint64_t counter, std::uint64_t bound) const {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(bits(counter)) * bound) >> 64);
}

void RandomStream::shuffle(std::span<std::uint32_t> values) const {
  for (std::size_t last = values.size(); last > 1; --last) {
    std::swap(values[last - 1], values[below(last - 1, last)]);
  }
}

}  // namespace softwood
