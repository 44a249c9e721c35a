"""Measuring: one job is one method on one split; results are kept as they come in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.accuracy.ours import Ours, softwood
from bench.accuracy.pool import run_jobs
from bench.accuracy.results import Result, append_result
from bench.accuracy.rivals import RIVALS
from bench.accuracy.scores import METRICS, error
from bench.accuracy.splits import make_split
from bench.accuracy.tables import TableSpec


@dataclass(frozen=True)
class Job:
    """`ours` says how to run softwood; without it, `method` names a rival."""

    spec: TableSpec
    seed: int
    method: str
    ours: Ours | None = None

    @property
    def key(self) -> tuple[str, str, int, str]:
        return (self.spec.name, self.spec.cut, self.seed, self.method)

    def __str__(self) -> str:
        return "{}/{} seed {} {}".format(*self.key)


def measure(data: Path, cache: Path, job: Job) -> Result:
    spec, split = job.spec, make_split(data, cache, job.spec, job.seed)
    if job.ours:
        outcome = softwood(split, job.seed, job.ours)
    else:
        outcome = RIVALS[job.method](split, job.seed)
    value = error(spec.kind, split.frames()["test"][spec.target], outcome.predicted)
    seconds = round(outcome.seconds, 3)
    return Result(*job.key, METRICS[spec.kind], value, seconds, outcome.size, outcome.bytes)


def run(data: Path, cache: Path, jobs: list[Job], workers: int) -> int:
    """Appends every result to results.csv when it is there; returns how many jobs failed."""

    def keep(result: Result) -> str:
        append_result(cache / "results.csv", result)
        return f"{result.error:.4g} in {result.seconds:.1f} s"

    return run_jobs(jobs, partial(measure, data, cache), keep, workers)
