"""Jobs on several processes; what each gives is kept as soon as it is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import active_children
from typing import TypeVar

from bench.accuracy.ours import CommandFailed

Job = TypeVar("Job")
Figures = TypeVar("Figures")


def run_jobs(
    jobs: Sequence[Job],
    measure: Callable[[Job], Figures],
    keep: Callable[[Figures], str],
    workers: int,
) -> int:
    """`keep` stores a job's figures and says them in a few words; returns how many jobs failed."""
    failures = 0
    with ProcessPoolExecutor(workers) as pool:
        futures = {pool.submit(measure, job): job for job in jobs}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                name = f"[{done}/{len(jobs)}] {futures[future]}"
                failures += not _finish(future, keep, name)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():
                worker.terminate()
            raise SystemExit("interrupted; the same command goes on from here") from None
    return failures


def _finish(future: Future[Figures], keep: Callable[[Figures], str], name: str) -> bool:
    """One line of progress; a failure costs only its own figures."""
    try:
        figures = future.result()
    except Exception as problem:
        # The worker's traceback, if the fault is not simply that a command said no.
        text = problem if isinstance(problem, CommandFailed) else problem.__cause__ or problem
        _say(f"{name}: failed\n{text}")
        return False
    _say(f"{name}: {keep(figures)}")
    return True


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
