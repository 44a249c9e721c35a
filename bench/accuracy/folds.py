"""Which fold a row of train + validation belongs to: the same for every method."""

from __future__ import annotations

import numpy as np

NUM_FOLDS = 5


def fold_of_rows(num_rows: int, seed: int) -> np.ndarray:
    """[num_rows] numbers 0 … NUM_FOLDS − 1, at random, in parts as equal as they can be."""
    folds = np.empty(num_rows, int)
    folds[np.random.default_rng(seed).permutation(num_rows)] = np.arange(num_rows) % NUM_FOLDS
    return folds


def free_name(taken: list[str], wanted: str = "fold") -> str:
    """`wanted`, with underscores behind it until no column is called so."""
    while wanted in taken:
        wanted += "_"
    return wanted
