"""A CSV file in, a CSV file out: `softwood predict` on a plain table, by megabytes a second."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from bench.accuracy.ours import child_seconds
from bench.serve.waves import wave_frame, wave_model

_MEGABYTES = 300
_ROUNDS = 3


def run(cache: Path, prepare: bool) -> None:
    """Prints the rate with one thread and with two."""
    model, table = wave_model(cache), _long_table(cache)
    if prepare:
        return
    size = table.stat().st_size / 1e6
    for threads in (1, 2):
        command = [os.environ["SOFTWOOD"], "predict", model, table]
        command += ["-o", cache / "predicted.csv", "--threads", str(threads)]
        pairs = [_seconds(command) for _ in range(_ROUNDS)]
        seconds, processor = (min(times) for times in zip(*pairs, strict=True))
        rate = f"{size / seconds:.0f} MB/s, {size / processor:.0f} MB a processor second"
        print(f"{threads} threads: {size:.0f} MB in {seconds:.2f} s, {rate}", flush=True)


def _seconds(command: list[object]) -> tuple[float, float]:
    """On the clock, and of the processors."""
    start, before = time.perf_counter(), child_seconds()
    subprocess.run([str(word) for word in command], check=True)
    return time.perf_counter() - start, child_seconds() - before


def _long_table(cache: Path) -> Path:
    """The plain table, again and again."""
    path = cache / "waves.csv"
    if not path.exists():
        header, body = wave_frame().to_csv(index=False).split("\n", 1)
        with path.open("w") as file:
            file.write(header + "\n")
            for _ in range(round(_MEGABYTES * 1e6 / len(body))):
                file.write(body)
    return path
