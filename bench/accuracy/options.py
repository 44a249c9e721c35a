"""What the command line asks for."""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.accuracy.compare import Comparison
from bench.accuracy.ours import Ours
from bench.accuracy.rivals import RIVALS, SPACES


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev bench accuracy",
        description="Softwood's errors beside boosting's on real tables: bench/accuracy/README.md",
    )
    add = parser.add_argument
    add("--data", type=Path, required=True, help="folder of the files in tables.toml")
    add("--tables", default="small", help="sets and tables of tables.toml: small, large,adult, …")
    add("--rows", type=int, help="cut to so many rows; 0 = all (default: the set's)")
    add("--seeds", type=int, default=1, help="seeds 0, 1, … (default 1 seed)")
    add("--against", default="xgboost", help="comma-separated: " + ", ".join(RIVALS))
    add("--tuned", action="store_true", help="beside each rival also its tuned self")
    add("--five", action="store_true", help="also five folds each: ours and the rivals'")
    add("--auto", action="store_true", help="also train and validation rows in one file")
    add("--trees-curve", default="", metavar="10,30,…", help="also with so many trees")
    add("--label", default="default", help="the variant's name in the results")
    add("--again", action="store_true", help="measure softwood anew")
    add("--rivals-only", action="store_true", help="run only the rivals")
    add("--report-only", action="store_true", help="run nothing: report what is there")
    add("--markdown", action="store_true", help="print the report as Markdown")
    add("--workers", type=int, default=2, help="jobs at once (default 2; 1 for honest times)")
    add("--cache", type=Path, default=Path("build/accuracy"))
    add("arguments", nargs="*", help="after --: options for softwood train")
    return parser.parse_args()


def comparisons(options: argparse.Namespace) -> list[Comparison]:
    """The plain one; with --five another, five folds beside five folds, then the rest; with --auto
    another, all known rows beside the rivals and their five folds."""
    names = options.against.split(",")
    unknown = [name for name in names if name not in RIVALS]
    if unknown:
        raise SystemExit(f"no rival '{unknown[0]}'; there are: {', '.join(RIVALS)}")
    if options.tuned:
        names += [f"{name}_tuned" for name in names if name in SPACES]
    found = [Comparison(f"softwood:{options.label}", names)]
    folded = [f"{name}_five" for name in names if f"{name}_five" in RIVALS]
    if options.five:
        found.append(Comparison(f"softwood:{options.label}_five", folded + names))
    if options.auto:
        found.append(Comparison(_auto_name(options), names + folded))
    return found


def _auto_name(options: argparse.Namespace) -> str:
    return "softwood:" + ("auto" if options.label == "default" else f"{options.label}_auto")


def our_methods(options: argparse.Namespace) -> dict[str, Ours]:
    """How softwood is run for each of its methods' names."""
    arguments = tuple(options.arguments)
    methods = {f"softwood:{options.label}": Ours(arguments)}
    if options.five:
        methods[f"softwood:{options.label}_five"] = Ours(arguments, "folds")
    if options.auto:
        methods[_auto_name(options)] = Ours(arguments, "joined")
    for trees in filter(None, options.trees_curve.split(",")):
        methods[f"softwood:trees{trees}"] = Ours((*arguments, "--trees", trees))
    return methods
