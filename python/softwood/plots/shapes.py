"""Densities and probabilities from a predicted cdf, for drawing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood.distribution import Distribution
from softwood.explain import Floats

STEPS = 300
TAIL = 0.002
"""Probability that is left off at either end."""


@dataclass(frozen=True)
class Shape:
    """One row's distribution: a density, and values that have a probability of their own."""

    x: Floats
    density: Floats
    atoms: Floats
    probabilities: Floats


def shapes(of: Distribution) -> list[Shape]:
    """One per row."""
    if of.is_discrete:
        return _count_shapes(of)
    quantiles = of.quantile(np.linspace(TAIL, 1 - TAIL, 100))
    return [_number_shape(of, row, quantiles[row]) for row in range(len(of))]


def _count_shapes(of: Distribution) -> list[Shape]:
    """Of many values, several share a bar."""
    first, last = np.floor(of.quantile(TAIL).min()), np.ceil(of.quantile(1 - TAIL).max())
    step = max(1.0, np.ceil((last - first) / STEPS))
    values = np.arange(first, last + step, step)
    cdf = of.cdf(np.tile(np.append(first - step, values), (len(of), 1)))
    none = np.empty(0)
    return [Shape(none, none, values, each) for each in np.diff(cdf, axis=1)]


def _number_shape(of: Distribution, row: int, quantiles: Floats) -> Shape:
    """Differences of the cdf. A quantile that repeats is a value with a probability of its own."""
    low, high = quantiles[0], quantiles[-1]
    distinct, counts = np.unique(quantiles, return_counts=True)
    atoms = distinct[counts > 1]
    just_below = atoms - 1e-9 * np.maximum(np.abs(atoms), high - low)
    grid = np.unique(np.concatenate([np.linspace(low, high, STEPS), atoms, just_below]))
    middle, mass = (grid[1:] + grid[:-1]) / 2, np.diff(_cdf_of_row(of, row, grid))
    is_smooth = ~np.isin(grid[1:], atoms)
    density = mass[is_smooth] / np.diff(grid)[is_smooth]
    probabilities = _cdf_of_row(of, row, atoms) - _cdf_of_row(of, row, just_below)
    return Shape(middle[is_smooth], density, atoms, probabilities)


def _cdf_of_row(of: Distribution, row: int, values: Floats) -> Floats:
    if len(values) == 0:
        return values
    return np.asarray(of.cdf(np.tile(values, (len(of), 1)))[row])
