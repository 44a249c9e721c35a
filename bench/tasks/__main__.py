"""`./dev bench tasks`: several tasks in one model beside a model per task. See README.md."""

from __future__ import annotations

import argparse
import sys

from bench.accuracy.results import read_results
from bench.tasks.compare import Comparer
from bench.tasks.jobs import Job, jobs_of, run
from bench.tasks.options import methods_to_run, parse_arguments
from bench.tasks.report import make_grids, markdown, task_grids, text
from bench.tasks.tables import TaskTable, select_tables


def due_jobs(options: argparse.Namespace, tables: list[TaskTable]) -> list[Job]:
    """What results.csv does not have yet; with --again all of ours."""
    known = read_results(options.cache / "results.csv")
    jobs = [
        job
        for seed in range(options.seeds)
        for table in tables
        for name, method in methods_to_run(options).items()
        for job in jobs_of(table, seed, name, method)
    ]
    return [
        job
        for job in jobs
        if (options.again and job.method.is_ours)
        or any(job.key(task) not in known for task in job.tasks)
    ]


def report(options: argparse.Namespace, tables: list[TaskTable]) -> str:
    """All methods of the results, or those that --methods names (variants too) and --label."""
    comparer = Comparer(read_results(options.cache / "results.csv"), tables, range(options.seeds))
    wanted = [options.label, *options.methods.split(",")] if options.methods else None
    methods = [name for name in comparer.methods() if wanted is None or name in wanted]
    grids = make_grids(comparer, methods, options.baselines.split(","))
    if options.task_errors:
        grids += task_grids(comparer, read_results(options.cache / "auc.csv"), methods)
    return markdown(grids) if options.markdown else text(grids)


def main() -> int:
    options = parse_arguments()
    tables = select_tables(options.tables, options.rows, options.holes)
    jobs = [] if options.report_only else due_jobs(options, tables)
    failures = run(options.data, options.cache, jobs, options.workers)
    print(report(options, tables))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
