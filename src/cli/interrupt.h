#pragma once

namespace softwood::cli {

/// From now on Ctrl-C, SIGTERM and SIGHUP end the program at once, with a word and the exit code
/// that shells know (130, 143, 129): for all that goes before the first epoch, when no file is open
/// to be written. A signal that is ignored already (nohup) stays so.
void watch_for_interrupt();
/// From now on there is something to keep: the first signal only sets a flag, and the second ends
/// the program as usual.
void keep_on_interrupt();
bool was_interrupted();
/// 128 + the signal; 0 if there was none.
int interrupted_exit();

}  // namespace softwood::cli
