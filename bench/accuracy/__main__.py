"""`./dev bench accuracy`: softwood's errors beside boosting's on real tables. See README.md."""

from __future__ import annotations

import argparse
import sys

from bench.accuracy.compare import make_blocks, trees_curves
from bench.accuracy.jobs import Job, run
from bench.accuracy.options import comparisons, our_methods, parse_arguments
from bench.accuracy.page import html_page
from bench.accuracy.report import markdown_report, text_report
from bench.accuracy.results import read_results
from bench.accuracy.tables import TableSpec, select_groups


def due_jobs(options: argparse.Namespace, specs: list[TableSpec]) -> list[Job]:
    """What results.csv does not have yet; with --again all of ours."""
    known = read_results(options.cache / "results.csv")
    rivals = dict.fromkeys(name for c in comparisons(options) for name in c.rivals)
    methods = rivals | ({} if options.rivals_only else our_methods(options))
    jobs = [
        Job(spec, seed, method, ours)
        for spec in specs
        for seed in range(options.seeds)
        for method, ours in methods.items()
    ]
    return [job for job in jobs if job.key not in known or (options.again and job.ours)]


def write_reports(options: argparse.Namespace, groups: dict[str, list[TableSpec]]) -> None:
    results, seeds = read_results(options.cache / "results.csv"), range(options.seeds)
    compared = comparisons(options)
    blocks = make_blocks(results, groups, seeds, compared)
    print(markdown_report(blocks) if options.markdown else text_report(blocks))
    rival = compared[0].rivals[0]
    specs = [spec for found in groups.values() for spec in found]
    page = options.cache / "report.html"
    page.write_text(html_page(blocks, trees_curves(results, specs, seeds, rival), rival))
    print(f"plots: {page}", file=sys.stderr)


def main() -> int:
    options = parse_arguments()
    groups = select_groups(options.tables, options.rows)
    specs = list(dict.fromkeys(spec for found in groups.values() for spec in found))
    jobs = [] if options.report_only else due_jobs(options, specs)
    failures = run(options.data, options.cache, jobs, options.workers)
    if not options.rivals_only:
        write_reports(options, groups)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
