"""Measuring: one job is one model; the errors of its tasks are kept as they come in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from bench.accuracy.pool import run_jobs
from bench.accuracy.results import Key, Result, append_result
from bench.tasks.methods import Learned, Method
from bench.tasks.scores import METRICS, auc, error
from bench.tasks.splits import JointSplit, make_split
from bench.tasks.tables import Task, TaskTable


@dataclass(frozen=True)
class Job:
    """`tasks`: those of the model, one or all."""

    table: TaskTable
    seed: int
    name: str
    method: Method
    tasks: tuple[Task, ...]

    def key(self, task: Task) -> Key:
        return (self.table.spec(task).name, self.table.cut, self.seed, self.name)

    def __str__(self) -> str:
        tasks = "" if self.method.joint else f"/{self.tasks[0].target}"
        return f"{self.table.name}{tasks} ({self.table.cut} rows) seed {self.seed} {self.name}"


@dataclass
class Figures:
    """A row per task; `aucs` (as 1 - AUC) only of binary ones."""

    errors: list[Result]
    aucs: list[Result]


def jobs_of(table: TaskTable, seed: int, name: str, method: Method) -> list[Job]:
    """None where the method has no model for such a table."""
    if not method.suits(table):
        return []
    parts = [table.tasks] if method.joint else [(task,) for task in table.tasks]
    return [Job(table, seed, name, method, tasks) for tasks in parts]


def measure(data: Path, cache: Path, job: Job) -> Figures:
    split = make_split(data, cache, job.table, job.seed)
    learned = job.method.learn(split, job.seed, job.tasks)
    figures = Figures([], [])
    for task in job.tasks:
        _add(figures, job, task, split, learned)
    return figures


def _add(figures: Figures, job: Job, task: Task, split: JointSplit, learned: Learned) -> None:
    """Seconds and bytes of a joint model are dealt out to its tasks, so that they add up."""
    y = split.test_response(task)
    y, predicted = y[~np.isnan(y)], learned.predicted[task.target]
    value, seconds = error(task.kind, y, predicted), round(learned.seconds / len(job.tasks), 3)
    metric, size = METRICS[task.kind], (learned.trees, round(learned.bytes / len(job.tasks)))
    figures.errors.append(Result(*job.key(task), metric, value, seconds, *size))
    area = auc(y, predicted) if task.kind == "binary" else None
    if area is not None:
        figures.aucs.append(replace(figures.errors[-1], metric="1 - AUC", error=1 - area))


def run(data: Path, cache: Path, jobs: list[Job], workers: int) -> int:
    """Appends to results.csv and auc.csv what is measured; returns how many jobs failed."""

    def keep(figures: Figures) -> str:
        for result in figures.aucs:
            append_result(cache / "auc.csv", result)
        for result in figures.errors:
            append_result(cache / "results.csv", result)
        errors = ", ".join(f"{result.error:.4g}" for result in figures.errors)
        return f"{errors} in {sum(result.seconds for result in figures.errors):.1f} s"

    return run_jobs(jobs, partial(measure, data, cache), keep, workers)
