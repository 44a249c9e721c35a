#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "softwood/error.h"

namespace softwood {

/// work(), whose lack of memory becomes an OutOfMemory: "out of memory while DOING: ADVICE.".
template <class Work>
auto name_lack_of_memory(const std::string& doing, const char* advice, Work work)
    -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw OutOfMemory("out of memory while " + doing + ": " + advice + ".");
  } catch (const std::length_error&) {  // longer than any vector
    throw OutOfMemory("out of memory while " + doing + ": " + advice + ".");
  }
}

}  // namespace softwood
