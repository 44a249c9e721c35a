#pragma once

#include "cli/foreign_reader.h"

namespace softwood::cli {

/// The softwood command, from its arguments (the first is its own name) to its exit code: 0, 1 for
/// a mistake of ours, 2 for a user's, interrupted_exit() after Ctrl-C and its like, 141 if nobody
/// reads standard output any more. Prints through C's streams, which are flushed at the end.
/// `read_foreign` reads the kinds of files that the library does not; the native command has none.
int run_command(int argc, const char* const* argv, const ForeignReader& read_foreign = {});

}  // namespace softwood::cli
