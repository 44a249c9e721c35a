"""Steps of training, ours and others', interleaved:

./dev bench step C1 C3              (bench/step/configurations.py has the names)
./dev bench step C1 --simd avx2     as on a machine without wider vectors
./dev bench step K1 --rivals        where the time goes, threads and bounds alone
"""

from __future__ import annotations

import argparse
import os
import time

from bench.step.bounds import bound_seconds, product_seconds
from bench.step.configurations import ALL, Configuration
from bench.step.contestants import Contestants

SLICE = 0.002  # seconds that a contestant runs before it is the next one's turn
REST = 0.001  # for threads that still spin


def best_seconds(contestants: Contestants, rounds: int) -> dict[tuple[str, int], float]:
    """Of a step: the least of many short slices, taken in turns, is what a quiet machine needs."""
    counts = {key: max(1, min(500, int(SLICE / run(3)))) for key, run in contestants.runs.items()}
    best = dict.fromkeys(contestants.runs, float("inf"))
    for _ in range(rounds):
        for key, run in contestants.runs.items():
            time.sleep(REST)
            best[key] = min(best[key], run(counts[key]))
    return best


def show_times(best: dict, threads: int, rows: int) -> None:
    ours = best["softwood", threads]
    for (who, used), seconds in best.items():
        if used != threads:
            continue
        ratio = "" if who == "softwood" else f"  ours is {seconds / ours:6.2f} times as fast"
        print(
            f"  {who:20} {threads} threads {seconds * 1e6:9.1f} µs "
            f"{rows / seconds / 1e3:9.1f} thousand rows/s{ratio}"
        )


def show_parts(parts: dict[str, float], product_seconds: float) -> None:
    total = sum(parts.values())
    shares = ", ".join(
        f"{part} {seconds / total:.0%}"
        for part, seconds in sorted(parts.items(), key=lambda item: -item[1])
    )
    scores = parts["scores"] + parts["gradients"]
    print(f"  one thread, {total * 1e6:.0f} µs: {shares}")
    print(f"  products at the peak / scores and gradients: {product_seconds / scores:.2f}")


def measure(configuration: Configuration, arguments: argparse.Namespace, program: str) -> None:
    rivals = arguments.rivals if configuration.has_rivals else []
    contestants = Contestants(program, configuration, arguments.threads, rivals, arguments.simd)
    try:
        account, machine = contestants.ours.greeting, contestants.ours.ask("machine")
        rows = contestants.ours.ask("run 1 1")["rows"]
        best = best_seconds(contestants, arguments.rounds)
        print(f"\n{configuration.name}: {rows} rows a step, {account['simd']}")
        for threads in arguments.threads:
            show_times(best, threads, rows)
            bound = bound_seconds(account, machine, rows) / threads
            share = bound / best["softwood", threads]
            print(f"  bound {threads} threads {bound * 1e6:.1f} µs / ours: {share:.2f}")
        for threads in arguments.threads[1:]:
            one = best["softwood", arguments.threads[0]]
            ratio = one / best["softwood", threads]
            print(f"  {arguments.threads[0]} → {threads} threads: {ratio:.2f} times as fast")
        show_parts(contestants.ours.ask("parts"), product_seconds(account, machine, rows))
    finally:
        contestants.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", choices=[[], *ALL], default=[], metavar="NAME")
    parser.add_argument("--simd", choices=["best", "avx2"], default="best")
    parser.add_argument("--rivals", nargs="*", choices=["torch", "jax"], default=["torch", "jax"])
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=100)
    arguments = parser.parse_args()
    for name in arguments.names or ALL:
        measure(ALL[name], arguments, os.environ["STEP_PROGRAM"])


if __name__ == "__main__":
    main()
