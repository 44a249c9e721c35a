"""The comparison as a table: errors, ratios, geometric mean, wins/ties/losses."""

from __future__ import annotations

import math

from bench.accuracy.results import Result, Results
from bench.accuracy.tables import TableSpec

TIE = 0.01


def report(
    results: Results, specs: list[TableSpec], seeds: list[int], ours: str, rivals: list[str]
) -> str:
    """One line per table; errors and seconds are means over the seeds that every method has."""
    lines = [_header(ours, rivals)]
    ratios: dict[str, list[float]] = {rival: [] for rival in rivals}
    for spec in specs:
        rows = {method: _rows(results, spec, seeds, method) for method in [ours, *rivals]}
        if not all(rows.values()):
            continue
        errors = {method: _mean([r.error for r in found]) for method, found in rows.items()}
        seconds = [_mean([r.seconds for r in found]) for found in rows.values()]
        for rival in rivals:
            ratios[rival].append(errors[ours] / errors[rival])
        cells = [f"{errors[method]:10.4g}" for method in rows]
        cells += [f"{ratios[rival][-1]:7.3f}" for rival in rivals]
        cells += [f"{value:8.1f}" for value in seconds]
        lines.append(f"{spec.name:<26}{'  '.join(cells)}  {rows[ours][0].metric}")
    lines += [_summary(rival, found) for rival, found in ratios.items() if found]
    return "\n".join(lines)


def _rows(results: Results, spec: TableSpec, seeds: list[int], method: str) -> list[Result]:
    keys = [(spec.name, spec.cut, seed, method) for seed in seeds]
    return [results.rows[key] for key in keys] if all(k in results.rows for k in keys) else []


def _header(ours: str, rivals: list[str]) -> str:
    short = [name[:10] for name in [ours, *rivals]]
    cells = [f"{name:>10}" for name in short] + ["  ratio"] * len(rivals)
    cells += [f"{'s ' + name[:6]:>8}" for name in short]
    return f"{'table':<26}{'  '.join(cells)}  error"


def _summary(rival: str, ratios: list[float]) -> str:
    mean = math.exp(_mean([math.log(ratio) for ratio in ratios]))
    wins = sum(ratio < 1 - TIE for ratio in ratios)
    losses = sum(ratio > 1 + TIE for ratio in ratios)
    ties = len(ratios) - wins - losses
    return (
        f"÷ {rival}: geometric mean of the error ratios {mean:.3f} on {len(ratios)} tables, "
        f"wins/ties/losses {wins}/{ties}/{losses}"
    )


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
