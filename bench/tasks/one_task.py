"""A model per task, softwood's or XGBoost's, on the rows that have its response."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from bench.accuracy.boosters import Fitted, Settings, fit_xgboost
from bench.accuracy.ours import Ours, softwood
from bench.accuracy.problem import Problem
from bench.accuracy.rivals import Outcome, as_it_comes
from bench.tasks.joint import task_loss
from bench.tasks.learned import Learned
from bench.tasks.scores import TWEEDIE_POWER
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task


def learn_softwood(
    arguments: tuple[str, ...], split: JointSplit, seed: int, tasks: tuple[Task, ...]
) -> Learned:
    [task] = tasks
    ours = Ours(("--loss", task_loss(split.table, task), *arguments))
    with tempfile.TemporaryDirectory() as folder:
        return _learned(task, softwood(split.write_task(task, Path(folder)), seed, ours))


def learn_xgboost(split: JointSplit, seed: int, tasks: tuple[Task, ...]) -> Learned:
    [task] = tasks
    fit = _fit_tweedie if task.kind == "tweedie" else fit_xgboost
    with tempfile.TemporaryDirectory() as folder:
        return _learned(task, as_it_comes(fit, split.write_task(task, Path(folder)), seed))


def _fit_tweedie(problem: Problem, settings: Settings) -> Fitted:
    tweedie = {"objective": "reg:tweedie", "tweedie_variance_power": TWEEDIE_POWER}
    return fit_xgboost(problem, tweedie | settings)


def _learned(task: Task, outcome: Outcome) -> Learned:
    predicted = outcome.predicted["1"] if task.kind == "binary" else outcome.predicted
    found = {task.target: np.asarray(predicted, float)}
    return Learned(found, outcome.seconds, outcome.size, outcome.bytes)
