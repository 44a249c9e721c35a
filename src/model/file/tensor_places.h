#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace softwood {

/// Where a tensor of 32-bit floats stands among a file's numbers.
struct TensorPlace {
  std::vector<std::size_t> shape;
  std::size_t begin = 0, end = 0;  ///< bytes
};

/// The tensors of a header (all its entries but __metadata__), by name. Throws Error unless each
/// has just the bytes that its shape wants and all together fill `num_bytes` side by side, without
/// gaps and without sharing. So what they hold is never more than the file.
std::map<std::string, TensorPlace> find_tensors(const nlohmann::json& header,
                                                std::size_t num_bytes);

}  // namespace softwood
