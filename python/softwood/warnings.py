"""What people must see is a warning; what they may want to know is logged."""

from __future__ import annotations

import sys
import warnings
from types import FrameType


class DataWarning(UserWarning):
    """Something that looks like a mistake in the data, or in what is asked of them.

    ``warnings.simplefilter("error", softwood.DataWarning)`` makes it an exception: a training then
    ends before it begins.
    """


class Warner:
    """Warns of each text once, at the user's line."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, text: str) -> None:
        if text in self._told:
            return
        self._told.add(text)
        warnings.warn(text, DataWarning, stacklevel=1 + _frames_of_ours(sys._getframe(0)))


def warn_of_old_name(text: str) -> None:
    """That a name will go, at the user's line."""
    warnings.warn(text, FutureWarning, stacklevel=1 + _frames_of_ours(sys._getframe(0)))


def _frames_of_ours(frame: FrameType | None) -> int:
    """From this one up to whoever called the package."""
    count = 0
    while frame is not None and _is_ours(frame):
        count += 1
        frame = frame.f_back
    return count


def _is_ours(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module == "softwood" or module.startswith("softwood.")
