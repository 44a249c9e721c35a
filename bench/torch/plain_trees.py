"""Soft trees in plain PyTorch: one product for all splits, paths level by level."""

from __future__ import annotations

import torch
from torch import nn


class PlainTrees(nn.Module):
    """The same function as `softwood.torch.SoftTreeLayer`, with copies of its parameters."""

    def __init__(self, layer: nn.Module, depth: int, gamma: float) -> None:
        super().__init__()
        self.depth = depth
        self.gamma = gamma
        self.curves = nn.Parameter(layer.curves.detach().clone())
        self.biases = nn.Parameter(layer.biases.detach().clone())
        self.leaves = nn.Parameter(layer.leaves.detach().clone())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        trees, splits, width = self.curves.shape
        z = torch.addmm(self.biases.reshape(-1), x, self.curves.reshape(-1, width).T)
        u = (z / self.gamma + 0.5).clamp(0, 1)
        left = (u * u * (3 - 2 * u)).reshape(-1, trees, splits)
        reach = torch.ones_like(left[:, :, :1])
        for level in range(self.depth):
            first = 2**level - 1
            s = left[:, :, first : first + 2**level]
            reach = torch.stack((reach * s, reach * (1 - s)), dim=-1).flatten(2)
        return reach.flatten(1) @ self.leaves.flatten(0, 1)
