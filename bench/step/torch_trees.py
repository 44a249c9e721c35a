"""The same trees and the same step in PyTorch, in the best ways that we know."""

from __future__ import annotations

import torch
import torch._inductor.config
from torch import nn
from torch.nn import functional

from bench.step.configurations import Configuration


def smooth_step(z: torch.Tensor) -> torch.Tensor:
    u = (z + 0.5).clamp(0, 1)
    return u * u * (3 - 2 * u)


class OneProduct(nn.Module):
    """All nodes of all trees by one product; then the tree, level by level."""

    def __init__(self, columns: int, trees: int, depth: int, outputs: int, sigma) -> None:
        super().__init__()
        self.depth, self.trees, self.sigma = depth, trees, sigma
        self.splits = nn.Linear(columns, trees * (2**depth - 1))
        self.leaves = nn.Parameter(0.1 * torch.randn(2**depth, trees, outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        # [rows, nodes of one tree in breadth-first order, trees]
        s = self.sigma(self.splits(x)).view(len(x), -1, self.trees)
        if self.leaves.shape[2] == 1:
            return self.upwards(s, self.leaves[:, :, 0])[:, None]
        return self.downwards(s).flatten(1) @ self.leaves.flatten(0, 1)

    def upwards(self, s: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        """Quicker for one output: a node's value is that of its children, mixed."""
        for level in reversed(range(self.depth)):
            left, right = values[..., 0::2, :], values[..., 1::2, :]
            values = torch.lerp(right, left, s[:, 2**level - 1 : 2 ** (level + 1) - 1])
        return values[:, 0].sum(1)

    def downwards(self, s: torch.Tensor) -> torch.Tensor:
        """The probability of every leaf, for several outputs."""
        reach = torch.ones_like(s[:, :1])
        for level in range(self.depth):
            left = reach * s[:, 2**level - 1 : 2 ** (level + 1) - 1]
            reach = torch.stack((left, reach - left), dim=2).flatten(1, 2)
        return reach


class Supernodes(nn.Module):
    """The recursion of the paper's toolkit: one small product per position in the tree, which
    serves all trees."""

    def __init__(self, columns: int, trees: int, depth: int, outputs: int, sigma) -> None:
        super().__init__()
        self.num_splits, self.sigma = 2**depth - 1, sigma
        self.splits = nn.ModuleList(nn.Linear(columns, trees) for _ in range(self.num_splits))
        self.leaves = nn.ParameterList(
            0.1 * torch.randn(trees, outputs) for _ in range(self.num_splits + 1)
        )

    def forward(self, x: torch.Tensor, node: int = 0, reach: torch.Tensor | None = None):
        if node >= self.num_splits:
            return reach @ self.leaves[node - self.num_splits]
        s = self.sigma(self.splits[node](x))
        left = s if reach is None else reach * s
        right = 1 - s if reach is None else reach - left
        return self(x, 2 * node + 1, left) + self(x, 2 * node + 2, right)


class TorchStep:
    """Gather a batch, forward, loss, backward, Adam: as quick as PyTorch lets us."""

    def __init__(
        self, configuration: Configuration, columns: int, way: type[nn.Module], compiled: bool
    ) -> None:
        torch.manual_seed(1)
        options, outputs = configuration.options, configuration.outputs
        self.batch, rows = int(options["batch-size"]), int(configuration.sizes["rows"])
        self.x = torch.randn(rows, columns)
        self.y = torch.randint(0, max(2, outputs), (rows, 1) if outputs == 1 else (rows,))
        if outputs == 1:
            self.y = self.y.float()
        sigma = smooth_step if options.get("recipe") == "paper" else torch.sigmoid
        self.model = way(columns, configuration.trees, int(options["depth"]), outputs, sigma)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01, fused=True)
        self.order = torch.randperm(rows)
        self.next = 0
        self.loss = torch.compile(self._loss) if compiled else self._loss

    def _loss(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        f = self.model(x)
        if f.shape[1] == 1:
            return functional.binary_cross_entropy_with_logits(f, y)
        return functional.cross_entropy(f, y)

    def run(self, count: int) -> None:
        for _ in range(count):
            rows = self.order[self.next : self.next + self.batch]
            self.next = (self.next + self.batch) % len(self.order)
            self.optimizer.zero_grad(set_to_none=True)
            self.loss(self.x[rows], self.y[rows]).backward()
            self.optimizer.step()


def ways(
    configuration: Configuration, columns: int, threads: int, simd: str
) -> dict[str, TorchStep]:
    torch.set_num_threads(threads)
    if simd == "avx2":
        torch._inductor.config.cpp.simdlen = 256
    return {
        "torch, supernodes": TorchStep(configuration, columns, Supernodes, compiled=False),
        "torch, one product": TorchStep(configuration, columns, OneProduct, compiled=False),
        "torch, compiled": TorchStep(configuration, columns, OneProduct, compiled=True),
    }
