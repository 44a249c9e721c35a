#include "base/printable.h"

#include <fmt/format.h>

namespace softwood {
namespace {

/// Letters of two bytes (U+0080 … U+009F, the second set of control characters) and of three
/// (U+202A … U+202E and U+2066 … U+2069, which turn the direction of writing) that must not be
/// shown; 0 if the text does not start with one. Sets its length.
unsigned hidden_letter(std::string_view text, std::size_t& length) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) {
    length = 2;
    return byte(1);
  }
  if (byte(0) != 0xE2 || (byte(1) != 0x80 && byte(1) != 0x81)) return 0;
  const unsigned letter = 0x2000 + (byte(1) & 0x3FU) * 0x40 + (byte(2) & 0x3FU);
  const bool turns =
      (letter >= 0x202A && letter <= 0x202E) || (letter >= 0x2066 && letter <= 0x2069);
  length = 3;
  return turns ? letter : 0;
}

std::string escaped(std::string_view text, bool keeps_lines) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    std::size_t length = 1;
    if ((byte < 0x20 && !(keeps_lines && (byte == '\n' || byte == '\t'))) || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else if (const unsigned letter = hidden_letter(text.substr(at), length)) {
      shown += fmt::format("\\u{:04x}", letter);
      at += length - 1;
    } else {
      shown += text[at];
    }
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, false);
}

std::string printable_lines(std::string_view text) {
  return escaped(text, true);
}

std::string shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0U) == 0x80U)
    --most_bytes;
  return std::string(text.substr(0, most_bytes)) + "…";
}

}  // namespace softwood
