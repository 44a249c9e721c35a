"""A model per task, softwood's or a booster's, on the rows that have its response."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bench.accuracy.boosters import Fitted, Settings, fit_catboost, fit_xgboost
from bench.accuracy.fitting import Fit
from bench.accuracy.ours import Ours, softwood
from bench.accuracy.problem import Problem
from bench.accuracy.rivals import Outcome
from bench.accuracy.splits import Split
from bench.tasks.joint import task_loss
from bench.tasks.learned import Learned
from bench.tasks.scores import TWEEDIE_POWER
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task

FITS = {"xgboost": fit_xgboost, "catboost": fit_catboost}
TWEEDIE = {
    "xgboost": {"objective": "reg:tweedie", "tweedie_variance_power": TWEEDIE_POWER},
    "catboost": {"loss_function": f"Tweedie:variance_power={TWEEDIE_POWER}"},
}


def learn_softwood(ours: Ours, split: JointSplit, seed: int, tasks: tuple[Task, ...]) -> Learned:
    [task] = tasks
    ours = Ours(("--loss", task_loss(split.table, task), *ours.arguments), ours.rows)
    with tempfile.TemporaryDirectory() as folder:
        return _learned(task, softwood(split.write_task(task, Path(folder)), seed, ours))


def learn_booster(
    way: Callable[[Fit, Split, int], Outcome],
    booster: str,
    split: JointSplit,
    seed: int,
    tasks: tuple[Task, ...],
) -> Learned:
    """`way`: of bench.accuracy.rivals."""
    [task] = tasks
    fixed = TWEEDIE[booster] if task.kind == "tweedie" else {}
    fit = partial(_fit_or_constant, FITS[booster], fixed)
    with tempfile.TemporaryDirectory() as folder:
        return _learned(task, way(fit, split.write_task(task, Path(folder)), seed))


def _fit_or_constant(fit: Fit, fixed: Settings, problem: Problem, settings: Settings) -> Fitted:
    """CatBoost fails where all responses of a regression are the same: they are the prediction."""
    y = problem.train.y
    if problem.kind == "regression" and (y == y[0]).all():
        return Fitted(lambda rows: np.full(len(rows.y), y[0]), 1)
    return fit(problem, fixed | settings)


def _learned(task: Task, outcome: Outcome) -> Learned:
    predicted = outcome.predicted["1"] if task.kind == "binary" else outcome.predicted
    found = {task.target: np.asarray(predicted, float)}
    return Learned(found, outcome.seconds, outcome.size, outcome.bytes)
