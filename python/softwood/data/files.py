"""Tables from files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from softwood import _core
from softwood._core import ColumnKind, Error, ReadAs, ReadOptions, Table
from softwood.data import as_wishes, messages

# What says how a text is written; everything else is for the libraries that read other files.
_TEXT_OPTIONS = ("header", "delimiter", "decimal", "thousands", "most_gigabytes", "threads")
# Kinds that their content does not always tell.
_KIND_OF_ENDING = {
    ".sas7bdat": "sas",
    ".xpt": "sas_transport",
    ".sav": "spss",
    ".xml": "xml",
}


def read(
    path: str | os.PathLike[str],
    *,
    table: str = "",
    read_as: Mapping[str, ReadAs | ColumnKind | str] | None = None,
    on_error: str = "stop",
    **options: Any,
) -> Table:
    """The table in a file, whatever the file is called: its content says what it is.

    Parameters
    ----------
    path
        CSV and ARFF (by its name, .arff), gzipped or not, are read by Softwood itself; Parquet,
        Arrow, Feather and ORC by pyarrow, or else polars or pandas; Excel by openpyxl; SQLite and
        JSON (an object per line, an array of objects, an object of columns) by Python; NumPy's
        arrays; Stata, SAS, SPSS, XML and spreadsheets of other kinds by pandas. Any of them may be
        packed by zip, gzip, bzip2, xz or zstd. `~` is your home.
    table
        The table of a database, the sheet of a workbook (default: the first) or the file of a zip
        archive that is to be read. ``study.db::visits`` says the same.
    read_as
        The kinds of columns, by name, instead of what they look like; see `as_table`.
    on_error
        What becomes of a cell that is not what `read_as` wants, and of a row of a text with too
        few or too many cells: "stop" raises `softwood.Error`; "missing" makes the cell missing
        (in a row with too many cells all of them); "skip" leaves the row out. Both warn, once.
    **options
        For CSV and ARFF `header` (False: the columns are called x1, x2, …), `delimiter`,
        `decimal` and `thousands` (how numbers are written, instead of finding out; see
        docs/files.md), `most_gigabytes` (of what is packed in a file or comes through a
        pipe; 8) and `threads`; for other formats those of the reader, such as
        `columns=["a", "b"]`.

    Warns
    -----
    DataWarning
        Of what looks like a mistake in the table, such as the one cell of a column that is no
        number.

    Returns
    -------
    Table
    """
    name = os.path.expanduser(os.fspath(path))
    if name.lower().startswith(("http://", "https://", "ftp://", "s3://")):
        raise Error(f"'{name}' is an address, not a file. Download it, then read the file.")
    if not os.path.exists(name) and "::" in name:
        name, table = name.rsplit("::", 1)
    more = {key: options.pop(key) for key in list(options) if key not in _TEXT_OPTIONS}
    settings = ReadOptions(
        read_as=as_wishes(read_as),
        on_error=on_error,
        on_note=messages.note,
        on_warning=messages.warn,
        **options,
    )
    kind = _kind_of(name)
    if kind != "text":
        from softwood.data import foreign

        if foreign.is_read(kind):
            return foreign.read_foreign(foreign.ForeignFile(name, settings, table, more=more), kind)
    if more:
        raise TypeError(f"read() got an unexpected keyword argument '{next(iter(more))}'")
    if table and os.path.exists(name):
        raise Error(f"'{name}' is a text file, one table without a name: leave out '{table}'.")
    return _core.read_table(name, settings)


def _kind_of(path: str) -> str:
    if os.path.isdir(path):
        return "parquet"  # as Spark and Dask write them
    kind = _core.file_kind(path)
    ending = os.path.splitext(path)[1].lower()
    return _KIND_OF_ENDING.get(ending, kind) if kind == "text" and os.path.exists(path) else kind
