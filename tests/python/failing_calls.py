"""Runs in which one call of the C library goes wrong (tests/faults/failing_calls.c)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from command_line import SOFTWOOD, is_sanitized

# Beside the command in its build tree: build/PRESET/src/cli/softwood.
MODULE = Path(
    os.environ.get("SOFTWOOD_FAULTS", SOFTWOOD.parents[2] / "tests/faults/failing_calls.so")
)
REASONS = {"ENOSPC": "No space left on device", "EIO": "Input/output error"}


def skip_without_module() -> None:
    if not MODULE.exists():
        pytest.skip(f"no {MODULE}: this preset builds no tests")
    if is_sanitized():
        pytest.skip("nothing can be loaded in front of a sanitizer")


def environment(**settings: object) -> dict[str, str]:
    """Of a process whose calls fail as FAULT, FAULT_AT and FAULT_LOG say."""
    return {**os.environ, "LD_PRELOAD": str(MODULE)} | {k: str(v) for k, v in settings.items()}


def run(arguments: list[object], **settings: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [SOFTWOOD, *map(str, arguments)],
        env=environment(**settings),
        capture_output=True,
        timeout=60,
    )


def names_of_calls(log: Path) -> list[str]:
    """What was called, in order: the first is call 1."""
    return [line.split()[1] for line in log.read_text().splitlines()]
