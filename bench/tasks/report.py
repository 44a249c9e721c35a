"""The comparison as grids of text: for the terminal, or as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.accuracy.compare import Line, Results
from bench.accuracy.report import ABSENT
from bench.tasks.compare import Comparer, Standing
from bench.tasks.tables import TaskTable


@dataclass(frozen=True)
class Grid:
    title: str
    header: list[str]
    rows: list[list[str]]


def make_grids(comparer: Comparer, methods: list[str], baselines: list[str]) -> list[Grid]:
    """Ratios to each baseline, seconds, and bytes of the models where they are known."""
    grids = [_ratios(comparer, methods, baseline) for baseline in baselines]
    titles = {
        "Processor seconds of training, one thread": (comparer.seconds, ".1f"),
        "Bytes of the models": (comparer.bytes, ",.0f"),
    }
    grids += [_totals(comparer, methods, title, *what) for title, what in titles.items()]
    return [grid for grid in grids if grid.rows]


def task_grids(comparer: Comparer, aucs: Results, methods: list[str]) -> list[Grid]:
    """Errors per task, and AUCs where there are any."""
    areas = Comparer(aucs, comparer.tables, comparer.seeds)
    grids = [_errors(comparer, methods, table) for table in comparer.tables]
    grids += [_areas(areas, methods, table) for table in comparer.tables]
    return [grid for grid in grids if grid.rows]


def text(grids: list[Grid]) -> str:
    return "\n\n".join(map(_text, grids)) or "nothing measured yet"


def markdown(grids: list[Grid]) -> str:
    return "\n\n".join(map(_markdown, grids))


def _ratios(comparer: Comparer, methods: list[str], baseline: str) -> Grid:
    standings = {m: comparer.standing(m, baseline) for m in methods if m != baseline}
    found = {method: standing for method, standing in standings.items() if standing}
    measured = {name for standing in found.values() for name in standing.tables}
    tables = [table for table in comparer.tables if table.name in measured]
    rows = [
        [table.name, *(_number(s.tables.get(table.name), ".3f") for s in found.values())]
        for table in tables
    ]
    rows += _means_by_holes(tables, list(found.values()))
    rows += [[label, *map(say, found.values())] for label, say in SUMMARIES.items() if found]
    title = f"Error ÷ {baseline}: geometric means over the tasks of a table"
    return Grid(title, ["table", *found], rows)


def _means_by_holes(tables: list[TaskTable], standings: list[Standing]) -> list[list[str]]:
    """A mean for the tables as they are and one for each share of holes, if there are several."""
    groups: dict[str, list[str]] = {}
    for table in tables:
        groups.setdefault(table.suffix, []).append(table.name)
    if len(groups) < 2:
        return []
    return [
        [
            f"mean of {suffix or 'those as they are'}",
            *(_number(s.mean_of(names), ".3f") for s in standings),
        ]
        for suffix, names in groups.items()
    ]


def _worst(standing: Standing) -> str:
    return f"{standing.worst} {standing.tables[standing.worst]:.3f}"


def _verdicts(standing: Standing) -> str:
    return f"{standing.wins}/{standing.ties}/{standing.losses}"


SUMMARIES = {
    "geometric mean of the tables": lambda standing: f"{standing.mean:.3f}",
    "number of tables": lambda standing: str(len(standing.tables)),
    "worst table": _worst,
    "tasks: wins/ties/losses": _verdicts,
}


def _totals(
    comparer: Comparer,
    methods: list[str],
    title: str,
    total: Callable[[TaskTable, str], float | None],
    how: str,
) -> Grid:
    found = {t.name: {m: total(t, m) for m in methods} for t in comparer.tables}
    known = [m for m in methods if any(values[m] is not None for values in found.values())]
    rows = [
        [name, *(_number(values[method], how) for method in known)]
        for name, values in found.items()
        if any(values[method] is not None for method in known)
    ]
    return Grid(title, ["table", *known], rows)


def _errors(comparer: Comparer, methods: list[str], table: TaskTable) -> Grid:
    """Errors of all methods, then the ratios to single of the others."""
    by_task: dict[str, dict[str, Line]] = {}
    for method in methods:
        for line in comparer.lines(table, method, ["single"]):
            by_task.setdefault(line.table, {})[method] = line
    others = [method for method in methods if method != "single"]
    rows = [
        [
            task.removeprefix(f"{table.name}/"),
            *_values(lines, methods, "#.4g"),
            *(_number(_ratio_to_single(lines.get(method)), ".3f") for method in others),
            next(iter(lines.values())).metric,
        ]
        for task, lines in by_task.items()
    ]
    header = ["task", *methods, *(f"{method} ÷ single" for method in others), "error"]
    return Grid(f"{table.name} ({table.cut} rows)", header, rows)


def _areas(areas: Comparer, methods: list[str], table: TaskTable) -> Grid:
    """As AUC, though kept as 1 - AUC, and their plain mean."""
    lines = {m: {line.table: line for line in areas.lines(table, m, [])} for m in methods}
    values = {
        m: {task: 1 - line.errors[m] for task, line in found.items()} for m, found in lines.items()
    }
    tasks = [spec.name for spec in table.specs() if any(spec.name in v for v in values.values())]
    rows = [
        [t.removeprefix(f"{table.name}/"), *(_number(values[m].get(t), ".4f") for m in methods)]
        for t in tasks
    ]
    if tasks:
        rows.append(["mean", *(_mean(values[method], tasks) for method in methods)])
    return Grid(f"{table.name}: AUC", ["task", *methods], rows)


def _values(lines: dict[str, Line], methods: list[str], how: str) -> Iterable[str]:
    errors = (lines[m].errors[m] if m in lines else None for m in methods)
    return (_number(value, how) for value in errors)


def _ratio_to_single(line: Line | None) -> float | None:
    return line.ratios["single"].error if line and "single" in line.ratios else None


def _mean(values: dict[str, float], tasks: list[str]) -> str:
    complete = len(values) == len(tasks)
    return _number(sum(values.values()) / len(tasks) if complete else None, ".4f")


def _number(value: float | None, how: str) -> str:
    return ABSENT if value is None else format(value, how)


def _text(grid: Grid) -> str:
    rows = [grid.header, *grid.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [grid.title]
    for first, *others in rows:
        padded = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *padded]))
    return "\n".join(lines)


def _markdown(grid: Grid) -> str:
    rule = ["---"] + ["---:"] * (len(grid.header) - 1)
    table = "\n".join("| " + " | ".join(row) + " |" for row in [grid.header, rule, *grid.rows])
    return f"### {grid.title}\n\n{table}"
