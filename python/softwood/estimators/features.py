"""What estimators make of X: a table, with scikit-learn's checks of width and names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from softwood._core import Error, Table
from softwood.data import as_table
from softwood.model import Model

_LEAST_ROWS = 2  # to learn from


def check_features(
    estimator: Any, X: Any, *, reset: bool, leave_out: Collection[str] = ()
) -> Table:
    """X as a table whose columns are called as in training.

    `reset`: this is training; remembers names and width. Otherwise they are checked: frames have
    the columns of training by name, arrays as many. Columns in `leave_out` are responses.
    """
    if not reset and estimator._column_names is None:
        table = _for_model_of_file(estimator, X)
    elif _is_frame(X):
        table = _from_frame(estimator, X, reset, leave_out)
    elif _is_table(X):
        table = _from_table(estimator, X, reset, leave_out)
    else:
        table = _from_array(estimator, X, reset)
    _check_size(estimator, table, reset)
    _refuse_infinity(table)
    if reset:
        estimator._column_names = table.names
        estimator._column_kinds = {name: table.kind(name) for name in table.names}
    return table


def features_of_file(estimator: Any, model: Model) -> None:
    """For a model from a file, which knows only the columns that it reads."""
    estimator._column_names = None
    estimator._column_kinds = model._core.read_as(False, True)
    estimator.n_features_in_ = len(model.features)
    estimator.feature_names_in_ = np.asarray(model.features, dtype=object)


def _kinds(estimator: Any, reset: bool = False) -> dict[str, Any] | None:
    """Columns mean what they meant in training: texts stay texts, numbers numbers."""
    return None if reset else estimator._column_kinds


def _is_frame(X: Any) -> bool:
    """A pandas or polars DataFrame, which scikit-learn knows."""
    module = type(X).__module__.partition(".")[0]
    return module in ("pandas", "polars") and hasattr(X, "columns")


def _is_table(X: Any) -> bool:
    """Not scipy's dictionaries of keys: they are matrices."""
    if hasattr(X, "tocsr"):
        return False
    return isinstance(X, (Table, dict)) or hasattr(X, "__arrow_c_stream__")


def _from_frame(estimator: Any, X: Any, reset: bool, leave_out: Collection[str]) -> Table:
    kept = [name for name in X.columns if name not in leave_out]
    X = X if len(kept) == len(X.columns) else X[kept]
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    by_position = not reset and not hasattr(estimator, "feature_names_in_")
    names = estimator._column_names if by_position else None
    return as_table(X, names=names, read_as=_kinds(estimator, reset))


def _from_table(estimator: Any, X: Any, reset: bool, leave_out: Collection[str]) -> Table:
    """By name: other columns, and another order, do not matter."""
    table = as_table(X, read_as=_kinds(estimator, reset))
    if reset:
        table = table[[name for name in table.names if name not in leave_out]]
        estimator.n_features_in_ = len(table.names)
        estimator.feature_names_in_ = np.asarray(table.names, dtype=object)
        return table
    names: list[str] = estimator._column_names
    return table[names]


def _for_model_of_file(estimator: Any, X: Any) -> Table:
    """The model finds its columns by name; an array has just those that the trees read."""
    if _is_frame(X) or _is_table(X):
        return as_table(X, read_as=_kinds(estimator))
    names = estimator.model_.features
    table = as_table(X)
    if len(table.names) != len(names):
        raise Error(
            f"X has {len(table.names)} features, but {type(estimator).__name__} is expecting "
            f"{len(names)} features as input: {names}."
        )
    return as_table(table, names=names, read_as=_kinds(estimator))


def _from_array(estimator: Any, X: Any, reset: bool) -> Table:
    checked = validate_data(
        estimator,
        X,
        reset=reset,
        dtype=None,
        accept_sparse=("csr", "csc", "coo"),
        ensure_all_finite="allow-nan",
        ensure_min_samples=_LEAST_ROWS if reset else 0,
    )
    names = None if reset else estimator._column_names
    return as_table(checked, names=names, read_as=_kinds(estimator, reset))


def _check_size(estimator: Any, table: Table, reset: bool) -> None:
    rows, columns = table.shape
    for count, what, minimum in (
        (columns, "feature", 1),
        (rows, "sample", _LEAST_ROWS if reset else 0),
    ):
        if count < minimum:
            raise Error(
                f"Found array with {count} {what}(s) (shape=({rows}, {columns})) while a minimum "
                f"of {minimum} is required by {type(estimator).__name__}."
            )


def _refuse_infinity(table: Table) -> None:
    place = table.find_infinite()
    if place is not None:
        column, row = place
        raise Error(
            f"Input X contains infinity: column {column!r}, row {row}. Give a large number, or NaN "
            "for missing."
        )
