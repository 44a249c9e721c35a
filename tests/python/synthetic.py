"""Small made-up tables with a known truth."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np


def write_csv(path: Path, table: Mapping[str, Sequence[object]]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*table.values(), strict=True))
    return path


def wave(num_rows: int = 400, seed: int = 1) -> dict[str, np.ndarray]:
    """y = sin(3 x1) + [city = Oslo] + noise; x2 is noise; id is a row number."""
    draw = np.random.default_rng(seed)
    x1, x2 = draw.uniform(-1, 1, (2, num_rows)).round(6)
    city = draw.choice(["Oslo", "Rome", "Lima"], num_rows)
    y = np.sin(3 * x1) + (city == "Oslo") + draw.normal(0, 0.1, num_rows)
    return {"id": np.arange(num_rows), "x1": x1, "x2": x2, "city": city, "y": y.round(6)}


def visits(num_rows: int = 600, seed: int = 2) -> dict[str, np.ndarray]:
    """Counts with a rate of exp(x) per year of `years` observed."""
    draw = np.random.default_rng(seed)
    x = draw.uniform(-1, 1, num_rows).round(6)
    years = draw.choice([0.5, 1.0, 2.0, 4.0], num_rows)
    return {"x": x, "years": years, "y": draw.poisson(years * np.exp(x))}


def petals(num_rows: int = 450, seed: int = 3) -> dict[str, np.ndarray]:
    """Three classes with awkward names, well apart."""
    draw = np.random.default_rng(seed)
    labels = np.array(["Iris, blue", 'say "tall"', "übrig 3"])
    kind = draw.integers(0, 3, num_rows)
    length, width = kind + draw.normal(0, 0.3, num_rows), draw.normal(0, 1, num_rows)
    return {"length": length.round(5), "width": width.round(5), "kind": labels[kind]}
