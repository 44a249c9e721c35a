"""What no program of this kind can outdo on this machine."""

from __future__ import annotations

from typing import Any

ADAM_FLOATS = 7  # read: parameter, gradient, two moments; written: parameter and moments


def bound_seconds(account: dict[str, Any], machine: dict[str, Any], rows: int) -> float:
    """Of a step on one thread: both products (scores, and gradients of the weights) at the peak of
    the multipliers, knot columns written out as a product of all their knots; and Adam's floats at
    the speed of the second-level cache."""
    operations = 4 * rows * (account["products"] + account["knots"])
    adam = 4 * ADAM_FLOATS * account["parameters"]
    return operations / (1e9 * machine["gflops"]) + adam / (1e9 * machine["gigabytes_per_second"])
