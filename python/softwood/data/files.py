"""Tables from files."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping
from typing import Any

from softwood import _core
from softwood._core import ColumnKind, Error, ReadAs, Table
from softwood.data import as_table, as_wishes
from softwood.progress import logger
from softwood.warnings import Warner

# What reads a format, in the order in which it is looked for: module and function.
_PARQUET = [
    ("pyarrow.parquet", "read_table"),
    ("polars", "read_parquet"),
    ("pandas", "read_parquet"),
]
_IPC = [("pyarrow.feather", "read_table"), ("polars", "read_ipc"), ("pandas", "read_feather")]
_READERS = {
    ".parquet": _PARQUET,
    ".pq": _PARQUET,
    ".feather": _IPC,
    ".arrow": _IPC,
    ".ipc": _IPC,
    ".orc": [("pyarrow.orc", "read_table"), ("pandas", "read_orc")],
    ".xlsx": [("pandas", "read_excel")],
    ".xls": [("pandas", "read_excel")],
    ".ods": [("pandas", "read_excel")],
    ".json": [("pandas", "read_json")],
    ".dta": [("pandas", "read_stata")],
    ".sas7bdat": [("pandas", "read_sas")],
    ".xpt": [("pandas", "read_sas")],
    ".sav": [("pandas", "read_spss")],
    ".xml": [("pandas", "read_xml")],
}


def read(
    path: str | os.PathLike[str],
    *,
    read_as: Mapping[str, ReadAs | ColumnKind | str] | None = None,
    **options: Any,
) -> Table:
    """The table in a file.

    Parameters
    ----------
    path
        By the end of its name: Parquet (.parquet, .pq), Arrow (.feather, .arrow, .ipc) and ORC by
        pyarrow or else polars or pandas, whichever is installed; Excel, JSON, Stata, SAS, SPSS
        and XML by pandas; ARFF (.arff) and everything else, which is CSV, by Softwood itself,
        gzipped or not. `~` is your home.
    read_as
        The kinds of columns, by name, instead of what they look like; see `as_table`.
    **options
        For CSV and ARFF `header` (False: the columns are called x1, x2, …), `delimiter`,
        `decimal` and `thousands` (how numbers are written, instead of finding out; see
        docs/files.md) and `threads`; for other formats those of the reader, such as
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
    readers = _READERS.get(os.path.splitext(name)[1].lower())
    if readers is None:
        return _core.read_table(
            name,
            read_as=as_wishes(read_as),
            on_note=logger.info,
            on_warning=Warner(),
            **options,
        )
    if not os.path.exists(name):
        raise Error(f"cannot open '{name}': there is no such file.")
    frame = _first_installed(name, readers)(name, **options)
    return Table(as_table(frame, read_as=read_as).columns, origin=name)


def _first_installed(path: str, readers: list[tuple[str, str]]) -> Callable[..., Any]:
    for module, function in readers:
        try:
            reader: Callable[..., Any] = getattr(importlib.import_module(module), function)
        except ImportError:
            continue
        return reader
    libraries = " or ".join(module.split(".")[0] for module, _ in readers)
    raise Error(f"reading '{path}' needs {libraries}: pip install {libraries.split()[0]}.")
