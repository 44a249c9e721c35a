"""Tables from whatever Python has.

Types are believed: numbers and booleans (1 and 0) are numeric columns, dates and timestamps
datetime ones (in UTC), categories categorical ones; durations and times of day are seconds.
Missing are None, NaN, NaT and nulls. Texts say nothing yet: as in a CSV file they may be missing
(empty, NA, N/A, …), numbers or dates, else they are categories, numbered in order of first
appearance; docs/files.md tells the rules. Declared categories keep their texts and their order.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from softwood import _core
from softwood._core import Column, ColumnKind, Error, ReadAs, ReadOptions, Table
from softwood.data import messages
from softwood.data.arrays import column_from_array, column_from_objects
from softwood.data.series import column_from_arrow, column_from_series

Wishes = Mapping[str, ReadAs]
# So few that a frame is asked for all of its cells at once.
_FEW_ROWS = 64
# Names of columns (None where they have none) and their cells, in whatever form.
_Parts = list[tuple[str | None, Any]]


def as_table(
    data: Any,
    *,
    names: Iterable[str] | None = None,
    read_as: Mapping[str, ReadAs | ColumnKind | str] | None = None,
    on_error: str = "stop",
    decimal: str = "",
    thousands: str = "",
    looks_at_texts: bool = True,
) -> Table:
    """A `Table` from a table of any kind, sharing its memory where that is possible.

    Parameters
    ----------
    data
        A Table; a pandas DataFrame or Series; anything with `__arrow_c_stream__` (polars, pyarrow,
        duckdb); a NumPy array of one or two dimensions or with named fields; a scipy.sparse
        matrix (its zeros are values, not missing, and it becomes dense); a dict of columns; a list
        of rows or of cells; anything with `__array__`; the path of a file, as for `read`.
        Contiguous float64 columns and Arrow's doubles and 32-bit codes without nulls are not
        copied: do not change them afterwards.
    names
        What to call the columns, instead of their own names. Columns without names are called
        x1, x2, …, as in a file without a header.
    read_as
        The kind (of `ColumnKind`, or its name) by which a column is wanted, as a model has
        learned it: numbers then become texts (3, not 3.0; booleans True and False), texts become
        numbers or dates. Names that the data do not have are ignored.
    on_error
        What becomes of a text that is not what `read_as` wants: "stop" raises `softwood.Error`,
        "missing" makes the cell missing, "skip" leaves the row out; both warn, once.
    decimal, thousands
        How numbers in texts are written: "." or ",", and what stands between their thousands;
        "" finds out.
    looks_at_texts
        Whether texts may turn out to be numbers or dates; False: they are categories.

    Warns
    -----
    DataWarning
        Of what looks like a mistake in texts, such as the one cell of a column that is no number.

    Returns
    -------
    Table
        Equal names, ragged rows, and what is no number, text, date or time raise
        `softwood.Error`.
    """
    wishes = as_wishes(read_as)
    rules: dict[str, Any] = {"on_error": on_error, "decimal": decimal, "thousands": thousands}
    if isinstance(data, (str, os.PathLike)):
        return _from_file(data, names, wishes, rules)
    options = ReadOptions(read_as=wishes, on_note=messages.note, on_warning=messages.warn, **rules)
    return _settled(data, names, options, looks_at_texts)


def table_with(data: Any, options: ReadOptions, origin: str) -> Table:
    """A table from data of any kind, read by these options."""
    table = _settled(data, None, options, True)
    return Table(table.columns, origin=origin)


def _settled(
    data: Any, names: Iterable[str] | None, options: ReadOptions, looks_at_texts: bool
) -> Table:
    given = None if names is None else [str(name) for name in names]
    if not is_pandas(data) and not isinstance(data, Table) and _has_stream(data):
        return _with_columns(Table.from_arrow(data, options, given or [], looks_at_texts))
    wishes = options.read_as
    if isinstance(data, Table) and given is None and not wishes:
        return data
    parts = _named(_parts_of(data), given)
    columns = [_column(name, cells, wishes.get(name)) for name, cells in parts]
    return _with_columns(_core.settle_frame(columns, options, looks_at_texts, "the table"))


def _from_file(
    path: str | os.PathLike[str],
    names: Iterable[str] | None,
    wishes: Wishes,
    rules: dict[str, Any],
) -> Table:
    from softwood.data.files import read

    if names is not None:
        raise Error("names= goes with data in memory; a file has its own.")
    return read(path, read_as=wishes, **rules)


def as_wishes(read_as: Mapping[str, ReadAs | ColumnKind | str] | None) -> dict[str, ReadAs]:
    """Kinds by name, as `ReadAs`."""
    return {name: _wish(kind) for name, kind in (read_as or {}).items()}


def _wish(kind: ReadAs | ColumnKind | str) -> ReadAs:
    if isinstance(kind, ReadAs):
        return kind
    if isinstance(kind, str):
        known = {each.name: each for each in ColumnKind}
        if kind not in known:
            raise Error(f"read_as: '{kind}' is no kind of column. Known are {', '.join(known)}.")
        kind = known[kind]
    return ReadAs(kind)


def _with_columns(table: Table) -> Table:
    if not table.names:
        raise Error("the data have no columns. Give at least one.")
    return table


def is_pandas(data: Any) -> bool:
    """A DataFrame or a Series."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, (pandas.DataFrame, pandas.Series))


def _is_sparse(data: Any) -> bool:
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and bool(sparse.issparse(data))


def _has_stream(data: Any) -> bool:
    return hasattr(data, "__arrow_c_stream__")


def _named(parts: _Parts, given: Sequence[str] | None) -> list[tuple[str, Any]]:
    if given is not None and len(given) != len(parts):
        raise Error(f"{len(given)} names for {len(parts)} columns. Give one for each.")
    return [
        (given[place] if given else f"x{place + 1}" if name is None else name, cells)
        for place, (name, cells) in enumerate(parts)
    ]


def _parts_of(data: Any) -> _Parts:
    if isinstance(data, Table):
        return [(column.name, column) for column in data.columns]
    if is_pandas(data):
        return _parts_of_pandas(data)
    if _is_sparse(data):  # before dicts: some sparse matrices are dicts, too
        return _parts_of_array(data.toarray(order="F") if data.ndim == 2 else data.toarray())
    if isinstance(data, Mapping):
        return [(str(name), cells) for name, cells in data.items()]
    if isinstance(data, (list, tuple)):
        return _parts_of_list(data)
    if hasattr(data, "__array__"):
        return _parts_of_array(_array(data))
    raise Error(
        f"cannot make a table of a {type(data).__name__}. Give a DataFrame, an array, a dict of "
        "columns, a list of rows, or anything with __arrow_c_stream__."
    )


def _array(data: Any) -> npt.NDArray[Any]:
    return np.asanyarray(data) if isinstance(data, np.ma.MaskedArray) else np.asarray(data)


def _parts_of_pandas(data: Any) -> _Parts:
    if data.ndim == 1:
        return [(None if data.name is None else str(data.name), data)]
    numbers = numbers_of_few_rows(data)
    if numbers is not None:
        columns = Column.of_matrix(numbers)
        return [(str(name), cells) for name, cells in zip(data.columns, columns, strict=True)]
    return [(str(name), cells) for name, cells in data.items()]


def numbers_of_few_rows(frame: Any) -> npt.NDArray[np.float64] | None:
    """The cells of a pandas DataFrame if all columns are plain numbers and rows are few: to ask
    each column for itself takes longer than to predict them. Otherwise None."""
    if len(frame) > _FEW_ROWS:
        return None
    cells = frame.to_numpy()
    return np.ascontiguousarray(cells, dtype=np.float64) if cells.dtype.kind == "f" else None


def _parts_of_array(array: npt.NDArray[Any]) -> _Parts:
    if array.dtype.names is not None and array.ndim == 1:
        return [(name, array[name]) for name in array.dtype.names]
    if array.ndim == 1:
        return [(None, array)]
    if array.ndim != 2:
        raise Error(
            f"the array has {array.ndim} dimensions. A table has two, rows and columns; "
            + ("reshape it." if array.ndim else "a single value is no table.")
        )
    if array.dtype.kind in "iuf" and not isinstance(array, np.ma.MaskedArray):
        return [(None, column) for column in _columns_of_matrix(array)]
    return [(None, array[:, place]) for place in range(array.shape[1])]


def _columns_of_matrix(matrix: npt.NDArray[Any]) -> list[Column]:
    """Shared if the columns are contiguous doubles."""
    if matrix.flags.f_contiguous:
        matrix = np.asarray(matrix, dtype=np.float64, order="F")
        return [Column.numeric("", matrix[:, place]) for place in range(matrix.shape[1])]
    return Column.of_matrix(np.ascontiguousarray(matrix, dtype=np.float64))


def _parts_of_list(data: Sequence[Any]) -> _Parts:
    if len(data) == 0:
        raise Error("an empty list has no columns. Give at least one.")
    if isinstance(data[0], Mapping):
        raise Error("a list of dicts is no table. Give a dict of lists, or pandas.DataFrame(data).")
    if not isinstance(data[0], (list, tuple, np.ndarray)):
        return [(None, list(data))]
    width = len(data[0])
    for row, cells in enumerate(data):
        if not isinstance(cells, (list, tuple, np.ndarray)) or len(cells) != width:
            raise Error(f"row {row + 1} does not have {width} cells as row 1. All need as many.")
    return [(None, list(column)) for column in zip(*data, strict=True)]


def _column(name: str, cells: Any, wanted: ReadAs | None) -> Column:
    if isinstance(cells, Column):
        return cells.renamed(name)
    if is_pandas(cells) and cells.ndim == 1:
        return column_from_series(name, cells, wanted)
    if _has_stream(cells) and not is_pandas(cells):
        return column_from_arrow(name, cells, wanted)
    if isinstance(cells, (list, tuple, range)):
        return column_from_objects(name, list(cells), wanted)
    if hasattr(cells, "__array__"):
        array = _array(cells)
        if array.ndim == 1:
            return column_from_array(name, array, wanted)
        raise Error(f"column '{name}' has {array.ndim} dimensions instead of one.")
    raise Error(f"column '{name}' is a {type(cells).__name__}. Give an array or a list of cells.")
