"""The softwood command, as a user would run it; one thread."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

import pandas as pd

from bench.accuracy.rivals import Outcome
from bench.accuracy.splits import Split
from bench.accuracy.tables import TableSpec

LOSSES = {"regression": "squared", "binary": "logistic", "multiclass": "softmax"}


def loss_of(spec: TableSpec) -> str:
    if spec.kind == "count":
        return f"poisson(exposure={spec.exposure})" if spec.exposure else "poisson"
    return LOSSES[spec.kind]


def softwood(split: Split, seed: int, arguments: list[str]) -> Outcome:
    """`arguments` come last, so they win over ours: `-- --loss nb` changes the loss of counts."""
    program, spec = os.environ["SOFTWOOD"], split.spec
    with tempfile.TemporaryDirectory() as folder:
        model, predictions = Path(folder, "m.softwood"), Path(folder, "p.csv")
        command = [program, "train", split.path("train"), "--valid", split.path("valid")]
        command += ["--target", spec.target, "--seed", str(seed), "--threads", "1", "--quiet"]
        if "--loss" not in arguments:
            command += ["--loss", loss_of(spec)]
        command += ["-o", model, *arguments]
        began = time.perf_counter()
        _run(command)
        seconds = time.perf_counter() - began
        _run([program, "predict", model, split.path("test"), "-o", predictions])
        predicted = pd.read_csv(predictions, keep_default_na=False)
    if spec.kind in LOSSES and spec.kind != "regression":
        prefix = "probability_"
        columns = {c: c.removeprefix(prefix) for c in predicted if c.startswith(prefix)}
        return Outcome(predicted[list(columns)].rename(columns=columns), seconds, 0)
    return Outcome(predicted["mean"].to_numpy(float), seconds, 0)


def _run(command: list[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        line = " ".join(map(str, command))
        raise RuntimeError(f"{line}\nexit {done.returncode}: {done.stderr.strip()}")
