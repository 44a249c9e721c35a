"""What no dense program of this kind can outdo on this machine."""

from __future__ import annotations

from typing import Any

ADAM_FLOATS = 7  # read: parameter, gradient, two moments; written: parameter and moments


def product_seconds(account: dict[str, Any], machine: dict[str, Any], rows: int) -> float:
    """Both products of a step (scores, and gradients of the weights) on one thread at the peak of
    the multipliers; knot columns written out, a column per knot."""
    operations = 4 * rows * (account["products"] + account["knots"])
    return operations / (1e9 * machine["gflops"])


def bound_seconds(account: dict[str, Any], machine: dict[str, Any], rows: int) -> float:
    """And Adam's floats at the speed of the second-level cache. Knot columns that are looked up can
    be quicker than this."""
    adam = 4 * ADAM_FLOATS * account["parameters"]
    products = product_seconds(account, machine, rows)
    return products + adam / (1e9 * machine["gigabytes_per_second"])
