"""scikit-learn's random forest and ridge regression, on train and validation rows together.

Both see the same matrix: a column per category (missing is one), numbers with the median of the
known rows in place of missing ones."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegressionCV, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from bench.accuracy.problem import whole_problem
from bench.tasks.learned import Learned
from bench.tasks.multi_task import JointReader
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task

FOREST_TREES = 500
RIDGE_STRENGTHS = np.logspace(-2, 5, 15)


def learn_forest(split: JointSplit, seed: int, tasks: tuple[Task, ...]) -> Learned:
    """One forest of all tasks where no response is missing, else one per task. Of binary tasks a
    class has (its votes + 1) ÷ (all votes + 2): without that a class without votes has log-loss
    ∞."""
    train, y, test = _matrices(split, seed)
    is_binary = tasks[0].kind == "binary"
    forest = RandomForestClassifier if is_binary else RandomForestRegressor
    parts = [[t] for t in range(len(tasks))] if np.isnan(y).any() else [list(range(len(tasks)))]
    predicted, began = np.empty((len(test), len(tasks))), time.process_time()
    for part in parts:
        known = ~np.isnan(y[:, part]).any(axis=1)
        model = forest(FOREST_TREES, random_state=seed, n_jobs=1)
        # scikit-learn warns about a matrix of one column
        model.fit(train[known], y[np.ix_(known, part)].squeeze())
        found = _class_one(model, test) if is_binary else model.predict(test)
        predicted[:, part] = found.reshape(len(test), len(part))
    seconds = time.process_time() - began
    if is_binary:
        predicted = (FOREST_TREES * predicted + 1) / (FOREST_TREES + 2)
    return Learned(split.known_tests(tasks, predicted), seconds, FOREST_TREES * len(parts), 0)


def learn_ridge(split: JointSplit, seed: int, tasks: tuple[Task, ...]) -> Learned:
    """Per task, the strength by leave-one-out; of binary tasks logistic regression, its strength by
    five folds."""
    train, y, test = _matrices(split, seed)
    predicted, began = np.empty((len(test), len(tasks))), time.process_time()
    with threadpool_limits(1):
        for column, task in enumerate(tasks):
            known = ~np.isnan(y[:, column])
            model = make_pipeline(StandardScaler(), _linear(task))
            model.fit(train[known], y[known, column])
            is_binary = task.kind == "binary"
            found = model.predict_proba(test)[:, 1] if is_binary else model.predict(test)
            predicted[:, column] = found
    seconds = time.process_time() - began
    return Learned(split.known_tests(tasks, predicted), seconds, len(tasks), 0)


def _linear(task: Task) -> RidgeCV | LogisticRegressionCV:
    if task.kind == "binary":
        fixed = {"l1_ratios": (0,), "use_legacy_attributes": False, "max_iter": 1000}
        return LogisticRegressionCV(cv=5, scoring="neg_log_loss", **fixed)
    return RidgeCV(RIDGE_STRENGTHS)


def _class_one(model: RandomForestClassifier, test: np.ndarray) -> np.ndarray:
    """[rows × tasks]; a class that training never saw has probability 0."""
    found, classes = model.predict_proba(test), model.classes_
    if not isinstance(found, list):
        found, classes = [found], [classes]
    return np.column_stack([p @ (c == 1) for p, c in zip(found, classes, strict=True)])


def _matrices(split: JointSplit, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features and responses of the known rows, features of the test rows."""
    problem, test = whole_problem(split, seed, JointReader)
    known = problem.train
    texts = pd.get_dummies(pd.concat([known.texts, test.texts]), dtype=float)
    medians = texts[: len(known.y)].median().fillna(0)
    matrix = texts.fillna(medians).to_numpy()
    return matrix[: len(known.y)], known.y, matrix[len(known.y) :]
