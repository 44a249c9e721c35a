"""What a `Table` becomes in other libraries, which are loaded when asked for."""

from __future__ import annotations

from typing import Any

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
