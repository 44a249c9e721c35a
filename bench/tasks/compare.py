"""Methods beside each other: ratios to a baseline per table, over tables, and their time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.accuracy.compare import Block, Comparison, Line, Results, geometric_mean, make_blocks
from bench.accuracy.results import read_results
from bench.accuracy.tables import TableSpec
from bench.tasks.tables import HALF, TaskTable, select_tables


@dataclass(frozen=True)
class Standing:
    """A method ÷ a baseline. `tables`: of those that both have measured in full, the geometric
    mean over the tasks; `mean` is that of these; the verdicts are counted over their tasks."""

    tables: dict[str, float]
    mean: float
    wins: int
    ties: int
    losses: int

    @property
    def worst(self) -> str:
        return max(self.tables, key=self.tables.get)

    def mean_of(self, names: Iterable[str]) -> float | None:
        """Of some of the tables; nothing if it has none of them."""
        found = [self.tables[name] for name in names if name in self.tables]
        return geometric_mean(found) if found else None


class Comparer:
    """Answers from `results`, where a table is called TABLE/TASK; means over `seeds`. A task that
    has no error with a seed, whose test responses are all the same, counts with the others."""

    def __init__(self, results: Results, tables: list[TaskTable], seeds: Iterable[int]):
        self.results, self.tables, self.seeds = results, tables, list(seeds)
        self.errors = {key: row for key, row in results.items() if not math.isnan(row.error)}

    def methods(self) -> list[str]:
        """Those measured on the chosen tables: single first, XGBoost last."""
        known = {(spec.name, table.cut) for table in self.tables for spec in table.specs()}
        found = dict.fromkeys(key[3] for key in self.results if key[:2] in known)
        return sorted(found, key=lambda name: (name != "single", name == "xgboost"))

    def lines(self, table: TaskTable, method: str, baselines: list[str]) -> list[Line]:
        """A line per task that the method has."""
        blocks = self._blocks([table], method, baselines)
        return blocks[0].lines if blocks else []

    def standing(self, method: str, baseline: str) -> Standing | None:
        """Nothing if there is no table that both have."""
        sizes = {t.name: self._num_tasks(t, [method, baseline]) for t in self.tables}
        summaries = {
            block.title: summary
            for block in self._blocks(self.tables, method, [baseline])
            for summary in block.summaries()
            if summary.tables == sizes[block.title]
        }
        if not summaries:
            return None
        verdicts = zip(*((s.wins, s.ties, s.losses) for s in summaries.values()), strict=True)
        means = {table: summary.mean for table, summary in summaries.items()}
        return Standing(means, geometric_mean(means.values()), *map(sum, verdicts))

    def seconds(self, table: TaskTable, method: str) -> float | None:
        """Of all tasks together, a seed; nothing if no seed has every task."""
        return self._total(table, method, "seconds")

    def bytes(self, table: TaskTable, method: str) -> float | None:
        """Likewise, of the model files; nothing if they are not known."""
        return self._total(table, method, "bytes") or None

    def _total(self, table: TaskTable, method: str, figure: str) -> float | None:
        totals = []
        for seed in self.seeds:
            keys = [(spec.name, spec.cut, seed, method) for spec in table.specs()]
            if all(key in self.results for key in keys):
                totals.append(sum(getattr(self.results[key], figure) for key in keys))
        return sum(totals) / len(totals) if totals else None

    def _num_tasks(self, table: TaskTable, methods: list[str]) -> int:
        """Without those that have no error with any of the seeds that all methods have."""
        return sum(not self._has_no_error(spec, methods) for spec in table.specs())

    def _has_no_error(self, spec: TableSpec, methods: list[str]) -> bool:
        keys = [[(spec.name, spec.cut, seed, m) for m in methods] for seed in self.seeds]
        shared = [group for group in keys if all(key in self.results for key in group)]
        return bool(shared) and not any(key in self.errors for group in shared for key in group)

    def _blocks(self, tables: list[TaskTable], method: str, baselines: list[str]) -> list[Block]:
        groups = {table.name: table.specs() for table in tables}
        return make_blocks(self.errors, groups, self.seeds, [Comparison(method, baselines)])


def standing(
    cache: Path,
    method: str,
    baseline: str,
    tables: str,
    seeds: int = 1,
    holes: Iterable[float] = (0, HALF),
) -> Standing | None:
    """`method` ÷ `baseline` from the results below `cache`, on `tables` as --tables takes them."""
    selected = select_tables(tables, None, holes)
    results = read_results(Path(cache) / "results.csv")
    return Comparer(results, selected, range(seeds)).standing(method, baseline)
