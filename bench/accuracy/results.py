"""The results file: a row per table, cut, seed and method; a later row replaces an earlier one."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Result:
    table: str
    rows: str
    seed: int
    method: str
    metric: str
    error: float
    seconds: float
    size: int

    @property
    def key(self) -> tuple[str, str, int, str]:
        return (self.table, self.rows, self.seed, self.method)


class Results:
    def __init__(self, path: Path):
        self.path = path
        self.rows: dict[tuple[str, str, int, str], Result] = {}
        if path.exists():
            with path.open(newline="") as file:
                for row in csv.DictReader(file):
                    self._keep(
                        Result(**{f.name: _parse(f.type, row[f.name]) for f in fields(Result)})
                    )

    def add(self, result: Result) -> None:
        self._keep(result)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, [f.name for f in fields(Result)])
            if new:
                writer.writeheader()
            writer.writerow(asdict(result))

    def _keep(self, result: Result) -> None:
        self.rows[result.key] = result


def _parse(kind: str, text: str) -> str | int | float:
    return {"str": str, "int": int, "float": float}[kind](text)
