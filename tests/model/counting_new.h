#pragma once

#include <cstddef>

namespace softwood {

/// How often the calling thread has asked operator new for memory, in tests that have it counted.
std::size_t allocations_of_this_thread();

}  // namespace softwood
