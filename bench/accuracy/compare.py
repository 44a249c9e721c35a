"""Ours beside rivals: mean errors per table, ratios, wins, ties and losses."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from bench.accuracy.results import Key, Result
from bench.accuracy.tables import TableSpec

Results = dict[Key, Result]

# Ratios this near 1 are ties. A count's deviance is mostly noise that no model removes, so
# smaller differences mean something there.
TIE = 0.01
COUNT_TIE = 0.003


@dataclass(frozen=True)
class Comparison:
    """One of our methods beside rivals."""

    ours: str
    rivals: list[str]

    @property
    def methods(self) -> list[str]:
        return [self.ours, *self.rivals]


@dataclass(frozen=True)
class Ratio:
    """Ours ÷ the rival's; errors and seconds are means over the seeds both have."""

    error: float
    seconds: float
    verdict: str


@dataclass(frozen=True)
class Line:
    """One table. What was not measured is not in the dictionaries."""

    table: str
    metric: str
    tie: float
    errors: dict[str, float]
    seconds: dict[str, float]
    sizes: dict[str, float]
    ratios: dict[str, Ratio]


@dataclass(frozen=True)
class Summary:
    rival: str
    tables: int
    mean: float
    wins: int
    ties: int
    losses: int

    def __str__(self) -> str:
        return (
            f"÷ {self.rival}: geometric mean of the error ratios {self.mean:.3f} on {self.tables} "
            f"tables, wins/ties/losses {self.wins}/{self.ties}/{self.losses}"
        )


@dataclass(frozen=True)
class Block:
    """The lines of one set of tables for one comparison."""

    title: str
    comparison: Comparison
    lines: list[Line]

    def summaries(self) -> list[Summary]:
        found = [_summary(rival, self.lines) for rival in self.comparison.rivals]
        return [summary for summary in found if summary]


def make_blocks(
    results: Results,
    groups: dict[str, list[TableSpec]],
    seeds: Iterable[int],
    comparisons: list[Comparison],
) -> list[Block]:
    """A block per comparison and set that has anything of ours."""
    blocks = []
    for comparison in comparisons:
        for title, specs in groups.items():
            lines = [_line(results, spec, list(seeds), comparison) for spec in specs]
            blocks.append(Block(title, comparison, [line for line in lines if line]))
    return [block for block in blocks if block.lines]


def trees_curves(
    results: Results, specs: list[TableSpec], seeds: Iterable[int], rival: str
) -> dict[str, dict[int, float]]:
    """Per table, of the methods softwood:treesN: N → error ÷ the rival's."""
    counts = {int(n[1]) for key in results if (n := re.fullmatch(r"softwood:trees(\d+)", key[3]))}
    curves: dict[str, dict[int, float]] = {}
    for spec in specs:
        for trees in sorted(counts):
            ours, theirs = _pair(results, spec, list(seeds), f"softwood:trees{trees}", rival)
            if ours:
                ratio = _mean_error(ours) / _mean_error(theirs)
                curves.setdefault(f"{spec.name}/{spec.cut}", {})[trees] = ratio
    return curves


def geometric_mean(values: Iterable[float]) -> float:
    return math.exp(_mean([math.log(value) for value in values]))


def _line(
    results: Results, spec: TableSpec, seeds: list[int], comparison: Comparison
) -> Line | None:
    rows = {method: _rows(results, spec, seeds, method) for method in comparison.methods}
    rows = {method: found for method, found in rows.items() if found}
    if comparison.ours not in rows:
        return None
    ratios, tie = {}, COUNT_TIE if spec.kind == "count" else TIE
    for rival in comparison.rivals:
        ours, theirs = _pair(results, spec, seeds, comparison.ours, rival)
        if ours:
            ratios[rival] = _ratio(ours, theirs, tie)
    return Line(
        spec.name,
        rows[comparison.ours][0].metric,
        tie,
        {method: _mean_error(found) for method, found in rows.items()},
        {method: _mean([row.seconds for row in found]) for method, found in rows.items()},
        {method: _mean([row.size for row in found]) for method, found in rows.items()},
        ratios,
    )


def _ratio(ours: list[Result], theirs: list[Result], tie: float) -> Ratio:
    error = _mean_error(ours) / _mean_error(theirs)
    # A training time that rounds to nothing still has to divide.
    seconds = [max(0.001, _mean([row.seconds for row in rows])) for rows in (ours, theirs)]
    verdict = "win" if error < 1 - tie else "loss" if error > 1 + tie else "tie"
    return Ratio(error, seconds[0] / seconds[1], verdict)


def _summary(rival: str, lines: list[Line]) -> Summary | None:
    ratios = [line.ratios[rival] for line in lines if rival in line.ratios]
    if not ratios:
        return None
    counts = [sum(r.verdict == kind for r in ratios) for kind in ("win", "tie", "loss")]
    return Summary(rival, len(ratios), geometric_mean(r.error for r in ratios), *counts)


def _rows(results: Results, spec: TableSpec, seeds: list[int], method: str) -> list[Result]:
    keys = [(spec.name, spec.cut, seed, method) for seed in seeds]
    return [results[key] for key in keys if key in results]


def _pair(
    results: Results, spec: TableSpec, seeds: list[int], ours: str, rival: str
) -> tuple[list[Result], list[Result]]:
    """Both methods' rows, of the seeds that both have."""
    both = [_rows(results, spec, seeds, method) for method in (ours, rival)]
    shared = {row.seed for row in both[0]} & {row.seed for row in both[1]}
    return tuple([row for row in rows if row.seed in shared] for rows in both)


def _mean_error(rows: list[Result]) -> float:
    return _mean([row.error for row in rows])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
