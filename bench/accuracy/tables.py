"""The declared tables: which file, which response, which sets."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

DECLARATIONS = tomllib.loads(Path(__file__).with_name("tables.toml").read_text())


@dataclass(frozen=True)
class TableSpec:
    """One table of tables.toml; `rows` is the cut, or None for all."""

    name: str
    file: str
    target: str
    kind: str
    drop: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    exposure: str | None = None
    rows: int | None = None

    @property
    def cut(self) -> str:
        return str(self.rows) if self.rows else "all"


def select_groups(selection: str, rows: int | None) -> dict[str, list[TableSpec]]:
    """The tables of every set in the comma-separated `selection`; names of tables are one group,
    "chosen". `rows` overrides the sets' cuts; 0 is no cut."""
    groups: dict[str, list[TableSpec]] = {}
    for name in selection.split(","):
        declared = DECLARATIONS["sets"].get(name)
        if declared is None:
            groups.setdefault("chosen", []).append(_spec(name, rows))
        elif "sets" in declared:
            groups |= select_groups(",".join(declared["sets"]), rows)
        else:
            cut = declared.get("rows") if rows is None else rows
            groups[name] = [_spec(table, cut) for table in declared["tables"]]
    return groups


def _spec(name: str, rows: int | None) -> TableSpec:
    if name not in DECLARATIONS["table"]:
        known = ", ".join([*DECLARATIONS["sets"], *DECLARATIONS["table"]])
        raise SystemExit(f"no table or set '{name}' in tables.toml; there are: {known}")
    fields = DECLARATIONS["table"][name]
    lists = {key: tuple(value) for key, value in fields.items() if isinstance(value, list)}
    return TableSpec(name=name, rows=rows or None, **{**fields, **lists})
