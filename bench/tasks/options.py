"""What the command line asks for."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.tasks.methods import DEFAULT_METHODS, METHODS, Method, variant
from bench.tasks.tables import SETS


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev bench tasks",
        description="Several tasks in one model beside a model per task: bench/tasks/README.md",
    )
    add = parser.add_argument
    add("--data", type=Path, required=True, help="folder of the files in tables.toml")
    add(
        "--tables",
        default="mixed",
        help="sets and tables of tables.toml, comma-separated, or all (default mixed): "
        + ", ".join(SETS),
    )
    add("--rows", type=int, help="cut to so many rows; 0 = all (default: the table's)")
    add(
        "--holes",
        type=_shares,
        default=[0],
        help="share of each response of the complete tables to remove from train and validation "
        "rows; several: 0,0.5 (default 0)",
    )
    defaults = ",".join(DEFAULT_METHODS)
    add("--methods", help=f"comma-separated (default {defaults}): " + ", ".join(METHODS))
    add("--baselines", default="single,xgboost", help="what the others are divided by")
    add("--seeds", type=int, default=1, help="seeds 0, 1, … (default 1 seed)")
    add("--label", help="measure a variant of this name: options for softwood train after --")
    add("--per-task", action="store_true", help="the variant is a model per task")
    add("--joined", action="store_true", help="the variant is given all known rows in one file")
    add("--variant-only", action="store_true", help="run only the variant, no baselines")
    add("--again", action="store_true", help="measure softwood anew")
    add("--report-only", action="store_true", help="run nothing: report what is there")
    add("--task-errors", action="store_true", help="report every task, too")
    add("--markdown", action="store_true", help="print the report as Markdown")
    add("--workers", type=int, default=2, help="jobs at once (default 2; 1 for honest times)")
    add("--cache", type=Path, default=Path("build/tasks"))
    add("arguments", nargs="*", help="after --: options for softwood train")
    options = parser.parse_args()
    if options.arguments and not options.label:
        parser.error("options for softwood train make a variant: name it with --label")
    if options.variant_only and not options.label:
        parser.error("--variant-only needs a variant: name it with --label")
    if options.label in METHODS:
        parser.error(f"'{options.label}' is a method already: give the variant another name")
    return options


def _shares(text: str) -> list[float]:
    shares = [float(word) for word in text.split(",")]
    if not all(0 <= share < 1 for share in shares):
        raise argparse.ArgumentTypeError("shares are from 0 to below 1")
    return shares


def methods_to_run(options: argparse.Namespace) -> dict[str, Method]:
    """The named ones and the variant; beside a variant only the baselines unless more are named."""
    if options.variant_only:
        names = []
    elif options.methods:
        names = options.methods.split(",")
    else:
        names = options.baselines.split(",") if options.label else DEFAULT_METHODS
    unknown = [name for name in names if name not in METHODS]
    if unknown:
        raise SystemExit(f"no method '{unknown[0]}'; there are: {', '.join(METHODS)}")
    found = {name: METHODS[name] for name in names}
    if options.label:
        found[options.label] = variant(options.arguments, options.per_task, options.joined)
    return found
