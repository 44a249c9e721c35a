"""One split of a table, 64/16/20, written once and shared by every method."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.read_table import read_table
from bench.accuracy.tables import TableSpec

PARTS = {"train": 0.64, "valid": 0.16, "test": 0.20}


@dataclass(frozen=True)
class Split:
    """Paths of the three CSV files."""

    spec: TableSpec
    folder: Path

    def path(self, part: str) -> Path:
        return self.folder / f"{part}.csv"

    def frames(self) -> dict[str, pd.DataFrame]:
        """The rows of every part; what is text in any part is text (not NaN) in all."""
        frames = {
            p: pd.read_csv(self.path(p), keep_default_na=False, na_values=[""]) for p in PARTS
        }
        texts = {c for f in frames.values() for c in f if not pd.api.types.is_numeric_dtype(f[c])}
        return {p: frame.astype({c: "object" for c in texts}) for p, frame in frames.items()}


def known_rows(split: Split) -> pd.DataFrame:
    """Train and validation rows, as text, so that every cell stays as the split's files have it."""
    parts = [
        pd.read_csv(split.path(p), dtype=str, keep_default_na=False) for p in ("train", "valid")
    ]
    return pd.concat(parts, ignore_index=True)


def make_split(data: Path, cache: Path, spec: TableSpec, seed: int) -> Split:
    split = Split(spec, cache / "splits" / f"{spec.name}-{spec.cut}-seed{seed}")
    if all(split.path(part).exists() for part in PARTS):
        return split
    frame = read_table(data, spec)
    write_parts(frame, draw_rows(len(frame), spec.rows, seed), split.folder)
    return split


def draw_rows(num_rows: int, most: int | None, seed: int) -> dict[str, np.ndarray]:
    """The rows of every part, at most `most` in all."""
    order = np.random.default_rng(seed).permutation(num_rows)[:most]
    ends = np.rint(np.cumsum(list(PARTS.values())) * len(order)).astype(int)
    return dict(zip(PARTS, np.split(order, ends[:-1]), strict=True))


def write_parts(frame: pd.DataFrame, rows: dict[str, np.ndarray], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for part, chosen in rows.items():
        # Renamed when complete: another process may be waiting for, or writing, the same split.
        unfinished = folder / f"{part}.{os.getpid()}.tmp"
        frame.iloc[chosen].to_csv(unfinished, index=False)
        unfinished.replace(folder / f"{part}.csv")
