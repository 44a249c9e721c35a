"""Measuring: one job is one method on one split; results are kept as they come in."""

from __future__ import annotations

import sys
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path

from bench.accuracy.ours import CommandFailed, Ours, softwood
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
    failures = 0
    with ProcessPoolExecutor(workers) as pool:
        futures = {pool.submit(measure, data, cache, job): job for job in jobs}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                name = "{}/{} seed {} {}".format(*futures[future].key)
                failures += not _keep(future, cache, f"[{done}/{len(jobs)}] {name}")
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
            raise SystemExit("interrupted; the same command goes on from here") from None
    return failures


def _keep(future: Future[Result], cache: Path, name: str) -> bool:
    """One line of progress, and the result's row; a failure costs only its own."""
    try:
        result = future.result()
    except Exception as problem:
        # The worker's traceback, if the fault is not simply that a command said no.
        text = problem if isinstance(problem, CommandFailed) else problem.__cause__ or problem
        _say(f"{name}: failed\n{text}")
        return False
    append_result(cache / "results.csv", result)
    _say(f"{name}: {result.error:.4g} in {result.seconds:.1f} s")
    return True


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
