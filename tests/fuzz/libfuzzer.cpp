#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  softwood::fuzz::SOFTWOOD_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
