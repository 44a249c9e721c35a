#pragma once

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood {

/// Of a file whose layout is not a model's.
[[noreturn]] inline void damaged(const char* how) {
  throw Error(fmt::format("the file is no Softwood model, or it is damaged ({}).", how));
}

}  // namespace softwood
