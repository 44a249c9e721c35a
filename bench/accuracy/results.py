"""The results file: a row per table, cut, seed and method; a later row replaces an earlier one."""

from __future__ import annotations

import csv
import fcntl
import io
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import TextIO

Key = tuple[str, str, int, str]


@dataclass(frozen=True)
class Result:
    """`size`: trees or rounds; `bytes`: the model file's, 0 if unknown."""

    table: str
    rows: str
    seed: int
    method: str
    metric: str
    error: float
    seconds: float
    size: int
    bytes: int = 0

    @property
    def key(self) -> Key:
        return (self.table, self.rows, self.seed, self.method)


COLUMNS = [field.name for field in fields(Result)]
_PARSE = {"str": str, "int": int, "float": float}


def read_results(path: Path) -> dict[Key, Result]:
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        found = [_result(row) for row in csv.DictReader(file)]
    return {result.key: result for result in found if result}


def append_result(path: Path, result: Result) -> None:
    """Safe beside other processes that append to the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", newline="") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        _mend(file)
        file.write(_line(astuple(result)))


def _result(row: dict[str, str | None]) -> Result | None:
    """Nothing for a line that an interruption cut off: it is measured again."""
    try:
        return Result(
            **{f.name: _PARSE[f.type](row[f.name]) for f in fields(Result) if row.get(f.name)}
        )
    except (TypeError, ValueError):
        return None


def _mend(file: TextIO) -> None:
    """Writes a missing header, renews one from before a column was added, ends a cut-off line."""
    file.seek(0)
    first, rest = file.readline(), file.read()
    if first != _line(COLUMNS):
        file.truncate(0)
        file.write(_line(COLUMNS) + rest)
    if rest and not rest.endswith("\n"):
        file.write("\r\n")


def _line(values: tuple | list) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(values)
    return text.getvalue()
