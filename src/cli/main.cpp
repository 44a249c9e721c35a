#include <cerrno>
#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "cli/run_command.h"

namespace {

/// A stream that the caller has closed would give its number to the next file that is opened, and
/// talk would end in that. It gets one that can neither be read nor written.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    const int filled = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    static_cast<void>(filled);
  }
}

}  // namespace

int main(int argc, char** argv) {
  fill_closed_streams();
  // What cannot be written is an error with a message, not the end of the process.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  return softwood::cli::run_command(argc, argv);
}
