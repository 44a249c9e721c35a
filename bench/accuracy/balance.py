"""`./dev bench balance`: what fitting the offsets once more does to errors and averages.

Every table is trained twice on the same split, with --balance true and false: the trees are the
same, only the offsets differ. Figures go to balance.csv below --cache as they come in; what is
there is not measured again.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from functools import partial
from pathlib import Path

from bench.accuracy.ours import loss_of, run_command
from bench.accuracy.pool import run_jobs
from bench.accuracy.splits import Split, make_split
from bench.accuracy.tables import TableSpec, select_groups

SETTINGS = {"before": "false", "after": "true"}


@dataclass(frozen=True)
class Figures:
    """`loss`: of the test rows; means: predicted ÷ observed (NaN where a response has no such
    mean: several classes, both signs)."""

    table: str
    cut: str
    seed: int
    loss_before: float
    loss_after: float
    train_before: float
    train_after: float
    test_before: float
    test_after: float

    @property
    def key(self) -> tuple[str, str, int]:
        return self.table, self.cut, self.seed


@dataclass(frozen=True)
class Job:
    spec: TableSpec
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        return self.spec.name, self.spec.cut, self.seed

    def __str__(self) -> str:
        return "{}/{} seed {}".format(*self.key)


def evaluate(model: Path, rows: Path) -> dict[str, float]:
    told = json.loads(run_command([os.environ["SOFTWOOD"], "evaluate", model, rows, "--json"]))
    return dict(told[0]["metrics"])


def figures_of(split: Split, seed: int, balance: str) -> tuple[float, float, float]:
    """Test loss, and the ratios of means on training and test rows."""
    spec = split.spec
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "m.softwood")
        command = [os.environ["SOFTWOOD"], "train", split.path("train")]
        command += [
            "--valid",
            split.path("valid"),
            "--target",
            spec.target,
            "--loss",
            loss_of(spec),
        ]
        command += ["--seed", str(seed), "--threads", "1", "--quiet", "-o", model]
        run_command([*command, "--balance", balance])
        train, test = (evaluate(model, split.path(part)) for part in ("train", "test"))
    ratios = [part.get("ratio_of_means", math.nan) for part in (train, test)]
    return test["loss"], ratios[0], ratios[1]


def measure(data: Path, cache: Path, job: Job) -> Figures:
    split = make_split(data, cache, job.spec, job.seed)
    both = {name: figures_of(split, job.seed, value) for name, value in SETTINGS.items()}
    pairs = zip(both["before"], both["after"], strict=True)
    return Figures(*job.key, *(value for pair in pairs for value in pair))


def read_figures(path: Path) -> dict[tuple[str, str, int], Figures]:
    if not path.exists():
        return {}
    with path.open() as file:
        rows = [
            Figures(row["table"], row["cut"], int(row["seed"]), *map(float, list(row.values())[3:]))
            for row in csv.DictReader(file)
        ]
    return {row.key: row for row in rows}


def append_figures(path: Path, figures: Figures) -> str:
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow([field.name for field in fields(Figures)])
        writer.writerow(astuple(figures))
    return f"loss {figures.loss_before:.5g} -> {figures.loss_after:.5g}"


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan


def distance(ratios: Iterable[float]) -> float:
    """How far from balance in the mean, as a factor less one: 0.02 is two percent."""
    return geometric_mean(math.exp(abs(math.log(r))) for r in ratios if r > 0) - 1


def line(name: str, rows: list[Figures]) -> str:
    def spread(values: list[float]) -> str:
        known = [value for value in values if not math.isnan(value)]
        return f"{min(known):.3f}–{max(known):.3f}" if known else "–"

    loss = geometric_mean(row.loss_after / row.loss_before for row in rows if row.loss_before > 0)
    columns = [f"{loss:.4f}"]
    for field in ("train_before", "train_after", "test_before", "test_after"):
        columns.append(spread([getattr(row, field) for row in rows]))
    return f"| {name} | " + " | ".join(columns) + " |"


def report(groups: dict[str, list[TableSpec]], known: dict, seeds: int) -> str:
    head = (
        "| table | test loss after ÷ before | means, train, before | after | "
        "test, before | after |\n|---|---|---|---|---|---|"
    )
    lines = [head]
    for group, specs in groups.items():
        rows = [
            [known[key] for seed in range(seeds) if (key := (s.name, s.cut, seed)) in known]
            for s in specs
        ]
        lines += [line(s.name, found) for s, found in zip(specs, rows, strict=True) if found]
        every = [row for found in rows for row in found]
        lines.append(line(f"**{group}**", every) if every else f"| **{group}** |")
        off = [
            100 * distance(getattr(row, field) for row in every)
            for field in ("train_before", "train_after", "test_before", "test_after")
        ]
        lines.append("| off by, in the mean | | " + " | ".join(f"{o:.2f} %" for o in off) + " |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev bench balance", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the files")
    parser.add_argument("--tables", default="all", help="sets and tables of tables.toml")
    parser.add_argument("--rows", type=int, help="cut to so many rows; 0 = all")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--cache", type=Path, default=Path("build/accuracy"))
    options = parser.parse_args()
    groups = select_groups(options.tables, options.rows)
    file = options.cache / "balance.csv"
    options.cache.mkdir(parents=True, exist_ok=True)
    known = read_figures(file)
    specs = list(dict.fromkeys(spec for found in groups.values() for spec in found))
    jobs = [Job(spec, seed) for seed in range(options.seeds) for spec in specs]
    due = [] if options.report_only else [job for job in jobs if job.key not in known]
    work = partial(measure, options.data, options.cache)
    failures = run_jobs(due, work, partial(append_figures, file), options.workers)
    print(report(groups, read_figures(file), options.seeds))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
