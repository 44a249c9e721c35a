"""One split of a table with several responses: the rows of bench.accuracy's shares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.splits import PARTS, Split, draw_rows, write_parts
from bench.tasks.tables import Task, TaskTable


@dataclass(frozen=True)
class JointSplit:
    """Three CSV files with every response; a response that is not there is an empty cell."""

    table: TaskTable
    folder: Path

    def path(self, part: str) -> Path:
        return self.folder / f"{part}.csv"

    def test_response(self, task: Task) -> np.ndarray:
        """[test rows], NaN where missing."""
        return pd.read_csv(self.path("test"), usecols=[task.target])[task.target].to_numpy(float)

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
    frame = pd.read_csv(data / table.file, keep_default_na=False, na_values=["", "?"])
    frame = frame.drop(columns=list(table.drop))
    for column, form in table.dates.items():
        days = pd.to_datetime(frame[column].astype(str), format=form)
        frame[column] = (days - pd.Timestamp(1970, 1, 1)).dt.days
    for column, form in table.hours.items():
        frame[column] = pd.to_datetime(frame[column].astype(str), format=form).dt.hour
    whole = [task.target for task in table.tasks if task.kind in ("count", "binary")]
    return frame.astype(dict.fromkeys(whole, "Int64"))


def _with_holes(
    frame: pd.DataFrame, table: TaskTable, known: np.ndarray, seed: int
) -> pd.DataFrame:
    """Of the rows `known`, every response loses its share, each by its own draw."""
    for number, task in enumerate(table.tasks if table.holes else ()):
        draw = np.random.default_rng([seed, number]).random(len(known))
        frame.loc[known[draw < table.holes], task.target] = pd.NA
    return frame
