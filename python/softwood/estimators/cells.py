"""The cells of a response in the kind that its owner gave them: numbers, truths or texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d

from softwood._core import Error, Table
from softwood.data import as_table
from softwood.data.arrays import _is_missing

_SEVERAL = "Several responses at once are learned by softwood.SoftTrees."
Cells = tuple[NDArray[Any], NDArray[np.bool_]]


def known_cells(y: Any) -> Cells:
    """The cells that are not missing, and which rows have one.

    Truths stay truths, whole numbers whole numbers and texts texts, whether NumPy, pandas, polars
    or Arrow holds them, as plain, nullable or categorical columns.
    """
    library = type(y).__module__.partition(".")[0]
    if library == "pandas":
        return _of_pandas(y)
    if library in ("polars", "pyarrow"):
        return _of_arrow(y)
    if isinstance(y, Table) or hasattr(y, "__arrow_c_stream__"):
        return _of_array(_only_column(as_table(y, looks_at_texts=False)))
    if isinstance(y, np.ma.MaskedArray) and y.ndim == 1:
        return y.compressed(), ~np.ma.getmaskarray(y)
    return _of_array(_flat(y))


def _flat(y: Any) -> NDArray[Any]:
    try:
        return np.asarray(column_or_1d(y, warn=True))
    except ValueError as problem:
        if "1d array" not in str(problem):
            raise
        raise Error(f"{problem} {_SEVERAL}") from None


def _several(shape: tuple[int, ...]) -> Error:
    return Error(f"y should be a 1d array, got an array of shape {shape} instead. {_SEVERAL}")


def _only_column(frame: Any) -> Any:
    """Of anything with rows, columns and names."""
    if frame.shape[1] != 1:
        raise _several(tuple(frame.shape))
    return frame[next(iter(frame.columns)) if not isinstance(frame, Table) else frame.names[0]]


def _of_pandas(y: Any) -> Cells:
    import pandas

    series = _only_column(y) if y.ndim == 2 else pandas.Series(y)
    is_known = series.notna().to_numpy(dtype=bool)
    known = series[is_known]
    if isinstance(known.dtype, pandas.CategoricalDtype):
        categories = known.cat.categories.to_series()
        return _plain(categories)[known.cat.codes.to_numpy()], is_known
    return _plain(known), is_known


def _plain(series: Any) -> NDArray[Any]:
    """A Series without missing cells as an array of its kind."""
    if isinstance(series.dtype, np.dtype) and series.dtype != object:
        return np.asarray(series.to_numpy())
    kinds = {"b": np.bool_, "i": np.int64, "u": np.uint64, "f": np.float64}
    return _of_objects(series.to_numpy(dtype=kinds.get(series.dtype.kind, object)))


def _of_arrow(y: Any) -> Cells:
    """polars and pyarrow: both know `drop_null(s)` and the way to NumPy."""
    if len(getattr(y, "shape", ())) == 2:
        y = _only_column(y) if hasattr(y, "drop_nulls") else _only_arrow_column(y)
    if hasattr(y, "drop_nulls"):
        known = y.drop_nulls()
        if known.dtype.is_float():
            return _of_array(y.to_numpy())
        return _of_objects(known.to_numpy()), y.is_not_null().to_numpy()
    is_known = y.is_valid().to_numpy(zero_copy_only=False)
    known = y.drop_null()
    known = known.dictionary_decode() if hasattr(known, "dictionary_decode") else known
    cells, is_number = _of_array(known.to_numpy(zero_copy_only=False))
    is_known[is_known] = is_number
    return cells, is_known


def _only_arrow_column(table: Any) -> Any:
    if table.num_columns != 1:
        raise _several(tuple(table.shape))
    return table.column(0)


def _of_array(values: NDArray[Any]) -> Cells:
    if values.dtype.kind == "f":
        is_known = ~np.isnan(values)
    elif values.dtype == object:
        is_known = np.array([not _is_missing(value) for value in values], dtype=bool)
    else:
        is_known = np.ones(len(values), dtype=bool)
    return _of_objects(values[is_known]), is_known


def _of_objects(values: NDArray[Any]) -> NDArray[Any]:
    """Texts as they are; numbers in an array of objects become one of numbers."""
    if values.dtype != object or all(isinstance(value, str) for value in values):
        return values
    return np.array(values.tolist())
