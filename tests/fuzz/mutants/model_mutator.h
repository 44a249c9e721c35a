#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace softwood::fuzz {

/// The model file after one to three changes of its structure (numbers out of range, other types,
/// entries that are missing, doubled, swapped or too many, other losses and labels, tensors of
/// other shapes, places and numbers), its checksum right. Same file and seed, same mutant.
std::string mutant_of(std::string_view model, std::uint64_t seed);

}  // namespace softwood::fuzz
