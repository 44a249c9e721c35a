"""A sheet of a workbook: .xlsx by openpyxl, other kinds by pandas."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from softwood._core import Error, kind_of_bytes

if TYPE_CHECKING:
    from softwood.data.foreign import ForeignFile

_ERRORS = {"#N/A", "#DIV/0!", "#NULL!", "#REF!", "#VALUE!", "#NAME?", "#NUM!"}


def read(file: ForeignFile) -> Any:
    """The columns of the first sheet, or of the one that `file.table` names. Its first row that is
    not empty names them; empty rows and cells with an error are missing."""
    with_pandas = bool(file.more) or kind_of_bytes(file.read_bytes()) != "excel"
    return _by_pandas(file) if with_pandas else _by_openpyxl(file)


def _by_openpyxl(file: ForeignFile) -> dict[str, list[Any]]:
    import openpyxl

    # Not by its name, which openpyxl judges.
    content = io.BytesIO(file.read_bytes())
    workbook = openpyxl.load_workbook(content, read_only=True, data_only=True)
    try:
        sheets = {sheet.title: sheet for sheet in workbook.worksheets}
        name = file.choose("sheet", list(sheets))
        rows = [list(map(_cell, row)) for row in sheets[name].iter_rows(values_only=True)]
    finally:
        workbook.close()
    rows = [row for row in rows if any(cell is not None for cell in row)]
    if not rows:
        raise Error(f"the sheet '{name}' of '{file.name}' is empty.")
    width = max(place + 1 for row in rows for place, cell in enumerate(row) if cell is not None)
    header = rows.pop(0) if file.options.header else []
    names = [
        f"x{place + 1}" if place >= len(header) or header[place] is None else str(header[place])
        for place in range(width)
    ]
    if len(set(names)) < len(names):
        same = next(name for name in names if names.count(name) > 1)
        raise Error(f"two columns of the sheet '{name}' are both called '{same}'. Rename one.")
    return {
        column: [row[place] if place < len(row) else None for row in rows]
        for place, column in enumerate(names)
    }


def _cell(value: Any) -> Any:
    if isinstance(value, str) and (not value.strip() or value in _ERRORS):
        return None
    return value


def _by_pandas(file: ForeignFile) -> Any:
    import pandas

    with pandas.ExcelFile(file.source()) as workbook:
        settings = {"sheet_name": file.choose("sheet", list(map(str, workbook.sheet_names)))}
        if not file.options.header:
            settings["header"] = None  # type: ignore[assignment]
        frame = pandas.read_excel(workbook, **{**settings, **file.more})
    if not file.options.header:
        frame.columns = [f"x{place + 1}" for place in range(frame.shape[1])]
    return frame
