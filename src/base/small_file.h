#pragma once

#include <cstddef>
#include <string>

namespace softwood {

/// The bytes of a file that people write by hand; of what is longer, or never ends, no more than
/// `most` + 1, so that the caller sees it. Throws Error if it cannot be read: "cannot read WHAT
/// 'PATH': REASON.".
std::string read_small_file(const std::string& path, std::size_t most, const char* what);

}  // namespace softwood
