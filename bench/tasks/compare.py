"""Methods beside each other: ratios to a baseline per table, over tables, and their time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bench.accuracy.compare import Block, Comparison, Line, Results, geometric_mean, make_blocks
from bench.tasks.tables import TaskTable


@dataclass(frozen=True)
class Standing:
    """A method ÷ a baseline. `tables`: of those that both have measured in full, the geometric
    mean over the tasks; `mean` is that of these; the verdicts are counted over their tasks."""

    tables: dict[str, float]
    mean: float
    wins: int
    ties: int
    losses: int


class Comparer:
    """Answers from `results`, where a table is called TABLE/TASK; means over `seeds`."""

    def __init__(self, results: Results, tables: list[TaskTable], seeds: Iterable[int]):
        self.results, self.tables, self.seeds = results, tables, list(seeds)

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
        sizes = {table.name: len(table.tasks) for table in self.tables}
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
        """Of all tasks together, a seed; nothing if a task is missing."""
        lines = self.lines(table, method, [])
        if len(lines) < len(table.tasks):
            return None
        return sum(line.seconds[method] for line in lines)

    def _blocks(self, tables: list[TaskTable], method: str, baselines: list[str]) -> list[Block]:
        groups = {table.name: table.specs() for table in tables}
        return make_blocks(self.results, groups, self.seeds, [Comparison(method, baselines)])
