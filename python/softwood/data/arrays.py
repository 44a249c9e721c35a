"""One column from an array or a list of anything."""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from softwood._core import Column, ColumnKind, Error, ReadAs

_TICKS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_FINER_THAN_NS = ("ps", "fs", "as")
# pandas.NA and pandas.NaT, known by name so that pandas need not be there.
_MISSING_TYPES = ("NoneType", "NAType", "NaTType")
_NESTED_TYPES = (list, tuple, dict, set, frozenset, np.ndarray)


def column_from_array(name: str, array: npt.NDArray[Any], wanted: ReadAs | None) -> Column:
    """A column from a one-dimensional array of any dtype.

    Native, contiguous float64 is shared, everything else is copied. `wanted` matters here only
    for booleans, which are the texts True and False where categories are wanted.
    """
    kind = array.dtype.kind
    if isinstance(array, np.ma.MaskedArray):
        return _from_masked(name, array, wanted)
    if kind == "b" and _wants_texts(wanted):
        return Column.texts(name, [str(value) for value in array.tolist()])
    if kind in "biuf":
        return Column.numeric(name, np.ascontiguousarray(array, dtype=np.float64))
    if kind in "mM":
        return _from_ticks(name, array)
    if kind == "U":
        return Column.texts(name, array.tolist())
    if kind in "SOT":
        return column_from_objects(name, array.tolist(), wanted)
    if kind == "c":
        raise _complex_error(name)
    raise Error(
        f"column '{name}' is of NumPy's type {array.dtype}. A table holds numbers, texts, "
        "booleans, dates and times: turn the column into such ones, or drop it."
    )


def column_from_objects(name: str, items: list[Any], wanted: ReadAs | None = None) -> Column:
    """A column from Python objects: numbers if all are numbers, moments if all are moments,
    else texts by `str`. None, NaN, pandas.NA and NaT are missing."""
    types = set(map(type, items))
    if str in types and types <= {str, type(None)}:  # the common case, without a look at each
        return Column.texts(name, items)
    present = [None if _is_missing(item) else item for item in items]
    kinds = {_kind_of(name, each) for each in set(map(type, present)) - {type(None)}}
    if kinds <= {"number", "truth"} and not ("truth" in kinds and _wants_texts(wanted)):
        return Column.numeric(name, _floats(name, present))
    if kinds == {"moment"}:
        return _from_ticks(name, np.array(list(map(_in_utc, present)), dtype="datetime64[us]"))
    if kinds == {"span"}:
        return _from_ticks(name, np.array(list(map(_span, present)), dtype="timedelta64[us]"))
    return Column.texts(name, list(map(_text, present)))


def _wants_texts(wanted: ReadAs | None) -> bool:
    return wanted is not None and wanted.kind == ColumnKind.categorical


def _complex_error(name: str) -> Error:
    return Error(f"column '{name}' holds complex numbers. Give real and imaginary part as two.")


def _from_masked(name: str, array: Any, wanted: ReadAs | None) -> Column:
    if array.dtype.kind in "iuf":
        return Column.numeric(name, array.astype(np.float64).filled(np.nan))
    mask = np.ma.getmaskarray(array).tolist()
    items = [
        None if hidden else item for item, hidden in zip(array.data.tolist(), mask, strict=True)
    ]
    return column_from_objects(name, items, wanted)


def _from_ticks(name: str, array: npt.NDArray[Any]) -> Column:
    """datetime64 or timedelta64 of any unit and byte order."""
    unit, count = np.datetime_data(array.dtype)
    if count != 1 or unit not in _TICKS:
        unit = "ns" if unit in _FINER_THAN_NS else "s"
    ticks = np.ascontiguousarray(array, dtype=f"{array.dtype.kind}8[{unit}]").view(np.int64)
    make = Column.moments if array.dtype.kind == "M" else Column.spans
    return make(name, ticks, _TICKS[unit])


def _is_missing(item: Any) -> bool:
    if type(item).__name__ in _MISSING_TYPES:
        return True
    # Only NaN and NaT differ from themselves; nested things are refused later.
    return isinstance(item, (numbers.Number, np.generic)) and bool(item != item)


def _kind_of(name: str, each: type) -> str:
    if issubclass(each, (bool, np.bool_)):
        return "truth"
    if issubclass(each, (numbers.Real, decimal.Decimal)) and not issubclass(each, np.timedelta64):
        return "number"
    if issubclass(each, numbers.Complex):
        raise _complex_error(name)
    if issubclass(each, (datetime.date, np.datetime64)):
        return "moment"
    if issubclass(each, (datetime.timedelta, datetime.time, np.timedelta64)):
        return "span"
    if issubclass(each, _NESTED_TYPES):
        raise Error(
            f"column '{name}' holds cells of type {each.__name__}. A cell is one number, text, "
            "boolean, date or time: split the column into several, or drop it."
        )
    return "text"


def _floats(name: str, items: list[Any]) -> npt.NDArray[np.float64]:
    try:
        return np.array(items, dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as problem:
        raise Error(f"column '{name}' holds a number that is none for us: {problem}.") from None


def _in_utc(moment: Any) -> Any:
    if isinstance(moment, datetime.datetime) and moment.tzinfo is not None:
        return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return moment


def _span(span: Any) -> Any:
    if isinstance(span, datetime.time):
        return datetime.datetime.combine(datetime.date.min, span) - datetime.datetime.min
    return span


def _text(item: Any) -> str | None:
    if item is None or isinstance(item, str):
        return item
    return item.decode("utf-8", "backslashreplace") if isinstance(item, bytes) else str(item)
