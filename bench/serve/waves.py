"""A plain table: fourteen columns of numbers, and the default model of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import softwood

NUM_ROWS, NUM_COLUMNS, SEED = 20_000, 14, 0


def wave_frame() -> pd.DataFrame:
    """Without the response."""
    cells = np.random.default_rng(SEED).normal(size=(NUM_ROWS, NUM_COLUMNS))
    return pd.DataFrame(cells, columns=[f"x{i}" for i in range(NUM_COLUMNS)])


def wave_response(frame: pd.DataFrame) -> np.ndarray:
    noise = np.random.default_rng(SEED + 1).normal(size=len(frame))
    x = frame.to_numpy()
    return x[:, 0] * x[:, 1] + np.sin(x[:, 2]) + 0.1 * noise


def wave_model(cache: Path) -> Path:
    """Trained once, by the defaults."""
    path = cache / "waves.softwood"
    if not path.exists():
        frame = wave_frame()
        softwood.train(frame.assign(y=wave_response(frame)), "y").save(path)
    return path
