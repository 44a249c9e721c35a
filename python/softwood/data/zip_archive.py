"""The table in a zip archive."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

from softwood._core import Error, Table
from softwood.data.foreign import read_content, unpack

if TYPE_CHECKING:
    from softwood.data.foreign import ForeignFile

_TABLES = (
    *(".csv", ".tsv", ".tab", ".data", ".arff", ".json", ".jsonl", ".ndjson", ".parquet", ".pq"),
    *(".feather", ".arrow", ".orc", ".xlsx", ".xls", ".ods", ".db", ".sqlite", ".dta", ".sav"),
)


def read(file: ForeignFile) -> Table:
    """The file in the archive that `file.table` names; without a name the only one, or the only one
    that is called like a table (.csv, .parquet, …)."""
    with zipfile.ZipFile(file.source()) as archive:
        names = [
            entry.filename
            for entry in archive.infolist()
            if not entry.is_dir() and not _is_litter(entry.filename)
        ]
        member = _member(file, names)
        with archive.open(member) as stream:
            content = unpack(file, stream)
    return read_content(replace(file, name=f"{file.name}::{member}", table="", content=content))


def _is_litter(name: str) -> bool:
    """What file managers leave in archives."""
    return name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith(".")


def _member(file: ForeignFile, names: list[str]) -> str:
    tables = [name for name in names if name.lower().removesuffix(".gz").endswith(_TABLES)]
    if file.table or len(names) <= 1:
        return file.choose("file", names)
    if len(tables) == 1:
        file.options.note(f"'{file.name}' has {len(names)} files: '{tables[0]}' is read.")
        return tables[0]
    shown = ", ".join(f"'{name}'" for name in names[:10]) + (", …" if len(names) > 10 else "")
    raise Error(
        f"'{file.name}' has {len(names)} files: {shown}. Name one: --table '{names[0]}' "
        f"(table= in Python), or write {file.name}::{names[0]}."
    )
