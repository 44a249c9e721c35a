"""What the command line asks for."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.tasks.methods import METHODS, Method, variant

BASELINES = ["single", "xgboost"]


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev bench tasks",
        description="Several tasks in one model beside a model per task: bench/tasks/README.md",
    )
    add = parser.add_argument
    add("--data", type=Path, required=True, help="folder of the files in tables.toml")
    add("--tables", default="all", help="tables of tables.toml, comma-separated (default all)")
    add("--rows", type=int, help="cut to so many rows; 0 = all (default: the table's)")
    add("--methods", help="comma-separated: " + ", ".join(METHODS) + " (default all)")
    add("--seeds", type=int, default=1, help="seeds 0, 1, … (default 1 seed)")
    add("--label", help="measure a variant of this name: options for softwood train after --")
    add("--per-task", action="store_true", help="the variant is a model per task")
    add("--again", action="store_true", help="measure softwood anew")
    add("--report-only", action="store_true", help="run nothing: report what is there")
    add("--markdown", action="store_true", help="print the report as Markdown")
    add("--workers", type=int, default=2, help="jobs at once (default 2; 1 for honest times)")
    add("--cache", type=Path, default=Path("build/tasks"))
    add("arguments", nargs="*", help="after --: options for softwood train")
    options = parser.parse_args()
    if options.arguments and not options.label:
        parser.error("options for softwood train make a variant: name it with --label")
    if options.label in METHODS:
        parser.error(f"'{options.label}' is a method already: give the variant another name")
    return options


def methods_to_run(options: argparse.Namespace) -> dict[str, Method]:
    """The named ones and the variant; beside a variant only the baselines unless more are named."""
    names = BASELINES if options.label else list(METHODS)
    if options.methods:
        names = options.methods.split(",")
    unknown = [name for name in names if name not in METHODS]
    if unknown:
        raise SystemExit(f"no method '{unknown[0]}'; there are: {', '.join(METHODS)}")
    found = {name: METHODS[name] for name in names}
    if options.label:
        found[options.label] = variant(options.arguments, options.per_task)
    return found
