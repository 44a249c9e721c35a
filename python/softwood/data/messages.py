"""What reading has to say: what people must see is a warning, what they may want to know is
logged."""

from __future__ import annotations

import logging

from softwood.warnings import Warner


def note(text: str) -> None:
    """To the logger ``softwood``."""
    logging.getLogger("softwood").info(text)


def warn(text: str) -> None:
    """A `softwood.DataWarning` at the user's line."""
    Warner()(text)
