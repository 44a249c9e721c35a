"""The error of a prediction: lower is better, and ratios of it mean something."""

from __future__ import annotations

import numpy as np
import pandas as pd

METRICS = {
    "regression": "1 - R2",
    "binary": "log-loss",
    "multiclass": "log-loss",
    "count": "Poisson deviance",
}


def error(kind: str, y: pd.Series, predicted: np.ndarray | pd.DataFrame) -> float:
    """`predicted`: means (regression, count), or one column of probabilities per label.

    A label that training never saw counts as probability 1e-15, as 0 does."""
    if kind not in ("binary", "multiclass"):
        return coded_error(kind, y.to_numpy(float), np.asarray(predicted, float))
    column = {name: index for index, name in enumerate(predicted.columns)}
    unseen = len(column)
    codes = np.array([column.get(label, unseen) for label in y.astype(str)])
    return coded_error(
        kind, codes, np.column_stack([predicted.to_numpy(float), np.zeros(len(codes))])
    )


def coded_error(kind: str, y: np.ndarray, predicted: np.ndarray) -> float:
    """The same, with labels as column numbers of `predicted`."""
    if kind == "regression":
        return float(np.mean((y - predicted) ** 2) / np.mean((y - y.mean()) ** 2))
    if kind == "count":
        return poisson_deviance(y, predicted)
    chosen = predicted[np.arange(len(y)), y.astype(int)]
    return float(-np.mean(np.log(np.clip(chosen, 1e-15, 1))))


def poisson_deviance(y: np.ndarray, mean: np.ndarray) -> float:
    logs = np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / mean), 0)
    return float(2 * np.mean(logs - y + mean))
