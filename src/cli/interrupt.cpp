#include "cli/interrupt.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

namespace softwood::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
volatile std::sig_atomic_t keeps = 0;

/// Only what is safe inside a signal handler.
[[noreturn]] void end_at_once() {
  constexpr std::string_view kMessage =
      "softwood: interrupted before the first epoch: there is no model\n";
  const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  static_cast<void>(written);
  _exit(kInterruptedExit);
}

extern "C" void note_interrupt(int) {
  if (keeps == 0) end_at_once();
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, note_interrupt);
}

void keep_on_interrupt() {
  keeps = 1;
}

bool was_interrupted() {
  return interrupted != 0;
}

}  // namespace softwood::cli
