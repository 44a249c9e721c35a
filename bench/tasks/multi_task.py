"""One booster of all tasks, whose trees carry a value per task in every leaf.

Regressions or binary tasks, not both. The responses of regressions are standardised on the rows
that the booster learns from, so that each has the same say in the loss; rows without any response
are left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from bench.accuracy.boosters import Fitted, Settings, fit_catboost, fit_xgboost
from bench.accuracy.fitting import Fit, Trained
from bench.accuracy.problem import Arrays, Problem, Reader
from bench.tasks.learned import Learned
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task


class JointReader(Reader):
    """`y` is [rows × tasks], NaN where missing; no response is a feature."""

    def __init__(self, split: JointSplit, known: pd.DataFrame):
        self.targets = [task.target for task in split.table.tasks]
        super().__init__(split, known.drop(columns=self.targets[1:]))

    def response(self, frame: pd.DataFrame) -> np.ndarray:
        return frame[self.targets].to_numpy(float)


def fit_catboost_multi(problem: Problem, settings: Settings) -> Fitted:
    has_holes = any(np.isnan(rows.y).any() for rows in (problem.train, problem.valid) if rows)
    loss = "MultiRMSEWithMissingValues" if has_holes else "MultiRMSE"
    loss = "MultiLogloss" if problem.kind == "binary" else loss
    return _standardised(fit_catboost, problem, {"loss_function": loss} | settings)


def fit_xgboost_multi(problem: Problem, settings: Settings) -> Fitted:
    """A column per category: trees of several outputs know no categories there."""
    train, valid = (rows and _one_hot(rows) for rows in (problem.train, problem.valid))
    problem = replace(problem, train=train, valid=valid)
    fixed = {"multi_strategy": "multi_output_tree"}
    model = _standardised(fit_xgboost, problem, fixed | settings)
    return replace(model, predict=lambda rows: model.predict(_one_hot(rows)))


def learn_multi(
    way: Callable[..., Trained], fit: Fit, split: JointSplit, seed: int, tasks: tuple[Task, ...]
) -> Learned:
    """`way`: of bench.accuracy.fitting."""
    trained = way(fit, split, seed, JointReader)
    found = split.known_tests(tasks, trained.predicted)
    return Learned(found, trained.seconds, trained.rounds, 0)


def _standardised(fit: Fit, problem: Problem, settings: Settings) -> Fitted:
    train, valid = (rows and _with_responses(rows) for rows in (problem.train, problem.valid))
    if problem.kind != "regression":
        return fit(replace(problem, train=train, valid=valid), settings)
    mean, unit = np.nanmean(train.y, axis=0), np.nanstd(train.y, axis=0)
    unit[unit == 0] = 1
    train, valid = (rows and replace(rows, y=(rows.y - mean) / unit) for rows in (train, valid))
    model = fit(replace(problem, train=train, valid=valid), settings)
    return replace(model, predict=lambda rows: mean + unit * model.predict(rows))


def _one_hot(rows: Arrays) -> Arrays:
    return replace(rows, features=pd.get_dummies(rows.features, dtype=float))


def _with_responses(rows: Arrays) -> Arrays:
    has_any = ~np.isnan(rows.y).all(axis=1)
    return Arrays(
        rows.features[has_any], rows.texts[has_any], rows.y[has_any], rows.exposure[has_any]
    )
