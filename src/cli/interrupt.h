#pragma once

namespace softwood::cli {

/// What a shell reports for a program ended by Ctrl-C.
inline constexpr int kInterruptedExit = 130;

/// From now on the first Ctrl-C only sets a flag, and the second ends the program as usual.
void watch_for_interrupt();
bool was_interrupted();

}  // namespace softwood::cli
