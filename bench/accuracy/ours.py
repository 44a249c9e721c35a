"""The softwood command, as a user would run it; one thread."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from bench.accuracy.folds import fold_of_rows, free_name
from bench.accuracy.rivals import Outcome
from bench.accuracy.splits import Split, known_rows
from bench.accuracy.tables import TableSpec

COUNT_LOSS = "count"
LOSSES = {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}


class CommandFailed(Exception):
    """What was run, and what it said."""


@dataclass(frozen=True)
class Ours:
    """`arguments` come last, so they win over ours. `rows`: "split", the train rows, stopped by the
    validation rows; "joined", both in one file, softwood's to divide; "folds", both, with a member
    per fold."""

    arguments: tuple[str, ...] = ()
    rows: str = "split"


def softwood(split: Split, seed: int, ours: Ours) -> Outcome:
    program, spec = os.environ["SOFTWOOD"], split.spec
    with tempfile.TemporaryDirectory() as folder:
        model, predictions = Path(folder, "m.softwood"), Path(folder, "p.csv")
        rows = ROWS[ours.rows](split, seed, Path(folder))
        command = [program, "train", *rows, "--target", spec.target, "--seed", str(seed)]
        command += ["--threads", "1", "--quiet", "-o", model]
        if "--loss" not in ours.arguments:
            command += ["--loss", loss_of(spec)]
        before = child_seconds()
        run_command([*command, *ours.arguments])
        seconds = child_seconds() - before
        run_command([program, "predict", model, split.path("test"), "-o", predictions])
        predicted = _read_predictions(predictions, spec)
        trees = count_trees(run_command([program, "describe", model]))
        return Outcome(predicted, seconds, trees, model.stat().st_size)


def loss_of(spec: TableSpec) -> str:
    if spec.kind == "count":
        return f"{COUNT_LOSS}(exposure={spec.exposure})" if spec.exposure else COUNT_LOSS
    return LOSSES[spec.kind]


def count_trees(description: str) -> int:
    """The trees of all members, as `softwood describe` says it; 0 if it does not."""
    return sum(map(int, re.findall(r"(?m)^trees\s+(\d+)", description)))


def _split_rows(split: Split, seed: int, folder: Path) -> list[str | Path]:
    return [split.path("train"), "--valid", split.path("valid")]


def _joined_rows(split: Split, seed: int, folder: Path) -> list[str | Path]:
    known_rows(split).to_csv(folder / "known.csv", index=False)
    return [folder / "known.csv"]


def _fold_rows(split: Split, seed: int, folder: Path) -> list[str | Path]:
    known = known_rows(split)
    column = free_name(list(known))
    known[column] = fold_of_rows(len(known), seed)
    known.to_csv(folder / "known.csv", index=False)
    return [folder / "known.csv", "--fold-column", column]


# What `softwood train` is given to learn from: files and options, by the name of Ours.rows.
ROWS = {"split": _split_rows, "joined": _joined_rows, "folds": _fold_rows}


def _read_predictions(path: Path, spec: TableSpec) -> pd.DataFrame:
    predicted = pd.read_csv(path, keep_default_na=False)
    if spec.kind in ("regression", "count"):
        return predicted["mean"].to_numpy(float)
    prefix = "probability_"
    columns = {c: c.removeprefix(prefix) for c in predicted if c.startswith(prefix)}
    return predicted[list(columns)].rename(columns=columns)


def child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_command(command: list[str | Path]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        line = " ".join(map(str, command))
        raise CommandFailed(f"{line}\nexit {done.returncode}: {done.stderr.strip()}")
    return done.stdout
