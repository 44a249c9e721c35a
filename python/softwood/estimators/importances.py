"""Importances of columns, for those who ask."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from softwood._core import Table
from softwood.explain import importances_by_task
from softwood.model import Model

_MOST_PAIRS, _FEWEST_PAIRS = 2000, 200
# A pair costs as much as there are columns, times columns: of many, fewer pairs are compared.
_MOST_CELLS = 400_000


def rows_to_keep(table: Table, features: Sequence[str]) -> Table:
    """A copy of as many rows as importances are computed from, always the same."""
    rows = np.arange(table.num_rows)
    most = _num_pairs(features)
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(0).choice(rows, most, replace=False))
    return table[list(features)][rows]


def shares_of(
    model: Model, rows: Table, columns: Sequence[str], threads: int
) -> NDArray[np.float64]:
    """In the order of the columns, 0 for those that the model does not read; mean of the tasks."""
    pairs = _num_pairs(rows.names)
    tasks = importances_by_task(model, rows, max_rows=pairs, threads=threads)
    shares = [[task.get(name, 0.0) for name in columns] for task in tasks.values()]
    return np.asarray(np.mean(shares, axis=0))


def _num_pairs(features: Sequence[str]) -> int:
    return int(np.clip(_MOST_CELLS // max(1, len(features)), _FEWEST_PAIRS, _MOST_PAIRS))
