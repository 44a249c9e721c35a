"""One softwood model of several tasks, as a user would train it; one thread."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from bench.accuracy.ours import child_seconds, count_trees, loss_of, run_command
from bench.tasks.learned import Learned
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task, TaskTable


def task_loss(table: TaskTable, task: Task) -> str:
    """As `softwood train` takes it."""
    if task.kind != "tweedie":
        return loss_of(table.spec(task))
    return "tweedie" + (f"(exposure={table.exposure})" if table.exposure else "")


def learn_shared(share: str, split: JointSplit, seed: int, tasks: tuple[Task, ...]) -> Learned:
    return learn_joint(("--share", share), split, seed, tasks)


def learn_joint(
    arguments: tuple[str, ...], split: JointSplit, seed: int, tasks: tuple[Task, ...]
) -> Learned:
    program = os.environ["SOFTWOOD"]
    with tempfile.TemporaryDirectory() as folder:
        model, predictions = Path(folder, "m.softwood"), Path(folder, "p.csv")
        command = [program, "train", split.path("train"), "--valid", split.path("valid")]
        for task in tasks:
            command += ["--task", f"{task.target}={task_loss(split.table, task)}"]
        command += ["--seed", str(seed), "--threads", "1", "--quiet", "-o", model, *arguments]
        before = child_seconds()
        run_command(command)
        seconds = child_seconds() - before
        run_command([program, "predict", model, split.path("test"), "-o", predictions])
        trees = count_trees(run_command([program, "describe", model]))
        found = _predictions(pd.read_csv(predictions), split, tasks)
        return Learned(found, seconds, trees, model.stat().st_size)


def _predictions(
    predicted: pd.DataFrame, split: JointSplit, tasks: tuple[Task, ...]
) -> dict[str, np.ndarray]:
    found = {}
    for task in tasks:
        column = "probability_1" if task.kind == "binary" else "mean"
        has_response = ~np.isnan(split.test_response(task))
        found[task.target] = predicted[f"{task.target}.{column}"].to_numpy(float)[has_response]
    return found
