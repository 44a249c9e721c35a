#pragma once

#include <cstdio>
#include <string>

namespace softwood::cli {

/// Talk goes to standard error. That nobody listens (a closed or full stream) is no reason to fail.
inline void talk(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace softwood::cli
