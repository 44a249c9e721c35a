"""What estimators make of several responses at once."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from softwood._core import ColumnKind, Error, Table
from softwood.data import as_table
from softwood.estimators.features import check_features
from softwood.estimators.responses import free_name, name_of_response, nothing_to_learn


def response_table(
    estimator: Any,
    X: Any,
    y: Any,
    wanted: list[str] | None,
    *,
    reset: bool = True,
    leave_out: Collection[str] = (),
) -> tuple[Table, Table]:
    """Features and responses of several tasks. Without y, the responses are columns of X."""
    leave_out = [*(wanted or ()), *leave_out]
    features = check_features(estimator, X, reset=reset, leave_out=leave_out)
    if y is None:
        if wanted is None:
            raise nothing_to_learn(estimator)
        return features, as_table(X)[wanted]
    responses = _named_responses(y, wanted, features.names)
    if responses.num_rows != features.num_rows:
        raise Error(
            "Found input variables with inconsistent numbers of samples: "
            f"[{features.num_rows}, {responses.num_rows}]"
        )
    _check_responses(responses)
    return features, responses


def response_of(y: Any, names: list[str], name: str) -> Any:
    """One of them, as y has it."""
    if isinstance(y, (dict, Table)):
        return y[name]
    if type(y).__module__.partition(".")[0] in ("pandas", "polars", "pyarrow"):
        return y[name] if len(getattr(y, "shape", ())) == 2 else y
    if _has_names(y):
        return as_table(y, looks_at_texts=False)[name]
    columns = np.asarray(y)
    return columns if columns.ndim == 1 else columns[:, names.index(name)]


def _has_names(y: Any) -> bool:
    is_table = hasattr(y, "columns") or isinstance(y, (dict, Table))
    return is_table or hasattr(y, "__arrow_c_stream__")


def _named_responses(y: Any, wanted: list[str] | None, taken: list[str]) -> Table:
    if _has_names(y):
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
