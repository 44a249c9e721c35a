"""The declared tables: which file, which responses of which kinds."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.accuracy.tables import TableSpec

DECLARATIONS = tomllib.loads(Path(__file__).with_name("tables.toml").read_text())["table"]


@dataclass(frozen=True)
class Task:
    """`kind`: regression, binary, count or tweedie."""

    target: str
    kind: str


@dataclass(frozen=True)
class TaskTable:
    """One table of tables.toml; `rows` is the cut, or None for all."""

    name: str
    file: str
    tasks: tuple[Task, ...]
    drop: tuple[str, ...] = ()
    exposure: str | None = None
    dates: dict[str, str] = field(default_factory=dict, hash=False)
    hours: dict[str, str] = field(default_factory=dict, hash=False)
    holes: float = 0
    rows: int | None = None

    @property
    def cut(self) -> str:
        return str(self.rows) if self.rows else "all"

    def spec(self, task: Task) -> TableSpec:
        """One task as bench.accuracy knows a table, under the name that results have it by.

        A Tweedie amount passes for a count there: both are means on the log scale, with the same
        exposure and mostly noise in their deviance."""
        kind = "count" if task.kind == "tweedie" else task.kind
        name = f"{self.name}/{task.target}"
        return TableSpec(name, self.file, task.target, kind, exposure=self.exposure, rows=self.rows)

    def specs(self) -> list[TableSpec]:
        return [self.spec(task) for task in self.tasks]


def select_tables(selection: str, rows: int | None) -> list[TaskTable]:
    """Comma-separated names, or "all"; `rows` overrides the tables' cuts, 0 is no cut."""
    names = list(DECLARATIONS) if selection == "all" else selection.split(",")
    unknown = [name for name in names if name not in DECLARATIONS]
    if unknown:
        known = ", ".join(DECLARATIONS)
        raise SystemExit(f"no table '{unknown[0]}' in tables.toml; there are: {known}")
    tables = [_table(name, **DECLARATIONS[name]) for name in names]
    return tables if rows is None else [replace(table, rows=rows or None) for table in tables]


def _table(name: str, tasks: dict[str, list[str]], **fields: object) -> TaskTable:
    flat = tuple(Task(target, kind) for kind, targets in tasks.items() for target in targets)
    drop = tuple(fields.pop("drop", ()))
    return TaskTable(name=name, tasks=flat, drop=drop, **fields)
