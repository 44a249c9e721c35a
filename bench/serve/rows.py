"""One row at a time: p50 and p99 of every way to ask."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import softwood
from softwood import SoftTreeRegressor, as_table

from bench.serve.waves import wave_frame, wave_model

_CALLS = 5000


def run(cache: Path, prepare: bool) -> None:
    """Prints microseconds."""
    model_file = wave_model(cache)
    frame = wave_frame()
    table_file = cache / "waves_1000.csv"
    frame.head(1000).to_csv(table_file, index=False)
    if prepare:
        return
    model = softwood.load(model_file)
    estimator = SoftTreeRegressor.load(model_file)
    array = frame.to_numpy()
    one_array, one_frame = np.ascontiguousarray(array[:1]), frame.iloc[:1]
    one_table = as_table(one_frame)
    print(f"{'microseconds':<40}{'p50':>8}{'p99':>8}")
    program = [os.environ["SERVE_ONE_ROW"], str(model_file), str(table_file)]
    for line in subprocess.run(program, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    ):
        if line:
            name, half, almost_all = line.rsplit(" ", 2)
            show(f"C++ {name}", float(half), float(almost_all))
    ask("Python, a ready Table: model.predict", lambda: model.predict(one_table))
    ask("Python, array: estimator.predict", lambda: estimator.predict(one_array))
    ask("Python, DataFrame: estimator.predict", lambda: estimator.predict(one_frame))
    ask("Python, DataFrame: model.predict", lambda: model.predict(one_frame))


def ask(name: str, question: Callable[[], object]) -> None:
    times = []
    for _ in range(_CALLS + 100):
        start = time.perf_counter()
        question()
        times.append(1e6 * (time.perf_counter() - start))
    half, almost_all = np.quantile(times[100:], [0.5, 0.99])
    show(name, half, almost_all)


def show(name: str, half: float, almost_all: float) -> None:
    print(f"{name:<40}{half:8.1f}{almost_all:8.1f}")
