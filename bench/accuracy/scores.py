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
    """`predicted`: means (regression, count), or one column of probabilities per label."""
    if kind == "regression":
        return float(np.mean((y - predicted) ** 2) / np.mean((y - y.mean()) ** 2))
    if kind == "count":
        return poisson_deviance(y.to_numpy(float), np.asarray(predicted, float))
    return log_loss(y.astype(str), predicted)


def poisson_deviance(y: np.ndarray, mean: np.ndarray) -> float:
    logs = np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / mean), 0)
    return float(2 * np.mean(logs - y + mean))


def log_loss(labels: pd.Series, probabilities: pd.DataFrame) -> float:
    """A label that training never saw counts as probability 1e-15, as 0 does."""
    column = {name: index for index, name in enumerate(probabilities.columns)}
    values = np.column_stack([probabilities.to_numpy(float), np.zeros(len(labels))])
    chosen = values[np.arange(len(labels)), [column.get(label, -1) for label in labels]]
    return float(-np.mean(np.log(np.clip(chosen, 1e-15, 1))))
