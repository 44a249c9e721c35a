#pragma once

#include <cstdio>
#include <string>

#include "base/printable.h"

namespace softwood::cli {

/// Talk goes to standard error. That nobody listens (a closed or full stream) is no reason to fail.
inline void talk(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

/// A line, or a few, with names and cells from files, which do not steer the terminal.
inline void talk_line(const std::string& text) {
  talk(printable_lines(text) + "\n");
}

}  // namespace softwood::cli
