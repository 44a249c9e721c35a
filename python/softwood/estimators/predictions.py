"""Arrays from a table of predictions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from softwood._core import Table
from softwood.estimators.responses import classes_of_labels


def probabilities(table: Table, task: dict[str, Any], prefix: str = "") -> NDArray[np.float64]:
    """[rows × classes]"""
    return np.column_stack([table[f"{prefix}probability_{label}"] for label in task["labels"]])


def first_prediction(
    table: Table,
    task: dict[str, Any],
    prefix: str = "",
    classes: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """The class (among `classes`, or the model's labels); or the first that the loss names, all
    components of it."""
    if task["is_classifier"]:
        likeliest = probabilities(table, task, prefix).argmax(axis=1)
        found: NDArray[Any] = (classes_of_labels(task) if classes is None else classes)[likeliest]
        return found
    columns = [np.array(table[prefix + name]) for name in task["first_prediction"]]
    return columns[0] if len(columns) == 1 else np.column_stack(columns)
