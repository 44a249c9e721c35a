#include "fuzz/mutants/model_pieces.h"

#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

namespace softwood::fuzz {
namespace {

using nlohmann::json;

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// "@raw@1e999" becomes 1e999. What is raw holds no quotes.
void unwrap_raw(std::string& text) {
  const std::string start = '"' + std::string(kRaw);
  std::string plain;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(start, from)) != text.npos;) {
    const std::size_t end = text.find('"', at + start.size());
    plain.append(text, from, at - from);
    plain.append(text, at + start.size(), end - at - start.size());
    from = end + 1;
  }
  text = plain.append(text, from);
}

std::string written(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::ignore);
  unwrap_raw(text);
  replace_all(text, kTwin, "");
  return text;
}

/// A JSON text of any bytes, which a library would refuse to write.
std::string in_quotes(std::string_view bytes) {
  std::string text = "\"";
  for (const char byte : bytes) {
    if (byte == '"' || byte == '\\') text += '\\';
    if (static_cast<unsigned char>(byte) < 0x20) {
      text += fmt::format("\\u{:04x}", static_cast<int>(byte));
    } else {
      text += byte;
    }
  }
  return text + '"';
}

}  // namespace

ModelPieces take_apart(std::string_view bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  ModelPieces pieces;
  pieces.tensors = json::parse(bytes.substr(sizeof length, length));
  pieces.metadata = pieces.tensors.at("__metadata__").get<std::map<std::string, std::string>>();
  pieces.tensors.erase("__metadata__");
  pieces.description = json::parse(pieces.metadata.at("model"));
  pieces.metadata.erase("model");
  pieces.metadata.erase("checksum");
  pieces.numbers = bytes.substr(sizeof length + length);
  return pieces;
}

std::string put_together(const ModelPieces& pieces) {
  std::string header = "{\"__metadata__\":{\"checksum\":\"00000000\",";
  for (const auto& [key, value] : pieces.metadata)
    header += in_quotes(key) + ":" + in_quotes(value) + ",";
  header += "\"model\":" + in_quotes(written(pieces.description)) + "}";
  const std::string tensors = written(pieces.tensors);
  if (tensors.size() > 2 && tensors[0] == '{')
    header += "," + tensors.substr(1);
  else
    header += "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::uint64_t length = header.size();
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  return with_checksum(bytes + header + pieces.numbers);
}

std::string with_checksum(std::string_view given) {
  std::string bytes(given);
  constexpr std::string_view kKey = "\"checksum\":\"";
  constexpr std::size_t kDigits = 8;
  const std::size_t key = bytes.find(kKey);
  if (key == std::string::npos || key + kKey.size() + kDigits > bytes.size()) return bytes;
  bytes.replace(key + kKey.size(), kDigits, kDigits, '0');
  const uLong sum =
      crc32_z(crc32_z(0, nullptr, 0), reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  return bytes.replace(key + kKey.size(), kDigits, fmt::format("{:08x}", sum));
}

}  // namespace softwood::fuzz
