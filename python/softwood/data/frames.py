"""What a `Table` becomes in other libraries, which are loaded when asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from softwood._core import ColumnKind, Error, Table


def to_pandas(table: Table) -> Any:
    """A DataFrame: float64, datetime64[us], and categories in the order of their levels."""
    try:
        import pandas
    except ImportError:
        raise Error("to_pandas() needs pandas: pip install pandas.") from None
    columns = {
        column.name: pandas.Categorical.from_codes(column.codes, column.levels)
        if column.kind == ColumnKind.categorical
        else column.to_numpy()
        for column in table.columns
    }
    return pandas.DataFrame(columns, copy=False)


def to_arrow(table: Table) -> Any:
    """A pyarrow.Table that shares the memory of numbers and codes; missing cells are null."""
    try:
        import pyarrow
    except ImportError:
        raise Error("to_arrow() needs pyarrow: pip install pyarrow.") from None
    return pyarrow.table(table)


def to_array(table: Table, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
    """Rows and columns as NumPy has them; always a copy."""
    if copy is False:
        raise ValueError("a Table holds its columns one by one: its array is a copy.")
    are_numbers = all(column.kind == ColumnKind.numeric for column in table.columns)
    array = np.empty(table.shape, dtype=np.float64 if are_numbers else object, order="F")
    for place, column in enumerate(table.columns):
        array[:, place] = column.to_numpy()
    return array if dtype is None else array.astype(dtype)
