"""One split of a table, 64/16/20, written once and shared by every method."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.tables import TableSpec, read_table

PARTS = {"train": 0.64, "valid": 0.16, "test": 0.20}


@dataclass(frozen=True)
class Split:
    """Paths of the three CSV files."""

    spec: TableSpec
    folder: Path

    def path(self, part: str) -> Path:
        return self.folder / f"{part}.csv"

    def frame(self, part: str) -> pd.DataFrame:
        """The rows of a part; what is text in any part is text (not NaN) in all."""
        frames = {
            p: pd.read_csv(self.path(p), keep_default_na=False, na_values=[""]) for p in PARTS
        }
        texts = {c for f in frames.values() for c in f if not pd.api.types.is_numeric_dtype(f[c])}
        frame = frames[part]
        return frame.astype({c: "object" for c in texts})


def make_split(data: Path, cache: Path, spec: TableSpec, seed: int) -> Split:
    split = Split(spec, cache / "splits" / f"{spec.name}-{spec.cut}-seed{seed}")
    if all(split.path(part).exists() for part in PARTS):
        return split
    frame = read_table(data, spec)
    order = np.random.default_rng(seed).permutation(len(frame))[: spec.rows]
    ends = np.rint(np.cumsum(list(PARTS.values())) * len(order)).astype(int)
    split.folder.mkdir(parents=True, exist_ok=True)
    for part, rows in zip(PARTS, np.split(order, ends[:-1]), strict=True):
        frame.iloc[rows].to_csv(split.path(part), index=False)
    return split
