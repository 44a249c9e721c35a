"""What estimators make of a response: a column of a table."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length

from softwood._core import Column, ColumnKind, Error, Table
from softwood.estimators.cells import known_cells


def name_of_response(y: Any) -> str | None:
    """A Series' name, or that of a frame's only column."""
    name = getattr(y, "name", None)
    if name is None and len(getattr(y, "columns", ())) == 1:
        name = y.columns[0]
    return name if isinstance(name, str) and name else None


def free_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, or with as many underscores as it takes to be no other's."""
    while wanted in taken:
        wanted += "_"
    return wanted


def number_column(estimator: Any, target: str, y: Any, num_rows: int | None = None) -> Table:
    """Numbers to learn; NaN is missing."""
    if y is None:
        raise nothing_to_learn(estimator)
    known, is_known = known_cells(y)
    _check_length(num_rows, is_known)
    if known.dtype.kind in "OUT":
        known = _numbers_of_texts(known)
    if known.dtype.kind not in "biuf":
        raise Error(f"y is of type {known.dtype}; SoftTreeRegressor needs numbers.")
    if np.isinf(known).any():
        raise Error("Input y contains infinity or a value too large for dtype('float64').")
    if len(is_known) and not len(known):
        raise Error("Input y contains NaN alone: there is nothing to learn.")
    return Table([Column.numeric(target, _with_holes(known, is_known))])


def _numbers_of_texts(known: NDArray[Any]) -> NDArray[np.float64]:
    try:
        return known.astype(np.float64)
    except (TypeError, ValueError):
        raise Error(
            f"y holds {next(v for v in known.tolist() if not _is_number(v))!r}; "
            "SoftTreeRegressor needs numbers. For classes use SoftTreeClassifier."
        ) from None


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def _with_holes(known: NDArray[Any], is_known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """All rows, NaN where nothing is known."""
    if is_known.all():
        return np.ascontiguousarray(known, dtype=np.float64)
    numbers = np.full(len(is_known), np.nan)
    numbers[is_known] = known
    return numbers


def class_column(
    estimator: Any, target: str, y: Any, num_rows: int | None = None
) -> tuple[NDArray[Any], Table]:
    """The classes in order, in the kind that y has them, and their column: numbers if they are
    numbers or truths, texts otherwise."""
    if y is None:
        raise nothing_to_learn(estimator)
    known, is_known = known_cells(y)
    _check_length(num_rows, is_known)
    if len(is_known) and not len(known):
        raise Error("Input y contains NaN alone: there are no classes to learn.")
    if known.dtype.kind == "f" and np.isinf(known).any():
        raise Error("Input y contains infinity or a value too large for dtype('float64').")
    check_classification_targets(known)
    found, codes = np.unique(known, return_inverse=True)
    if found.dtype.kind in "biuf":
        return found, Table([Column.numeric(target, _with_holes(known, is_known))])
    all_codes = np.full(len(is_known), -1, dtype=np.int32)
    all_codes[is_known] = codes
    return found, Table([Column.categorical(target, all_codes, [str(each) for each in found])])


def class_codes(column: Column, classes: NDArray[Any]) -> NDArray[np.int64]:
    """The place of each row's class among the classes; -1 where it is missing."""
    if column.kind == ColumnKind.categorical:
        places = {str(label): place for place, label in enumerate(classes.tolist())}
        by_level = [places[level] for level in column.levels]
        return np.array([*by_level, -1], dtype=np.int64)[column.codes]
    values = column.to_numpy()
    in_order = np.argsort(classes)
    found = np.searchsorted(classes.astype(np.float64)[in_order], values)
    codes = in_order[np.minimum(found, len(in_order) - 1)]  # NaN comes after all
    return np.where(np.isnan(values), -1, codes)


def classes_of_labels(task: dict[str, Any]) -> NDArray[Any]:
    """Classes of a model from a file: whole numbers, numbers or texts."""
    if not task["target_is_numeric"]:
        return np.array(task["labels"], dtype=object)
    numbers = np.array(task["labels"], dtype=np.float64)
    return numbers.astype(np.int64) if (numbers == np.floor(numbers)).all() else numbers


def classes_like(task: dict[str, Any], y: Any) -> NDArray[Any]:
    """The classes of a task that was learned from y, in the kind that y has them."""
    classes = classes_of_labels(task)
    try:
        own = np.unique(known_cells(y)[0])
    except (TypeError, ValueError):  # tables take more than NumPy knows to compare
        return classes
    as_label = float if task["target_is_numeric"] else text_of_label
    by_label = {as_label(each): each for each in own.tolist()}
    found = [by_label.get(label) for label in classes.tolist()]
    return classes if None in found else np.array(found, dtype=own.dtype)


def text_of_label(label: Any) -> str:
    """As a table writes it: 3, not 3.0."""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


def nothing_to_learn(estimator: Any) -> Error:
    """What to say if there is no y."""
    return Error(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")


def _check_length(num_rows: int | None, values: NDArray[Any]) -> None:
    if num_rows is not None:
        check_consistent_length(np.empty(num_rows), values)
