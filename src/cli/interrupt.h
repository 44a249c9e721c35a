#pragma once

namespace softwood::cli {

/// What a shell reports for a program ended by Ctrl-C.
inline constexpr int kInterruptedExit = 130;

/// From now on Ctrl-C ends the program at once, with a word and kInterruptedExit: for all that goes
/// before the first epoch, when no file is open to be written.
void watch_for_interrupt();
/// From now on there is something to keep: the first Ctrl-C only sets a flag, and the second ends
/// the program as usual.
void keep_on_interrupt();
bool was_interrupted();

}  // namespace softwood::cli
