#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace softwood {

/// Of a tensor's numbers; in memory floats of 16 bits are floats of 32.
enum class NumberType { f32, f16, u8 };
std::string_view number_type_name(NumberType type);
std::size_t bytes_of(NumberType type);

/// A file's header: texts, and what it says of its tensors, which check_tensor_places() has to
/// believe first.
struct SafetensorsHeader {
  struct Entry {
    NumberType type = NumberType::f32;
    std::vector<std::size_t> shape, data_offsets;
  };
  std::map<std::string, std::string> metadata;
  std::map<std::string, Entry> tensors;
};

/// Throws Error (as of a damaged file) if the text is no such header: anything else than texts in
/// __metadata__, a tensor without a type, shape and place or of another type, a name that comes
/// twice. Builds nothing but the result, for a header may be as large as its file.
SafetensorsHeader parse_header(std::string_view text);

}  // namespace softwood
