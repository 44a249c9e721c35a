"""`python -m bench.tasks.growth`: how training time grows with tasks, and with outputs of one task.

A synthetic table, a fixed number of epochs, one thread; processor seconds. Every round runs each
side once, so that a busy moment meets all of them, and the best round counts.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.ours import child_seconds, run_command

COLUMNS = 20
FIXED = ("--epochs", "4", "--schedule", "cosine", "--threads", "1", "--quiet")


@dataclass(frozen=True)
class Side:
    """One command: `size` tasks or classes, one of a `series` over sizes."""

    series: str
    size: int
    arguments: tuple[str, ...]


def task_sides(shares: list[str], sizes: list[int]) -> list[Side]:
    return [
        Side(f"tasks, {share}", size, _tasks(size, share)) for share in shares for size in sizes
    ]


def class_sides(sizes: list[int]) -> list[Side]:
    return [
        Side("classes", size, ("--target", f"class{size}", "--loss", "softmax")) for size in sizes
    ]


def slope(sizes: list[int], seconds: list[float]) -> float:
    """Seconds per further task or class, by least squares."""
    return float(np.polyfit(sizes, seconds, 1)[0])


def report(series: str, sizes: list[int], seconds: list[float]) -> str:
    lines = [f"{series:<16}  seconds  ÷ smallest"]
    for size, value in zip(sizes, seconds, strict=True):
        lines.append(f"{size:>16}  {value:7.2f}  {value / seconds[0]:10.2f}")
    if len(sizes) > 1:
        each = slope(sizes, seconds)
        lines.append(f"each further one costs {each:.3f} s, {each / seconds[0]:.3f} of the first")
    return "\n".join(lines)


def write_table(folder: Path, side: Side, rows: int) -> Path:
    """The columns and only the responses that the side learns, so that reading grows as it must."""
    generator = np.random.default_rng(0)
    x = generator.normal(size=(rows, COLUMNS))
    frame = pd.DataFrame(x, columns=[f"x{column}" for column in range(COLUMNS)])
    # scores that have half of their weights in common
    weights = generator.normal(size=(COLUMNS, 1)) + generator.normal(size=(COLUMNS, side.size))
    scores = np.sin(x) @ weights + generator.normal(size=(rows, side.size))
    if side.series == "classes":
        frame[f"class{side.size}"] = [f"c{label}" for label in scores.argmax(axis=1)]
    else:
        frame[[f"y{task}" for task in range(side.size)]] = scores
    path = folder / f"{side.series.split(',')[0]}{side.size}.csv"
    frame.to_csv(path, index=False)
    return path


def measure(sides: list[Side], rows: int, rounds: int) -> dict[Side, float]:
    best = dict.fromkeys(sides, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        tables = {side: write_table(Path(folder), side, rows) for side in sides}
        for _ in range(rounds):
            for side in sides:
                best[side] = min(best[side], _seconds(side, tables[side], Path(folder)))
    return best


def _tasks(size: int, share: str) -> tuple[str, ...]:
    """One task has nobody to share with."""
    tasks = tuple(word for task in range(size) for word in ("--task", f"y{task}=squared"))
    return (*tasks, "--share", share) if size > 1 else tasks


def _seconds(side: Side, table: Path, folder: Path) -> float:
    command = [os.environ["SOFTWOOD"], "train", table, "-o", folder / "m.softwood"]
    before = child_seconds()
    run_command([*command, *side.arguments, *FIXED])
    return child_seconds() - before


def _parse_arguments() -> argparse.Namespace:
    def whole(text: str) -> list[int]:
        return [int(word) for word in text.split(",") if word]

    parser = argparse.ArgumentParser(prog="python -m bench.tasks.growth", description=__doc__)
    add = parser.add_argument
    add("--share", default="hard,partly,soft,none", help="ways of sharing, comma-separated")
    add("--tasks", type=whole, default=[1, 2, 4, 8, 16], help="numbers of tasks")
    add("--classes", type=whole, default=[2, 4, 8, 16, 32], help="numbers of classes")
    add("--rows", type=int, default=20000)
    add("--rounds", type=int, default=3)
    return parser.parse_args()


def main() -> None:
    options = _parse_arguments()
    shares = [name for name in options.share.split(",") if name]
    sides = task_sides(shares, options.tasks) + class_sides(options.classes)
    best = measure(sides, options.rows, options.rounds)
    print("\n\n".join(_reports(best)))


def _reports(best: dict[Side, float]) -> Iterable[str]:
    for series in dict.fromkeys(side.series for side in best):
        found = {side.size: seconds for side, seconds in best.items() if side.series == series}
        yield report(series, list(found), list(found.values()))


if __name__ == "__main__":
    main()
