"""What estimators make of X: a table, with scikit-learn's checks of width and names."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, validate_data

from softwood._core import ColumnsFor, Error, Table
from softwood.data import as_table, is_pandas, numbers_of_few_rows
from softwood.model import Model

_LEAST_ROWS = 2  # to learn from
# Training warns of a few texts among numbers and takes them for missing; so do predictions.
_ON_ERROR = "missing"
_ARRAY_CHECKS: dict[str, Any] = {
    "accept_sparse": ("csr", "csc", "coo"),
    "ensure_all_finite": "allow-nan",
}


def check_features(
    estimator: Any, X: Any, *, reset: bool, leave_out: Collection[str] = ()
) -> Table:
    """X as a table whose columns are called as in training.

    `reset`: this is training; remembers names and width. Otherwise they are checked: frames have
    the columns of training by name, arrays as many. Columns in `leave_out` are responses, or have
    to do with training alone: they may be there or not.
    """
    plain = None if reset else _plain_numbers(estimator, X)
    if plain is not None:
        table = plain
    elif not reset and estimator._column_names is None:
        table = _for_model_of_file(estimator, X)
    elif _is_frame(X):
        table = _from_frame(estimator, X, reset, leave_out)
    elif _is_table(X):
        table = _from_table(estimator, X, reset, leave_out)
    else:
        table = _from_array(estimator, X, reset, leave_out)
    _check_size(estimator, table, reset)
    _refuse_infinity(table)
    if reset:
        estimator._column_names = table.names
        estimator._column_kinds = {name: table.kind(name).name for name in table.names}
    return table


def _plain_numbers(estimator: Any, X: Any) -> Table | None:
    """A table at once of what would pass all checks: numbers, as wide and called as in training.
    For a row or a few, the checks take longer than the prediction."""
    is_of_file = estimator._column_names is None
    if not is_of_file and estimator._places is not None:
        return None
    names: list[str] = estimator.model_.features if is_of_file else estimator._column_names
    cells: Any = None
    if is_pandas(X):
        if X.ndim == 2 and X.columns.tolist() == names and hasattr(estimator, "feature_names_in_"):
            cells = numbers_of_few_rows(X)
    elif is_of_file or not hasattr(estimator, "feature_names_in_"):
        cells = _numbers_of_array(X)
    if cells is None or cells.shape[1] != len(names) or len(cells) == 0:
        return None
    table = Table.of_matrix(cells, names)
    core = estimator.model_._core
    return table if core.reads_as_it_is(table, ColumnsFor.distributions) else None


def _numbers_of_array(X: Any) -> Any:
    if type(X) is not np.ndarray or X.ndim != 2 or X.dtype.kind not in "iuf":
        return None
    return X.astype(np.float64, copy=False) if X.flags.c_contiguous else None


def columns_of(X: Any, names: Collection[str]) -> Table | None:
    """Those of these columns that X has."""
    if _is_frame(X):
        present = [name for name in X.columns if name in names]
        return as_table(X[present]) if present else None
    if not names:
        return None
    table = as_table(X)
    present = [name for name in table.names if name in names]
    return table[present] if present else None


def features_of_file(estimator: Any, model: Model) -> None:
    """For a model from a file, which knows only the columns that it reads."""
    estimator._column_names = estimator._column_kinds = None
    estimator._places = None
    estimator.n_features_in_ = len(model.features)
    estimator.feature_names_in_ = np.asarray(model.features, dtype=object)


def _kinds(estimator: Any, reset: bool = False) -> dict[str, Any] | None:
    """Columns mean what they meant in training: texts stay texts, numbers numbers."""
    if reset:
        return None
    kinds: dict[str, Any] | None = estimator._column_kinds
    return estimator.model_._core.read_as(ColumnsFor.distributions) if kinds is None else kinds


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
    names = list(X.columns)
    places = [place for place, name in enumerate(names) if name not in leave_out]
    by_position = not reset and not hasattr(estimator, "feature_names_in_")
    if reset:
        _remember_places(estimator, len(names), places)
    elif by_position:
        places = _known_places(estimator, len(names))
    if len(places) < len(names):
        X = X[[names[place] for place in places]]
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    called = estimator._column_names if by_position else None
    return as_table(X, names=called, read_as=_kinds(estimator, reset), on_error=_ON_ERROR)


def _remember_places(estimator: Any, width: int, places: list[int]) -> None:
    """Which columns of training are features: arrays may have the others or not."""
    estimator._places = None if len(places) == width else (width, places)


def _known_places(estimator: Any, width: int) -> list[int]:
    """The features among so many columns."""
    if estimator._places is None or estimator._places[0] != width:
        return list(range(width))
    places: list[int] = estimator._places[1]
    return places


def _from_table(estimator: Any, X: Any, reset: bool, leave_out: Collection[str]) -> Table:
    """By name: other columns, and another order, do not matter."""
    table = as_table(X, read_as=_kinds(estimator, reset), on_error=_ON_ERROR)
    if reset:
        places = [place for place, name in enumerate(table.names) if name not in leave_out]
        _remember_places(estimator, len(table.names), places)
        table = table[[table.names[place] for place in places]]
        estimator.n_features_in_ = len(table.names)
        estimator.feature_names_in_ = np.asarray(table.names, dtype=object)
        return table
    names: list[str] = estimator._column_names
    return table[names]


def _for_model_of_file(estimator: Any, X: Any) -> Table:
    """The model finds its columns by name; an array has just those that the trees read."""
    if _is_frame(X) or _is_table(X):
        return as_table(X, read_as=_kinds(estimator), on_error=_ON_ERROR)
    names = estimator.model_.features
    table = as_table(X)
    if len(table.names) != len(names):
        raise Error(
            f"X has {len(table.names)} features, but {type(estimator).__name__} is expecting "
            f"{len(names)} features as input: {names}."
        )
    return as_table(table, names=names, read_as=_kinds(estimator), on_error=_ON_ERROR)


def _from_array(estimator: Any, X: Any, reset: bool, leave_out: Collection[str]) -> Table:
    if not reset and estimator._places is not None:
        X = check_array(X, dtype=None, **_ARRAY_CHECKS, ensure_min_samples=0)
        places = _known_places(estimator, X.shape[1])
        X = X if len(places) == X.shape[1] else _some_columns(X, places)
    least = _LEAST_ROWS if reset else 0
    checked = validate_data(
        estimator, X, reset=reset, dtype=None, **_ARRAY_CHECKS, ensure_min_samples=least
    )
    names = None if reset else estimator._column_names
    table = as_table(checked, names=names, read_as=_kinds(estimator, reset), on_error=_ON_ERROR)
    if reset:
        places = [place for place, name in enumerate(table.names) if name not in leave_out]
        _remember_places(estimator, len(table.names), places)
        table = table[[table.names[place] for place in places]]
        estimator.n_features_in_ = len(places)
    return table


def _some_columns(X: Any, places: list[int]) -> Any:
    return (X.tocsc() if hasattr(X, "tocsc") else X)[:, places]


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
