"""Rows a second of whole tables, beside boosters that the validation rows have stopped.

Everybody gets what is quickest for it, ready in memory: we a Table, XGBoost a DMatrix and, by
inplace_predict, an array, LightGBM an array (frames, where there are categories). A DMatrix is
made anew each time, out of the clock, for XGBoost remembers what it has predicted of one. One
thread and its processor time, which other work on the machine moves little; the test rows again and
again until they are enough.
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import softwood
import xgboost

from bench.accuracy.boosters import LEARNING_RATE, MAX_ROUNDS, PATIENCE
from bench.accuracy.ours import Ours, loss_of, run_command
from bench.accuracy.problem import Arrays, Problem, problem_of
from bench.accuracy.scores import coded_error
from bench.accuracy.splits import Split, make_split
from bench.accuracy.tables import select_groups

TABLES = ["cal_housing", "adult", "magic04", "kin8nm", "covtype_20k", "diamonds"]
_ROWS, _ROUNDS, _THREADS, _SEED = 10_000, 3, 1, 0


@dataclass
class Side:
    """Who predicts what `ready` makes; the first rows of the answer are the test rows."""

    name: str
    ready: Callable[[], Any]
    predict: Callable[[Any], np.ndarray]
    trees: int


def run(data: Path, cache: Path, tables: list[str], prepare: bool) -> None:
    """Prints a line per table and method."""
    print(f"{'table':<14}{'method':<10}{'trees':>6}{'error':>9}{'rows/CPU s':>12}{'ours/its':>9}")
    for name in tables:
        spec = select_groups(name, 0)["chosen"][0]
        split = make_split(data, cache, spec, _SEED)
        models = _trained(split, cache / f"{name}.models")
        if not prepare:
            _compare(split, models)


def _trained(split: Split, path: Path) -> dict[str, bytes]:
    """All three models, in files' bytes."""
    if path.exists():
        return pickle.loads(path.read_bytes())
    problem, _ = problem_of(split, _SEED)
    ours = path.with_suffix(".softwood")
    command = [os.environ["SOFTWOOD"], "train", split.path("train")]
    command += ["--valid", split.path("valid"), "--target", split.spec.target, "-q", "-o", ours]
    run_command([*command, "--loss", loss_of(split.spec), *Ours().arguments])
    models = {
        "softwood": ours.read_bytes(),
        "xgboost": _xgboost(problem),
        "lightgbm": _lightgbm(problem).encode(),
    }
    path.write_bytes(pickle.dumps(models))
    return models


def _xgboost(problem: Problem) -> bytes:
    objectives = {"regression": "reg:squarederror", "binary": "binary:logistic"}
    options = {"objective": objectives.get(problem.kind, "multi:softprob")}
    options |= {"tree_method": "hist", "learning_rate": LEARNING_RATE}
    if problem.kind == "multiclass":
        options["num_class"] = len(problem.labels)
    model = xgboost.train(
        options,
        _matrix(problem.train),
        MAX_ROUNDS,
        evals=[(_matrix(problem.valid), "valid")],
        early_stopping_rounds=PATIENCE,
        verbose_eval=False,
    )
    return bytes(model[: model.best_iteration + 1].save_raw())


def _matrix(rows: Arrays) -> xgboost.DMatrix:
    return xgboost.DMatrix(rows.features, rows.y, enable_categorical=True)


def _lightgbm(problem: Problem) -> str:
    objectives = {"regression": "regression", "binary": "binary"}
    options = {"objective": objectives.get(problem.kind, "multiclass"), "verbosity": -1}
    options |= {"learning_rate": LEARNING_RATE, "num_threads": _THREADS}
    if problem.kind == "multiclass":
        options["num_class"] = len(problem.labels)
    train = lightgbm.Dataset(problem.train.features, problem.train.y)
    model = lightgbm.train(
        options,
        train,
        MAX_ROUNDS,
        valid_sets=[lightgbm.Dataset(problem.valid.features, problem.valid.y, reference=train)],
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )
    return model.model_to_string(num_iteration=model.best_iteration)


def _compare(split: Split, models: dict[str, bytes]) -> None:
    problem, test = problem_of(split, _SEED)
    frame = split.frames()["test"]
    places = np.arange(_ROWS) % len(frame)
    sides = [
        _our_side(models["softwood"], frame.iloc[places], problem),
        *_xgboost_sides(models["xgboost"], test, places),
        _lightgbm_side(models["lightgbm"], test, places),
    ]
    seconds = {side.name: np.inf for side in sides}
    for _ in range(_ROUNDS):
        for side in sides:
            rows = side.ready()
            start = time.process_time()
            side.predict(rows)
            seconds[side.name] = min(seconds[side.name], time.process_time() - start)
    for side in sides:
        known = min(len(frame), _ROWS)
        predicted = side.predict(side.ready())[:known]
        error = coded_error(problem.kind, test.y[:known], _per_class(problem, predicted))
        rate = _ROWS / seconds[side.name]
        ratio = seconds[side.name] / seconds["softwood"]
        line = f"{split.spec.name:<14}{side.name:<10}{side.trees:>6}{error:9.4f}"
        print(f"{line}{rate:12,.0f}{ratio:9.2f}", flush=True)


def _per_class(problem: Problem, predicted: np.ndarray) -> np.ndarray:
    is_second = problem.kind == "binary" and predicted.ndim == 1
    return np.column_stack([1 - predicted, predicted]) if is_second else predicted


def _our_side(file: bytes, frame: pd.DataFrame, problem: Problem) -> Side:
    model = softwood._core.Model.from_bytes(file)
    table = softwood.as_table(frame, read_as=model.read_as(softwood._core.ColumnsFor.predictions))
    asked = {"quantiles": [], "intervals": [], "prob_above": [], "samples": 0, "seed": 0}

    def predict(table: softwood.Table) -> np.ndarray:
        answer = model.predict(table, **asked, moments=False, threads=_THREADS, on_note=print)
        if problem.is_classes:
            return np.column_stack([answer[f"probability_{label}"] for label in problem.labels])
        return answer["mean"]

    return Side("softwood", lambda: table, predict, model.num_trees)


def _xgboost_sides(file: bytes, test: Arrays, places: np.ndarray) -> list[Side]:
    model = xgboost.Booster(model_file=bytearray(file))
    model.set_param({"nthread": _THREADS})
    features = test.features.iloc[places]
    trees = len(model.get_dump())

    def matrix() -> xgboost.DMatrix:
        return xgboost.DMatrix(features, enable_categorical=True, nthread=_THREADS)

    sides = [Side("xgboost", matrix, model.predict, trees)]
    if not any(str(dtype) == "category" for dtype in features.dtypes):
        cells = features.to_numpy(np.float32)
        sides.append(Side("in place", lambda: cells, model.inplace_predict, trees))
    return sides


def _lightgbm_side(file: bytes, test: Arrays, places: np.ndarray) -> Side:
    model = lightgbm.Booster(model_str=file.decode())
    features = test.features.iloc[places]
    if not any(str(dtype) == "category" for dtype in features.dtypes):
        features = features.to_numpy(np.float64)
    return Side(
        "lightgbm",
        lambda: features,
        lambda rows: model.predict(rows, num_threads=_THREADS),
        model.num_trees(),
    )
