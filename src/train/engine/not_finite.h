#pragma once

#include <cstddef>
#include <string>

namespace softwood {

/// Throws the Error that tells where training met a value that is not finite, and what to do.
[[noreturn]] void throw_not_finite(int epoch, std::size_t batch, const std::string& trouble);

}  // namespace softwood
