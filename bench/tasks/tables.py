"""The declared tables: which file, which responses of which kinds."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from bench.accuracy.tables import TableSpec

_DECLARED = tomllib.loads(Path(__file__).with_name("tables.toml").read_text())
DECLARATIONS, SETS = _DECLARED["table"], _DECLARED["sets"]
HALF = 0.5


@dataclass(frozen=True)
class Task:
    """`kind`: regression, binary, count or tweedie."""

    target: str
    kind: str


@dataclass(frozen=True)
class TaskTable:
    """One table of tables.toml; `rows` is the cut, or None for all. `missing`: the source lacks
    some responses; `holes`: the share of each that is removed from train and validation rows;
    `suffix`: what the run's own holes add to the name."""

    name: str
    file: str
    tasks: tuple[Task, ...]
    drop: tuple[str, ...] = ()
    exposure: str | None = None
    dates: dict[str, str] = field(default_factory=dict, hash=False)
    hours: dict[str, str] = field(default_factory=dict, hash=False)
    missing: bool = False
    holes: float = 0
    rows: int | None = None
    suffix: str = ""

    @property
    def cut(self) -> str:
        return str(self.rows) if self.rows else "all"

    @property
    def is_complete(self) -> bool:
        return not self.missing and not self.holes

    @property
    def kinds(self) -> set[str]:
        return {task.kind for task in self.tasks}

    def with_holes(self, share: float) -> TaskTable:
        """Under another name, for results to tell them apart: NAME+half, or NAME+holes0.3."""
        suffix = "+half" if share == HALF else f"+holes{share:g}"
        return replace(self, name=self.name + suffix, holes=share, suffix=suffix)

    def spec(self, task: Task) -> TableSpec:
        """One task as bench.accuracy knows a table, under the name that results have it by.

        A Tweedie amount passes for a count there: both are means on the log scale, with the same
        exposure and mostly noise in their deviance."""
        kind = "count" if task.kind == "tweedie" else task.kind
        name = f"{self.name}/{task.target}"
        return TableSpec(name, self.file, task.target, kind, exposure=self.exposure, rows=self.rows)

    def specs(self) -> list[TableSpec]:
        return [self.spec(task) for task in self.tasks]


def select_tables(
    selection: str, rows: int | None, holes: Iterable[float] = (0,)
) -> list[TaskTable]:
    """Comma-separated names of sets and tables, or "all"; `rows` overrides the tables' cuts, 0 is
    no cut. For each share in `holes` the complete tables with so much of each response removed;
    those whose responses are not complete anyhow come only where the share is 0."""
    chosen = [_table(name, **DECLARATIONS[name]) for name in _names(selection)]
    tables = chosen if rows is None else [replace(table, rows=rows or None) for table in chosen]
    found = []
    for share in holes:
        complete = [table for table in tables if table.is_complete]
        found += [table.with_holes(share) for table in complete] if share else tables
    return found


def _names(selection: str) -> list[str]:
    names = []
    for word in selection.split(","):
        names += DECLARATIONS if word == "all" else SETS.get(word, [word])
    unknown = [name for name in names if name not in DECLARATIONS]
    if unknown:
        known = ", ".join(["all", *SETS, *DECLARATIONS])
        raise SystemExit(f"no table or set '{unknown[0]}' in tables.toml; there are: {known}")
    return list(dict.fromkeys(names))


def _table(name: str, tasks: dict[str, list[str]], **fields: object) -> TaskTable:
    flat = tuple(Task(target, kind) for kind, targets in tasks.items() for target in targets)
    drop = tuple(fields.pop("drop", ()))
    return TaskTable(name=name, tasks=flat, drop=drop, **fields)
