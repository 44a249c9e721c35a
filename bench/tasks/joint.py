"""One softwood model of several tasks, as a user would train it; one thread."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pandas as pd

from bench.accuracy.ours import ROWS, Ours, child_seconds, count_trees, loss_of, run_command
from bench.tasks.learned import Learned
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task, TaskTable

VALUE = {"binary": "probability_1"}


def task_loss(table: TaskTable, task: Task) -> str:
    """As `softwood train` takes it."""
    if task.kind != "tweedie":
        return loss_of(table.spec(task))
    return "tweedie" + (f"(exposure={table.exposure})" if table.exposure else "")


def learn_joint(ours: Ours, split: JointSplit, seed: int, tasks: tuple[Task, ...]) -> Learned:
    program = os.environ["SOFTWOOD"]
    with tempfile.TemporaryDirectory() as folder:
        model, predictions = Path(folder, "m.softwood"), Path(folder, "p.csv")
        command = [program, "train", *ROWS[ours.rows](split, seed, Path(folder))]
        for task in tasks:
            command += ["--task", f"{task.target}={task_loss(split.table, task)}"]
        command += ["--seed", str(seed), "--threads", "1", "--quiet", "-o", model]
        command += ours.arguments
        before = child_seconds()
        run_command(command)
        seconds = child_seconds() - before
        run_command([program, "predict", model, split.path("test"), "-o", predictions])
        trees = count_trees(run_command([program, "describe", model]))
        columns = [f"{task.target}.{VALUE.get(task.kind, 'mean')}" for task in tasks]
        found = pd.read_csv(predictions)[columns].to_numpy(float)
        return Learned(split.known_tests(tasks, found), seconds, trees, model.stat().st_size)
