"""A fifth of the training rows arrives later: the old model, trained on, and a new one.

Twelve tables of bench/accuracy, by default. Three quarters of the rows train, of which the last
fifth comes later; the rest tests. Errors are those of `softwood evaluate`, processor seconds those
of the process; the ways are run one after the other on each table and split.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.read_table import read_table
from bench.accuracy.tables import select_groups

TABLES = (
    "abalone,concrete,kin8nm,winequality,ames,cal_housing,credit_g,phoneme,satimage,NMES1988,"
    "churn_modelling,elevators"
)
LOSSES = {"regression": "squared", "binary": "logistic", "multiclass": "softmax", "count": "count"}
WAYS = ("all rows", "new rows", "added trees")


def main() -> None:
    options = _options()
    print(f"{'table':18}{'split':>6}{'old':>10}", *(f"{way:>22}" for way in ("anew", *WAYS)))
    ratios: dict[str, list[tuple[float, float, float]]] = {way: [] for way in WAYS}
    groups = select_groups(options.tables, options.rows)
    for spec in [spec for group in groups.values() for spec in group]:
        frame = read_table(options.data, spec)
        for split in range(options.splits):
            losses, seconds = _measure(frame, spec, split, options.rows)
            old, anew = losses["old"], losses["anew"]
            cells = [f"{anew:10.5g}{seconds['anew']:6.1f} s    "]
            for way in WAYS:
                shares = losses[way] / old, losses[way] / anew, seconds[way] / seconds["anew"]
                ratios[way].append(shares)
                cells.append(f"{shares[0]:7.3f}{shares[1]:7.3f}{shares[2]:8.2f}")
            print(f"{spec.name:18}{split:6}{old:10.5g}", *cells, flush=True)
    for way, rows in ratios.items():
        means = [math.exp(sum(math.log(row[i]) for row in rows) / len(rows)) for i in range(3)]
        print(
            f"{way}: {means[0]:.3f} of the old loss, {means[1]:.3f} of a new model's, "
            f"in {means[2]:.2f} of its time"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench warm", description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tables", default=TABLES)
    parser.add_argument("--rows", type=int, default=10000, help="at most, of each table")
    parser.add_argument("--splits", type=int, default=1)
    return parser.parse_args()


def _measure(frame: pd.DataFrame, spec, split: int, most_rows: int) -> tuple[dict, dict]:
    order = np.random.default_rng(split).permutation(len(frame))[:most_rows]
    test, train = np.split(order, [len(order) // 4])
    first = train[: len(train) * 4 // 5]
    with tempfile.TemporaryDirectory() as folder:
        files = {"test": test, "old": first, "all": train, "new": train[len(first) :]}
        for name, rows in files.items():
            frame.iloc[rows].to_csv(f"{folder}/{name}.csv", index=False)
        learn = ["-t", spec.target, "-l", LOSSES[spec.kind]]
        on = ["--start-from", f"{folder}/old.softwood"]
        ways = {
            "old": ["old.csv", *learn],
            "anew": ["all.csv", *learn],
            "all rows": ["all.csv", *on],
            "new rows": ["new.csv", *on],
            "added trees": ["all.csv", *on, "--add-trees", "16"],
        }
        losses, seconds = {}, {}
        for way, arguments in ways.items():
            model = f"{folder}/{way.replace(' ', '_')}.softwood"
            table = f"{folder}/{arguments[0]}"
            seconds[way] = _run(["train", table, *arguments[1:], "-q", "-o", model])
            losses[way] = _loss(model, f"{folder}/test.csv")
    return losses, seconds


def _run(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([os.environ["SOFTWOOD"], *arguments, "--threads", "1"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def _loss(model: str, table: str) -> float:
    command = [os.environ["SOFTWOOD"], "evaluate", model, table]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return next(float(line.split()[-1]) for line in told.splitlines() if line.startswith("  loss"))


if __name__ == "__main__":
    main()
