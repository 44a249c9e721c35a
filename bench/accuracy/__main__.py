"""`./dev bench accuracy`: softwood's errors beside boosting's on real tables. See README.md."""

from __future__ import annotations

import argparse
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from bench.accuracy.ours import softwood
from bench.accuracy.report import report
from bench.accuracy.results import Result, Results
from bench.accuracy.rivals import RIVALS
from bench.accuracy.scores import METRICS, error
from bench.accuracy.splits import make_split
from bench.accuracy.tables import TableSpec, select_tables


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev bench accuracy", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder of the files in tables.toml"
    )
    parser.add_argument("--tables", default="small", help="a set of tables.toml, or names: a,b")
    parser.add_argument(
        "--rows", type=int, help="cut to so many rows; 0 = all (default: the set's)"
    )
    parser.add_argument("--seeds", type=int, default=1, help="seeds 0, 1, ... (default 1 seed)")
    parser.add_argument(
        "--against", default="xgboost", help="comma-separated: " + ", ".join(RIVALS)
    )
    parser.add_argument("--label", default="default", help="the variant's name in the results")
    parser.add_argument("--again", action="store_true", help="measure this label anew")
    parser.add_argument("--rivals-only", action="store_true", help="run only the rivals")
    parser.add_argument("--workers", type=int, default=2, help="tables at once (default 2)")
    parser.add_argument("--cache", type=Path, default=Path("build/accuracy"))
    parser.add_argument("arguments", nargs="*", help="after --: options for softwood train")
    return parser.parse_args()


def measure(
    data: Path, cache: Path, spec: TableSpec, seed: int, method: str, arguments: list[str]
) -> Result:
    split = make_split(data, cache, spec, seed)
    rival = RIVALS.get(method)
    outcome = rival(split, seed) if rival else softwood(split, seed, arguments)
    value = error(spec.kind, split.frame("test")[spec.target], outcome.predicted)
    seconds = round(outcome.seconds, 3)
    return Result(
        spec.name, spec.cut, seed, method, METRICS[spec.kind], value, seconds, outcome.size
    )


def measure_table(
    data: Path, cache: Path, spec: TableSpec, jobs: list[tuple[int, str]], arguments: list[str]
) -> tuple[list[Result], list[str]]:
    """All jobs of one table in one process; a failure costs only its own row."""
    done, failed = [], []
    for seed, method in jobs:
        try:
            done.append(measure(data, cache, spec, seed, method, arguments))
        except Exception:
            failed.append(f"{spec.name}, seed {seed}, {method}:\n{traceback.format_exc()}")
    return done, failed


def main() -> int:
    options = parse_arguments()
    specs = select_tables(options.tables, options.rows)
    seeds = list(range(options.seeds))
    rivals, ours = options.against.split(","), f"softwood:{options.label}"
    unknown = [name for name in rivals if name not in RIVALS]
    if unknown:
        raise SystemExit(f"no rival '{unknown[0]}'; there are: {', '.join(RIVALS)}")
    results = Results(options.cache / "results.csv")
    methods = rivals + ([] if options.rivals_only else [ours])

    def is_due(spec: TableSpec, seed: int, method: str) -> bool:
        known = (spec.name, spec.cut, seed, method) in results.rows
        return not known or (options.again and method == ours)

    failures = 0
    with ProcessPoolExecutor(options.workers) as pool:
        futures = []
        for spec in specs:
            jobs = [(s, m) for s in seeds for m in methods if is_due(spec, s, m)]
            if jobs:
                task = (options.data, options.cache, spec, jobs, options.arguments)
                futures.append(pool.submit(measure_table, *task))
        for future in as_completed(futures):
            done, failed = future.result()
            failures += len(failed)
            print("".join(failed), end="", file=sys.stderr)
            for result in done:
                results.add(result)
                line = f"{result.table} seed {result.seed} {result.method}"
                print(f"{line}: {result.error:.4g} in {result.seconds:.1f} s", file=sys.stderr)
    if not options.rivals_only:
        print(report(results, specs, seeds, ours, rivals))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
