#include "model/file/safetensors.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "softwood/error.h"

namespace softwood {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

using nlohmann::json;

constexpr std::string_view kNoChecksum = "\"checksum\":\"00000000\"";
constexpr std::size_t kChecksumDigits = 8;

std::uint32_t checksum(std::string_view bytes) {
  uLong crc = crc32(0, nullptr, 0);
  while (!bytes.empty()) {
    const std::size_t part = std::min<std::size_t>(bytes.size(), 1U << 30);
    crc = crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(part));
    bytes.remove_prefix(part);
  }
  return static_cast<std::uint32_t>(crc);
}

/// Where the checksum's digits stand in the header; npos if there are none.
std::size_t find_digits(std::string_view header) {
  const std::string_view key = "\"checksum\":\"";
  const std::size_t at = header.find(key);
  return at == std::string_view::npos ? at : at + key.size();
}

[[noreturn]] void damaged(const char* how) {
  throw Error(fmt::format("the file is no Softwood model, or it is damaged ({}).", how));
}

std::string_view header_of(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) damaged("too short");
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > bytes.size() - sizeof length) damaged("cut short");
  return bytes.substr(sizeof length, length);
}

void verify_checksum(std::string_view bytes, std::string_view header) {
  const std::size_t digits = find_digits(header);
  if (digits == std::string_view::npos || digits + kChecksumDigits > header.size()) {
    damaged("no checksum");
  }
  std::string cleared(bytes);
  const std::size_t at = static_cast<std::size_t>(header.data() - bytes.data()) + digits;
  cleared.replace(at, kChecksumDigits, kChecksumDigits, '0');
  if (fmt::format("{:08x}", checksum(cleared)) != header.substr(digits, kChecksumDigits)) {
    damaged("its checksum does not fit");
  }
}

Safetensors::Tensor read_tensor(const json& entry, std::string_view data) {
  if (entry.at("dtype") != "F32") damaged("a tensor of unknown type");
  Safetensors::Tensor tensor;
  tensor.shape = entry.at("shape").get<std::vector<std::size_t>>();
  const auto begin = entry.at("data_offsets").at(0).get<std::size_t>();
  const auto end = entry.at("data_offsets").at(1).get<std::size_t>();
  if (begin > end || end > data.size() || end - begin != tensor.size() * sizeof(float)) {
    damaged("a tensor of wrong size");
  }
  tensor.values.resize(tensor.size());
  if (end > begin) std::memcpy(tensor.values.data(), data.data() + begin, end - begin);
  return tensor;
}

}  // namespace

std::size_t Safetensors::Tensor::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

const Safetensors::Tensor& Safetensors::find(const std::string& name,
                                             const std::vector<std::size_t>& shape) const {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.shape != shape) {
    throw Error(fmt::format("the model's tensor '{}' is missing or has a wrong shape.", name));
  }
  return found->second;
}

std::string Safetensors::to_bytes() const {
  json header = {{"__metadata__", metadata}};
  header["__metadata__"]["checksum"] = "00000000";
  std::size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t end = offset + tensor.values.size() * sizeof(float);
    header[name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the numbers start aligned
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += text;
  for (const auto& [name, tensor] : tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.values.data()),
                 tensor.values.size() * sizeof(float));
  }
  const std::size_t digits = bytes.find(kNoChecksum) + kNoChecksum.size() - 1 - kChecksumDigits;
  bytes.replace(digits, kChecksumDigits, fmt::format("{:08x}", checksum(bytes)));
  return bytes;
}

Safetensors Safetensors::from_bytes(std::string_view bytes) {
  const std::string_view header = header_of(bytes);
  verify_checksum(bytes, header);
  const std::string_view data = bytes.substr(8 + header.size());
  Safetensors file;
  try {
    const json entries = json::parse(header);
    for (const auto& [name, entry] : entries.items()) {
      if (name == "__metadata__") {
        file.metadata = entry.get<std::map<std::string, std::string>>();
      } else {
        file.tensors[name] = read_tensor(entry, data);
      }
    }
  } catch (const json::exception&) {
    damaged("its header is unreadable");
  }
  return file;
}

}  // namespace softwood
