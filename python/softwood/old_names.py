"""Names that options had before: they work for one more version, with a warning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from softwood import _core
from softwood.warnings import warn_of_old_name


def with_names_of_today(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options by today's names; a `FutureWarning` tells of each that had an old one."""
    today = _core.old_names()
    for name in options:
        if name not in today:
            continue
        if today[name] in options:
            raise _core.Error(_core.both_names_error(name, today[name]))
        warn_of_old_name(_core.old_name_warning(name, today[name]))
    return {today.get(name, name): value for name, value in options.items()}
