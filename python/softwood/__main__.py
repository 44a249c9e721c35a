"""The `softwood` command, also as `python -m softwood`: the native one, and Python's libraries to
read the files that it does not."""

from __future__ import annotations

import os
import signal
import sys

from softwood._core import run_command
from softwood.data.foreign import read_for_command


def main() -> int:
    """Runs the command with the program's arguments and returns its exit code."""
    # As for any program in C++: Ctrl-C and a closed pipe end it, until the training listens.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return run_command([b"softwood", *map(os.fsencode, sys.argv[1:])], read_for_command)


if __name__ == "__main__":
    sys.exit(main())
