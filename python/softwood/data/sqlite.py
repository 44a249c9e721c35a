"""A table or view of an SQLite database, by Python itself."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
import urllib.parse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from softwood._core import Error

if TYPE_CHECKING:
    from softwood.data.foreign import ForeignFile


def read(file: ForeignFile) -> dict[str, list[Any]]:
    """The columns of the only table, or of the one that `file.table` names."""
    with _path_of(file) as path:
        address = f"file:{urllib.parse.quote(os.path.abspath(path))}?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
            return _columns(database, _chosen(file, database))


@contextlib.contextmanager
def _path_of(file: ForeignFile) -> Iterator[str]:
    if file.content is None:
        yield file.name
        return
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as copy:
        copy.write(file.content)
        copy.flush()
        yield copy.name


def _chosen(file: ForeignFile, database: sqlite3.Connection) -> str:
    names = [
        str(name)
        for (name,) in database.execute(
            "select name from sqlite_master where type in ('table', 'view') "
            "and name not like 'sqlite~_%' escape '~' order by rowid"
        )
    ]
    if len(names) > 1 and not file.table:
        shown = ", ".join(f"'{name}'" for name in names[:10]) + (", …" if len(names) > 10 else "")
        raise Error(
            f"'{file.name}' has {len(names)} tables: {shown}. Name one: --table '{names[0]}' "
            f"(table= in Python), or write {file.name}::{names[0]}."
        )
    return file.choose("table", names)


def _columns(database: sqlite3.Connection, table: str) -> dict[str, list[Any]]:
    quoted = '"' + table.replace('"', '""') + '"'
    cursor = database.execute(f"select * from {quoted}")
    names = [each[0] for each in cursor.description]
    rows = cursor.fetchall()
    if not rows:
        return {name: [] for name in names}
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
