"""JSON: an object per line, an array of objects or of rows, or an object of columns."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from softwood._core import Error

if TYPE_CHECKING:
    from softwood.data.foreign import ForeignFile


def read(file: ForeignFile) -> Any:
    """Columns by name in order of first appearance; what an object does not have is missing."""
    text = file.read_bytes().decode("utf-8-sig")
    if text.lstrip().startswith("["):
        return _of_array(file, json.loads(text))
    lines = [line for line in text.split("\n") if line.strip()]
    try:
        first = json.loads(lines[0])
    except json.JSONDecodeError:  # one object over several lines
        return _of_columns(file, json.loads(text))
    if len(lines) == 1 and all(isinstance(each, (dict, list)) for each in first.values()):
        return _of_columns(file, first)
    return _of_records(file, [_of_line(file, number, line) for number, line in enumerate(lines)])


def _of_line(file: ForeignFile, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as problem:
        raise Error(f"'{file.name}': object {number + 1} is no JSON: {problem}.") from None


def _of_records(file: ForeignFile, records: list[Any]) -> dict[str, list[Any]]:
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            raise Error(
                f"'{file.name}': row {number + 1} is no object with names, as the first one is."
            )
    names = dict.fromkeys(name for record in records for name in record)
    return {name: [record.get(name) for record in records] for name in names}


def _of_array(file: ForeignFile, rows: list[Any]) -> Any:
    return _of_records(file, rows) if rows and isinstance(rows[0], dict) else rows


def _of_columns(file: ForeignFile, columns: dict[str, Any]) -> dict[str, list[Any]]:
    """{"a": [1, 2]}, or as pandas writes it, {"a": {"0": 1, "1": 2}}."""
    if columns and all(isinstance(cells, list) for cells in columns.values()):
        return columns
    if columns and all(isinstance(cells, dict) for cells in columns.values()):
        rows = dict.fromkeys(row for cells in columns.values() for row in cells)
        return {name: [cells.get(row) for row in rows] for name, cells in columns.items()}
    raise Error(
        f"'{file.name}' is JSON, but no table: write an object per line, an array of objects, or "
        "an object of columns."
    )
