"""Weights of rows: sample_weight, the column of weights, and those of classes."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_array

from softwood._core import Column, Error, Table

Floats = NDArray[np.float64]


def row_weights(
    table: Table, sample_weight: Any, column: str | None, factors: Floats | None
) -> Floats | None:
    """Of sample_weight or else of the column, times the factors; None: all rows weigh alike."""
    if sample_weight is None and factors is None:
        return None
    if sample_weight is not None and column is not None:
        raise Error(
            f"weights come from sample_weight and from the column {column!r}; give one of them."
        )
    weights = table[column] if sample_weight is None and column is not None else sample_weight
    own: Floats = weight_column("w", weights, table.num_rows)["w"]
    return own if factors is None else own * factors


def weight_column(name: str, sample_weight: Any, num_rows: int) -> Table:
    """Of ones if there are no weights."""
    if sample_weight is None:
        sample_weight = 1.0
    if isinstance(sample_weight, Real):
        weights = np.full(num_rows, float(sample_weight))
    else:
        weights = check_array(
            sample_weight, ensure_2d=False, dtype=np.float64, input_name="sample_weight"
        )
        if weights.ndim != 1:
            raise Error("Sample weights must be 1D array or scalar.")
        if len(weights) != num_rows:
            raise Error(f"sample_weight.shape == {weights.shape}, expected ({num_rows},)!")
    return Table([Column.numeric(name, np.ascontiguousarray(weights))])


def weights_of_classes(class_weight: Any, classes: NDArray[Any], codes: NDArray[Any]) -> Floats:
    """One for each class; `codes` are those of the rows that are learned.

    Throws Error for anything but a mapping of classes to weights or "balanced".
    """
    if isinstance(class_weight, Mapping):
        unknown = [label for label in class_weight if label not in set(classes.tolist())]
        if unknown:
            raise Error(
                f"class_weight: {unknown[0]!r} is no class of y; they are {classes.tolist()}."
            )
        return np.array([float(class_weight.get(label, 1.0)) for label in classes.tolist()])
    if not isinstance(class_weight, str) or class_weight != "balanced":
        raise Error(
            f"class_weight is {class_weight!r}; it must be 'balanced' or a dict of classes and "
            "their weights."
        )
    present = np.unique(codes)  # later rows may lack some
    weights = np.ones(len(classes))
    weights[present] = compute_class_weight("balanced", classes=present, y=codes)
    return weights
