"""What estimators make of y and sample_weight: columns of a table."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from softwood._core import Column, ColumnKind, Error, Table
from softwood.data import as_table
from softwood.estimators.features import check_features


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
        raise _nothing_to_learn(estimator)
    values = _cells(y)
    if values.dtype == object:
        try:
            values = values.astype(np.float64)
        except (TypeError, ValueError):
            raise Error(
                f"y holds {next(v for v in values if not isinstance(v, (int, float)))!r}; "
                "SoftTreeRegressor needs numbers. For classes use SoftTreeClassifier."
            ) from None
    if values.dtype.kind not in "biuf":
        raise Error(f"y is of type {values.dtype}; SoftTreeRegressor needs numbers.")
    values = np.ascontiguousarray(values, dtype=np.float64)
    _check_length(num_rows, values)
    if np.isinf(values).any():
        raise Error("Input y contains infinity or a value too large for dtype('float64').")
    if len(values) and np.isnan(values).all():
        raise Error("Input y contains NaN alone: there is nothing to learn.")
    return Table([Column.numeric(target, values)])


def class_column(
    estimator: Any, target: str, y: Any, num_rows: int | None = None
) -> tuple[NDArray[Any], Table]:
    """The classes in order, and their column: numbers if they are numbers, texts otherwise."""
    if y is None:
        raise _nothing_to_learn(estimator)
    values = _cells(y)
    _check_length(num_rows, values)
    is_known = ~_missing(values)
    if len(values) and not is_known.any():
        raise Error("Input y contains NaN alone: there are no classes to learn.")
    known = values[is_known]
    if known.dtype.kind == "f" and np.isinf(known).any():
        raise Error("Input y contains infinity or a value too large for dtype('float64').")
    if known.dtype == object and not all(isinstance(value, str) for value in known):
        known = np.array(known.tolist())  # numbers in an array of objects
    check_classification_targets(known)
    found, codes = np.unique(known, return_inverse=True)
    if found.dtype.kind in "biuf":
        numbers = np.full(len(values), np.nan)
        numbers[is_known] = known
        return found, Table([Column.numeric(target, numbers)])
    all_codes = np.full(len(values), -1, dtype=np.int32)
    all_codes[is_known] = codes
    return found, Table([Column.categorical(target, all_codes, [str(each) for each in found])])


def classes_of_labels(task: dict[str, Any]) -> NDArray[Any]:
    """Classes of a model from a file: whole numbers, numbers or texts."""
    if not task["target_is_numeric"]:
        return np.array(task["labels"], dtype=object)
    numbers = np.array(task["labels"], dtype=np.float64)
    return numbers.astype(np.int64) if (numbers == np.floor(numbers)).all() else numbers


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


def response_table(
    estimator: Any, X: Any, y: Any, wanted: list[str] | None, *, reset: bool = True
) -> tuple[Table, Table]:
    """Features and responses of several tasks. Without y, the responses are columns of X."""
    if y is None:
        if wanted is None:
            raise _nothing_to_learn(estimator)
        responses = as_table(X)[wanted]
        return check_features(estimator, X, reset=reset, leave_out=wanted), responses
    features = check_features(estimator, X, reset=reset, leave_out=wanted or ())
    responses = _named_responses(y, wanted, features.names)
    if responses.num_rows != features.num_rows:
        raise Error(
            "Found input variables with inconsistent numbers of samples: "
            f"[{features.num_rows}, {responses.num_rows}]"
        )
    _check_responses(responses)
    return features, responses


def _named_responses(y: Any, wanted: list[str] | None, taken: list[str]) -> Table:
    if hasattr(y, "columns") or isinstance(y, (dict, Table)) or hasattr(y, "__arrow_c_stream__"):
        table = as_table(y, looks_at_texts=False)
        return table if wanted is None else table[wanted]
    y = check_array(y, ensure_2d=False, dtype=None, ensure_all_finite="allow-nan", input_name="y")
    columns = y.reshape(len(y), -1)
    count = columns.shape[1]
    if wanted is None:
        base = name_of_response(y) or "y"
        wanted = [base] if count == 1 else [f"y{i + 1}" for i in range(count)]
        wanted = [free_name(name, taken) for name in wanted]
    if len(wanted) != count:
        raise Error(f"y has {count} columns, but there are {len(wanted)} tasks: {wanted}.")
    return as_table(columns, names=wanted, looks_at_texts=False)


def _check_responses(responses: Table) -> None:
    place = responses.find_infinite()
    if place is not None:
        raise Error(
            "Input y contains infinity or a value too large for dtype('float64'): "
            f"column {place[0]!r}, row {place[1]}."
        )
    for name in responses.names:
        is_numeric = responses.kind(name) == ColumnKind.numeric
        if is_numeric and responses.num_rows and np.isnan(responses[name]).all():
            raise Error(f"Input y contains NaN alone in {name!r}: there is nothing to learn.")


def _nothing_to_learn(estimator: Any) -> Error:
    return Error(f"{type(estimator).__name__} requires y to be passed, but the target y is None.")


def _cells(y: Any) -> NDArray[Any]:
    """One dimension; what frames call missing is NaN or None."""
    if hasattr(y, "__arrow_c_stream__") or type(y).__module__.startswith(("pandas", "polars")):
        table = as_table(y, looks_at_texts=False)
        if len(table.names) == 1:
            return np.asarray(table[table.names[0]])
    return np.asarray(column_or_1d(y, warn=True))


def _missing(values: NDArray[Any]) -> NDArray[np.bool_]:
    if values.dtype.kind == "f":
        missing: NDArray[np.bool_] = np.isnan(values)
        return missing
    if values.dtype == object:
        return np.array([value is None or value != value for value in values], dtype=bool)
    return np.zeros(len(values), dtype=bool)


def _check_length(num_rows: int | None, values: NDArray[Any]) -> None:
    if num_rows is not None:
        check_consistent_length(np.empty(num_rows), values)
