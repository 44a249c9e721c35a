#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/file/header_json.h"

namespace softwood {

/// A file in the safetensors layout: 8 bytes header length, a JSON header (names, types, shapes,
/// offsets, text metadata), then the numbers. Metadata "checksum" is the CRC-32 of the whole file
/// with itself written as zeros.
class Safetensors {
 public:
  struct Tensor {
    std::vector<std::size_t> shape;
    std::vector<float> values{};  ///< row-major; of f16 those that 16 bits hold
    NumberType type = NumberType::f32;
    std::vector<std::uint8_t> bytes{};  ///< of u8, in place of values

    std::size_t size() const;
  };

  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;

  /// Throws Error if there is none of that name and type.
  const Tensor& find(const std::string& name, NumberType type) const;
  /// Throws Error if there is none of that name and shape, of 32-bit floats.
  const Tensor& find(const std::string& name, const std::vector<std::size_t>& shape) const;

  /// The same, and its numbers are the caller's: the tensor is left empty.
  std::vector<float> take(const std::string& name, const std::vector<std::size_t>& shape);

  /// The file's bytes, checksum included.
  std::string to_bytes() const;
  /// Throws Error (without a file name) if the bytes are cut short, damaged or not of this layout,
  /// if tensors share bytes or leave some out, or if a number is not finite.
  static Safetensors from_bytes(std::string_view bytes);
  /// The size of the file that begins like this, by its header; none as long as that is not whole;
  /// 0 if nothing that follows can make it such a file.
  static std::optional<std::size_t> claimed_size(std::string_view start);
};

}  // namespace softwood
