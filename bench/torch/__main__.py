"""Forward and backward of a layer beside the same in plain PyTorch, interleaved:

./dev bench torch
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import torch
from softwood.torch import SoftTreeLayer

from bench.torch.plain_trees import PlainTrees


def step(layer: torch.nn.Module, x: torch.Tensor) -> None:
    layer.zero_grad()
    x.grad = None
    layer(x).square().sum().backward()


def look(layer: torch.nn.Module, x: torch.Tensor) -> None:
    with torch.no_grad():
        layer(x)


def seconds(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def interleaved(ours: Callable[[], None], theirs: Callable[[], None], rounds: int) -> list[float]:
    """Least seconds of both, taken in turns: what a quiet machine would need."""
    for _ in range(3):
        ours(), theirs()
    pairs = [(seconds(ours), seconds(theirs)) for _ in range(rounds)]
    return [min(times) for times in zip(*pairs, strict=True)]


def compare(name: str, threads: int, size: argparse.Namespace, work: Callable, wants: bool) -> None:
    torch.set_num_threads(threads)
    ours = SoftTreeLayer(
        size.inputs, size.outputs, trees=size.trees, depth=size.depth, threads=threads
    )
    theirs = PlainTrees(ours, size.depth, gamma=1.0)
    x = torch.randn(size.rows, size.inputs, requires_grad=wants)
    assert torch.allclose(ours(x), theirs(x), atol=1e-5)
    times = interleaved(lambda: work(ours, x), lambda: work(theirs, x), size.rounds)
    print(
        f"{name:32} {threads} thread{'s' * (threads > 1):1}  softwood {times[0] * 1e3:7.2f} ms  "
        f"torch {times[1] * 1e3:7.2f} ms  ratio {times[1] / times[0]:5.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("rows", 1024), ("inputs", 50), ("outputs", 1), ("trees", 64)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=50)
    size = parser.parse_args()
    print(f"torch {torch.__version__}, {vars(size)}")
    for threads in (1, 2):
        compare("forward", threads, size, look, False)
        compare("forward and backward", threads, size, step, False)
        compare("forward and backward, also in x", threads, size, step, True)


if __name__ == "__main__":
    main()
