"""Counts of instructions against those that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# More than any change of a library's patch level moves them, less than a lost optimisation does.
TOLERANCE = 0.10
_WORTH_RENEWING = 0.02


@dataclass(frozen=True)
class Verdict:
    """What is to be said, and whether it is a failure."""

    lines: list[str]
    failed: bool


def judge(counted: Mapping[str, int], kept: Mapping[str, int]) -> Verdict:
    """Fails if a workload takes 10 % more instructions than is kept, or is not kept at all."""
    lines, failed, is_better = [], False, False
    for name, count in counted.items():
        before = kept.get(name)
        if before is None:
            lines.append(f"{name}: {count:,} instructions, none are kept: ./dev count --renew")
            failed = True
            continue
        change = count / before - 1
        line = f"{name}: {count:,} instructions, {change:+.2%}"
        if change > TOLERANCE:
            line += f": more than {TOLERANCE:.0%} above the {before:,} that are kept"
            failed = True
        is_better = is_better or change < -_WORTH_RENEWING
        lines.append(line)
    if failed:
        lines.append(
            "If the work is worth it, say so in the commit and keep the new counts: "
            "./dev count --renew"
        )
    elif is_better:
        lines.append("Fewer than are kept: ./dev count --renew holds the gain.")
    return Verdict(lines, failed)
