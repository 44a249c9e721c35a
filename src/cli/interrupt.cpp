#include "cli/interrupt.h"

#include <csignal>

namespace softwood::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void note_interrupt(int) {
  interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void watch_for_interrupt() {
  std::signal(SIGINT, note_interrupt);
}

bool was_interrupted() {
  return interrupted != 0;
}

}  // namespace softwood::cli
