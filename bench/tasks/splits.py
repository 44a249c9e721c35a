"""One split of a table with several responses: the rows of bench.accuracy's shares."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.read_table import read_file
from bench.accuracy.splits import PARTS, Split, draw_rows, write_parts
from bench.accuracy.tables import TableSpec
from bench.tasks.tables import Task, TaskTable


@dataclass(frozen=True)
class JointSplit:
    """Three CSV files with every response; a response that is not there is an empty cell."""

    table: TaskTable
    folder: Path

    def path(self, part: str) -> Path:
        return self.folder / f"{part}.csv"

    @property
    def spec(self) -> TableSpec:
        """The first task, as bench.accuracy knows a table."""
        return self.table.specs()[0]

    def frames(self) -> dict[str, pd.DataFrame]:
        return Split(self.spec, self.folder).frames()

    def test_response(self, task: Task) -> np.ndarray:
        """[test rows], NaN where missing."""
        return pd.read_csv(self.path("test"), usecols=[task.target])[task.target].to_numpy(float)

    def known_tests(self, tasks: Iterable[Task], predicted: np.ndarray) -> dict[str, np.ndarray]:
        """Of `predicted` [test rows × tasks], by target, the rows that have the response."""
        return {
            task.target: predicted[~np.isnan(self.test_response(task)), column]
            for column, task in enumerate(tasks)
        }

    def write_task(self, task: Task, folder: Path) -> Split:
        """The rows that have this response, without the others, as bench.accuracy takes a split."""
        others = [other.target for other in self.table.tasks if other != task]
        for part in PARTS:
            # as text, so that every cell stays as it is
            cells = pd.read_csv(self.path(part), dtype=str, keep_default_na=False)
            kept = cells[cells[task.target] != ""].drop(columns=others)
            kept.to_csv(folder / f"{part}.csv", index=False)
        return Split(self.table.spec(task), folder)


def make_split(data: Path, cache: Path, table: TaskTable, seed: int) -> JointSplit:
    split = JointSplit(table, cache / "splits" / f"{table.name}-{table.cut}-seed{seed}")
    if all(split.path(part).exists() for part in PARTS):
        return split
    frame = read_table(data, table)
    rows = draw_rows(len(frame), table.rows, seed)
    known = np.concatenate([rows["train"], rows["valid"]])
    write_parts(_with_holes(frame, table, known, seed), rows, split.folder)
    return split


def read_table(data: Path, table: TaskTable) -> pd.DataFrame:
    """Counts and classes as whole numbers, dates as days, times as hours."""
    frame = read_file(data / table.file).drop(columns=list(table.drop))
    for column, form in table.dates.items():
        days = pd.to_datetime(frame[column].astype(str), format=form)
        frame[column] = (days - pd.Timestamp(1970, 1, 1)).dt.days
    for column, form in table.hours.items():
        frame[column] = pd.to_datetime(frame[column].astype(str), format=form).dt.hour
    for task in table.tasks:
        kind = "Int64" if task.kind in ("count", "binary") else float
        frame[task.target] = pd.to_numeric(frame[task.target]).astype(kind)
    return frame


def _with_holes(
    frame: pd.DataFrame, table: TaskTable, known: np.ndarray, seed: int
) -> pd.DataFrame:
    """Of the rows `known`, every response loses its share, each by its own draw."""
    for number, task in enumerate(table.tasks if table.holes else ()):
        draw = np.random.default_rng([seed, number]).random(len(known))
        frame.loc[known[draw < table.holes], task.target] = pd.NA
    return frame
