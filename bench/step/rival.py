"""A process that runs another library's steps:
python -m bench.step.rival LIBRARY NAME COLUMNS THREADS SIMD. COLUMNS: of the table as it is
encoded, knot columns written out.

It says {"ways": […]} when all are warm, and answers "WAY<tab>STEPS" with {"seconds": …}.
"""

from __future__ import annotations

import importlib
import json
import sys
import time

from bench.step.configurations import ALL


def seconds(way, steps: int) -> float:
    start = time.perf_counter()
    way.run(steps)
    return (time.perf_counter() - start) / steps


def main() -> None:
    library, name, columns, threads, simd = sys.argv[1:]
    ways = importlib.import_module(f"bench.step.{library}_trees").ways(
        ALL[name], int(columns), int(threads), simd
    )
    for way in ways.values():
        way.run(3)
    print(json.dumps({"ways": list(ways)}), flush=True)
    for line in sys.stdin:
        way, steps = line.rstrip("\n").split("\t")
        print(json.dumps({"seconds": seconds(ways[way], int(steps))}), flush=True)


if __name__ == "__main__":
    main()
