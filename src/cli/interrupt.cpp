#include "cli/interrupt.h"

#include <csignal>
#include <string_view>

#include <unistd.h>

namespace softwood::cli {
namespace {

constexpr int kWatched[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t caught = 0;  // the signal
volatile std::sig_atomic_t keeps = 0;

/// Only what is safe inside a signal handler.
[[noreturn]] void end_at_once(int signal) {
  constexpr std::string_view kMessage =
      "softwood: interrupted before the first epoch: there is no model\n";
  const auto written = write(STDERR_FILENO, kMessage.data(), kMessage.size());
  static_cast<void>(written);
  _exit(128 + signal);
}

extern "C" void note_interrupt(int signal) {
  if (keeps == 0) end_at_once(signal);
  caught = signal;
  for (const int each : kWatched) std::signal(each, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  for (const int each : kWatched) {
    if (std::signal(each, note_interrupt) == SIG_IGN) std::signal(each, SIG_IGN);
  }
}

void keep_on_interrupt() {
  keeps = 1;
}

bool was_interrupted() {
  return caught != 0;
}

int interrupted_exit() {
  return caught == 0 ? 0 : 128 + caught;
}

}  // namespace softwood::cli
