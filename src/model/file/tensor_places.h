#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "model/file/header_json.h"

namespace softwood {

/// Throws Error unless each tensor has just the bytes that its shape wants and all together fill
/// `num_bytes` side by side, without gaps and without sharing. So what they hold is never more than
/// the file.
void check_tensor_places(const std::map<std::string, SafetensorsHeader::Entry>& tensors,
                         std::size_t num_bytes);

}  // namespace softwood
