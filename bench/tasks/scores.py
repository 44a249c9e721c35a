"""The errors of bench.accuracy, and what it does not have: Tweedie's deviance and the AUC."""

from __future__ import annotations

import numpy as np
import pandas as pd

from bench.accuracy.scores import METRICS as PLAIN_METRICS
from bench.accuracy.scores import coded_error

TWEEDIE_POWER = 1.5
METRICS = {**PLAIN_METRICS, "tweedie": "Tweedie deviance"}


def error(kind: str, y: np.ndarray, predicted: np.ndarray) -> float:
    """`predicted`: means, or the probability of class 1; [rows], as is `y`. Where all `y` of a
    regression are the same there is no R²: not a number."""
    if kind == "regression" and (y == y[:1]).all():
        return float("nan")
    if kind == "tweedie":
        return tweedie_deviance(y, predicted)
    if kind == "binary":
        predicted = np.column_stack([1 - predicted, predicted])
    return coded_error(kind, y, predicted)


def tweedie_deviance(y: np.ndarray, mean: np.ndarray, power: float = TWEEDIE_POWER) -> float:
    """Twice the mean of y^(2-p)/((1-p)(2-p)) - y mean^(1-p)/(1-p) + mean^(2-p)/(2-p)."""
    above, below = 2 - power, 1 - power
    terms = y**above / (below * above) - y * mean**below / below + mean**above / above
    return float(2 * np.mean(terms))


def auc(y: np.ndarray, predicted: np.ndarray) -> float | None:
    """The chance that a row of class 1 is ranked above one of class 0; nothing without both."""
    ones = int((y == 1).sum())
    zeros = len(y) - ones
    if not ones or not zeros:
        return None
    ranks = pd.Series(predicted).rank().to_numpy()
    return float((ranks[y == 1].sum() - ones * (ones + 1) / 2) / (ones * zeros))
