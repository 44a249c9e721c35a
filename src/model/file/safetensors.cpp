#include "model/file/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zlib.h>

#include "model/file/damaged.h"
#include "model/file/half.h"
#include "model/file/tensor_places.h"
#include "softwood/error.h"

namespace softwood {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

using nlohmann::json;

constexpr std::string_view kNoChecksum = "\"checksum\":\"00000000\"";
constexpr std::size_t kChecksumDigits = 8;

/// CRC-32 of `bytes` after those of the sum `before`; 0: after none.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0) {
  uLong crc = before;
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
  // In three parts: a copy of the file with the digits cleared would take its size once more.
  const std::size_t at = static_cast<std::size_t>(header.data() - bytes.data()) + digits;
  const std::string zeros(kChecksumDigits, '0');
  std::uint32_t sum = 0;
  for (const std::string_view part :
       {bytes.substr(0, at), std::string_view(zeros), bytes.substr(at + kChecksumDigits)})
    sum = checksum(part, sum);
  if (fmt::format("{:08x}", sum) != header.substr(digits, kChecksumDigits)) {
    damaged("its checksum does not fit");
  }
}

template <class T>
void append_bytes(std::span<const T> numbers, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

void append_numbers(const Safetensors::Tensor& tensor, std::string& bytes) {
  switch (tensor.type) {
    case NumberType::f32:
      return append_bytes(std::span(tensor.values), bytes);
    case NumberType::u8:
      return append_bytes(std::span(tensor.bytes), bytes);
    case NumberType::f16:
      for (const float value : tensor.values) {
        const std::uint16_t half = half_from_float(value);
        append_bytes(std::span(&half, 1), bytes);
      }
  }
}

template <class T>
std::vector<T> numbers_of(std::string_view bytes) {
  std::vector<T> numbers(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

void take_numbers(std::string_view bytes, Safetensors::Tensor& tensor) {
  switch (tensor.type) {
    case NumberType::u8:
      tensor.bytes = numbers_of<std::uint8_t>(bytes);
      return;
    case NumberType::f32:
      tensor.values = numbers_of<float>(bytes);
      break;
    case NumberType::f16:
      tensor.values.reserve(bytes.size() / sizeof(std::uint16_t));
      for (const std::uint16_t half : numbers_of<std::uint16_t>(bytes))
        tensor.values.push_back(float_from_half(half));
  }
  const bool finite = std::ranges::all_of(tensor.values, [](float x) { return std::isfinite(x); });
  if (!finite) damaged("a number that is not finite");
}

}  // namespace

std::size_t Safetensors::Tensor::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

const Safetensors::Tensor& Safetensors::find(const std::string& name, NumberType type) const {
  const auto found = tensors.find(name);
  if (found == tensors.end() || found->second.type != type) {
    throw Error(fmt::format("the model's tensor '{}' is missing or has a wrong type.", name));
  }
  return found->second;
}

const Safetensors::Tensor& Safetensors::find(const std::string& name,
                                             const std::vector<std::size_t>& shape) const {
  const Tensor& tensor = find(name, NumberType::f32);
  if (tensor.shape != shape) {
    throw Error(fmt::format("the model's tensor '{}' is missing or has a wrong shape.", name));
  }
  return tensor;
}

std::vector<float> Safetensors::take(const std::string& name,
                                     const std::vector<std::size_t>& shape) {
  find(name, shape);
  return std::exchange(tensors[name].values, {});
}

std::string Safetensors::to_bytes() const {
  json header = {{"__metadata__", metadata}};
  header["__metadata__"]["checksum"] = "00000000";
  std::size_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::size_t end = offset + tensor.size() * bytes_of(tensor.type);
    header[name] = {{"dtype", number_type_name(tensor.type)},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the numbers start aligned
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  bytes += text;
  for (const auto& [name, tensor] : tensors) append_numbers(tensor, bytes);
  const std::size_t digits = bytes.find(kNoChecksum) + kNoChecksum.size() - 1 - kChecksumDigits;
  bytes.replace(digits, kChecksumDigits, fmt::format("{:08x}", checksum(bytes)));
  return bytes;
}

std::optional<std::size_t> Safetensors::claimed_size(std::string_view start) {
  constexpr std::uint64_t kLongestHeader = 100'000'000;  // as the format's own library allows
  std::uint64_t length = 0;
  if (start.size() <= sizeof length) return std::nullopt;
  std::memcpy(&length, start.data(), sizeof length);
  const std::size_t header_end = sizeof length + length;
  if (length > kLongestHeader || start[sizeof length] != '{') return 0;
  if (start.size() < header_end) return std::nullopt;
  try {
    std::size_t data = 0;
    for (const auto& [name, entry] : parse_header(start.substr(sizeof length, length)).tensors) {
      if (!entry.data_offsets.empty()) data = std::max(data, entry.data_offsets.back());
    }
    return data > SIZE_MAX - header_end ? 0 : header_end + data;
  } catch (const Error&) {
    return 0;
  }
}

Safetensors Safetensors::from_bytes(std::string_view bytes) {
  const std::string_view header = header_of(bytes);
  verify_checksum(bytes, header);
  const std::string_view data = bytes.substr(8 + header.size());
  SafetensorsHeader entries = parse_header(header);
  Safetensors file;
  file.metadata = std::move(entries.metadata);
  check_tensor_places(entries.tensors, data.size());
  for (auto& [name, entry] : entries.tensors) {
    const std::size_t begin = entry.data_offsets[0], size = entry.data_offsets[1] - begin;
    Tensor& tensor = file.tensors[name];
    tensor.shape = std::move(entry.shape);
    tensor.type = entry.type;
    take_numbers(data.substr(begin, size), tensor);
  }
  return file;
}

}  // namespace softwood
