"""Boosting with early stopping on the same validation rows; one thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.accuracy.splits import PARTS, Split

LEARNING_RATE = 0.05
MAX_ROUNDS = 5000
PATIENCE = 50


@dataclass
class Outcome:
    """`predicted` as `scores.error` takes it; `size` counts rounds, or trees."""

    predicted: np.ndarray | pd.DataFrame
    seconds: float
    size: int


@dataclass
class Arrays:
    """One part of a split as the boosting libraries take it."""

    features: pd.DataFrame
    y: np.ndarray
    exposure: np.ndarray


def prepare(split: Split) -> tuple[dict[str, Arrays], list[str]]:
    """Categories and labels are those of the training rows; others become missing."""
    spec, frames = split.spec, {part: split.frame(part) for part in PARTS}
    train = frames["train"]
    features = [name for name in train if name not in (spec.target, spec.exposure)]
    levels = {c: sorted(train[c].dropna().unique()) for c in features if train[c].dtype == object}
    dtypes = {name: pd.CategoricalDtype(values) for name, values in levels.items()}
    labels = sorted(train[spec.target].astype(str).unique())
    codes = {label: code for code, label in enumerate(labels)}

    def arrays(frame: pd.DataFrame) -> Arrays:
        y = frame[spec.target]
        classes = spec.kind in ("binary", "multiclass")
        exposure = frame[spec.exposure] if spec.exposure else np.ones(len(frame))
        return Arrays(
            # XGBoost refuses some characters in names, so columns go by number.
            frame[features]
            .astype(dtypes)
            .set_axis([f"x{i}" for i in range(len(features))], axis=1),
            # A label unseen in training trains nothing; as a validation row it counts as the first.
            y.astype(str).map(codes).fillna(0).to_numpy() if classes else y.to_numpy(float),
            np.asarray(exposure, float),
        )

    return {part: arrays(frame) for part, frame in frames.items()}, labels


def xgboost(split: Split, seed: int) -> Outcome:
    import xgboost as xgb

    kind = split.spec.kind
    parts, labels = prepare(split)
    objective = {
        "regression": "reg:squarederror",
        "binary": "binary:logistic",
        "multiclass": "multi:softprob",
        "count": "count:poisson",
    }[kind]
    settings = {"objective": objective, "learning_rate": LEARNING_RATE, "tree_method": "hist"}
    settings |= {"nthread": 1, "seed": seed}
    if kind == "multiclass":
        settings["num_class"] = len(labels)
    # Log exposure plus the log of the overall rate: the constant model is where boosting starts.
    rate = parts["train"].y.sum() / parts["train"].exposure.sum()
    margin = (lambda part: np.log(part.exposure * rate)) if split.spec.exposure else lambda _: None

    def matrix(part: Arrays) -> xgb.DMatrix:
        return xgb.DMatrix(
            part.features, part.y, base_margin=margin(part), enable_categorical=True, nthread=1
        )

    began = time.perf_counter()
    booster = xgb.train(
        settings,
        matrix(parts["train"]),
        MAX_ROUNDS,
        evals=[(matrix(parts["valid"]), "valid")],
        early_stopping_rounds=PATIENCE,
        verbose_eval=False,
    )
    seconds = time.perf_counter() - began
    rounds = booster.best_iteration + 1
    predicted = booster.predict(matrix(parts["test"]), iteration_range=(0, rounds))
    return Outcome(_labelled(kind, predicted, labels), seconds, rounds)


def hist_gradient_boosting(split: Split, seed: int) -> Outcome:
    """scikit-learn's; it has no offset, so exposure becomes a rate with weights."""
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from threadpoolctl import threadpool_limits

    kind = split.spec.kind
    parts, labels = prepare(split)
    settings = {"learning_rate": LEARNING_RATE, "max_iter": MAX_ROUNDS, "random_state": seed}
    settings |= {"n_iter_no_change": PATIENCE, "early_stopping": True}
    if kind in ("binary", "multiclass"):
        model = HistGradientBoostingClassifier(**settings)
    else:
        loss = "poisson" if kind == "count" else "squared_error"
        model = HistGradientBoostingRegressor(loss=loss, **settings)
    train, valid, test = (parts[part] for part in PARTS)
    began = time.perf_counter()
    with threadpool_limits(1):
        model.fit(
            train.features,
            train.y / train.exposure,
            sample_weight=train.exposure,
            X_val=valid.features,
            y_val=valid.y / valid.exposure,
            sample_weight_val=valid.exposure,
        )
    seconds = time.perf_counter() - began
    if kind in ("binary", "multiclass"):
        predicted = pd.DataFrame(model.predict_proba(test.features), columns=labels)
    else:
        predicted = model.predict(test.features) * test.exposure
    return Outcome(predicted, seconds, model.n_iter_)


def _labelled(kind: str, predicted: np.ndarray, labels: list[str]) -> np.ndarray | pd.DataFrame:
    if kind == "binary":
        predicted = np.column_stack([1 - predicted, predicted])
    return (
        pd.DataFrame(predicted, columns=labels) if kind in ("binary", "multiclass") else predicted
    )


RIVALS: dict[str, Callable[[Split, int], Outcome]] = {
    "xgboost": xgboost,
    "hist_gradient_boosting": hist_gradient_boosting,
}
