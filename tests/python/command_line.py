"""The softwood command as a black box."""

from __future__ import annotations

import csv
import io
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOFTWOOD = Path(os.environ.get("SOFTWOOD", ROOT / "build/dev/src/cli/softwood")).resolve()


def is_sanitized() -> bool:
    """Then nothing can be loaded in front of it, and its memory cannot be limited."""
    program = SOFTWOOD.read_bytes()
    return b"__asan_init" in program or b"__tsan_init" in program


# A model in a fraction of a second; for tests that need a model, not a good one.
QUICK = ("--trees", "10", "--depth", "2", "--epochs", "4", "--quiet")


def run(*arguments: object, stdin: str = "", timeout: float = 120) -> subprocess.CompletedProcess:
    return subprocess.run(
        [SOFTWOOD, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def succeed(*arguments: object, stdin: str = "") -> str:
    """Standard output of a run that must go well."""
    done = run(*arguments, stdin=stdin)
    assert done.returncode == 0, f"softwood {arguments}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


def fail(*arguments: object, stdin: str = "", timeout: float = 60) -> str:
    """The message of a run that must end as a user's mistake does."""
    done = run(*arguments, stdin=stdin, timeout=timeout)
    assert done.returncode == 2, f"softwood {arguments}: exit {done.returncode}\n{done.stderr}"
    assert done.stdout == "", "mistakes are no results"
    assert done.stderr.startswith("softwood: "), "a mistake gets a message"
    for noise in ("terminate called", "what():", "Assertion", "runtime error", "std::"):
        assert noise not in done.stderr
    return done.stderr


def train(folder: Path, data: Path, *arguments: object, name: str = "model") -> Path:
    model = folder / f"{name}.softwood"
    succeed("train", data, "-o", model, *arguments)
    return model


def predict(model: Path, data: Path, *arguments: object) -> dict[str, list[str]]:
    """Columns of the predictions, as text."""
    return columns(succeed("predict", model, data, *arguments))


def columns(text: str) -> dict[str, list[str]]:
    rows = list(csv.reader(io.StringIO(text)))
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(rows[0])}


def numbers(cells: list[str]) -> list[float]:
    return [float(cell) for cell in cells]
