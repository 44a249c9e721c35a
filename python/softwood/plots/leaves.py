"""The leaves of a tree as bars below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.explain import Floats, Output, Tree
from softwood.plots.style import CLASS_COLOURS, DARK, GREY, INK, LIGHT, number, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS, MOST_SMALL_NUMBERS = 32, 24


def draw_leaves(ax: Axes, tree: Tree, x: Floats, room: float) -> None:
    """A bar per leaf and output around one line; `room`: between two of the places `x`."""
    ax.set_axis_off()
    ax.set_ylim(-1.3, 1.3)
    ax.axhline(0, 0.01, 0.99, color=GREY, linewidth=0.8)
    values = np.array([leaf.values for leaf in tree.leaves])
    width = 0.62 * room / len(tree.outputs)
    for i, scale in enumerate(_scales(tree, values)):
        places = x + (i - (len(tree.outputs) - 1) / 2) * width
        bars = ax.bar(
            places,
            values[:, i] / scale,
            width=0.9 * width,
            color=_colours(tree, values[:, i], i),
            label=_name(tree, tree.outputs[i]),
        )
        _write_numbers(ax, bars, tree, values[:, i])


def title_of_leaves(tree: Tree) -> str:
    """What the bars are."""
    first = tree.outputs[0]
    if len(tree.outputs) > 1:
        own = "" if all(output.label for output in tree.outputs) else ", each on its own scale"
        return f"what each leaf adds to{own}:"
    towards = f" (towards {shorten(first.label, 24)})" if first.label else ""
    rows = ", and the share of the rows that come to it" if tree.leaves[0].share is not None else ""
    return f"what each leaf adds to {first.name} of {shorten(first.task, 40)}{towards}{rows}"


def _scales(tree: Tree, values: Floats) -> list[float]:
    """What a full bar stands for: one number for a task's classes, each other output its own."""
    kinds = [each.task if each.label else f"{each.task} {each.name}" for each in tree.outputs]
    largest = np.max(np.abs(values), axis=0)
    together = [max(largest[i] for i, kind in enumerate(kinds) if kind == own) for own in kinds]
    return [float(scale) or 1.0 for scale in together]


def _colours(tree: Tree, values: Floats, output: int) -> Any:
    if len(tree.outputs) > 1:
        return CLASS_COLOURS[output % len(CLASS_COLOURS)]
    return np.where(values > 0, DARK, LIGHT)


def _name(tree: Tree, output: Output) -> str:
    tasks = {each.task for each in tree.outputs}
    name = output.label or output.name
    return shorten(f"{output.task}: {name}" if len(tasks) > 1 else name, 24)


def _write_numbers(ax: Axes, bars: Any, tree: Tree, values: Floats) -> None:
    several = len(tree.outputs) > 1
    if len(values) * len(tree.outputs) > (MOST_SMALL_NUMBERS if several else MOST_NUMBERS):
        return
    if several:
        texts = [number(value, 2) for value in values]
    else:
        texts = [("+" if value > 0 else "") + number(value) for value in values]
    size = 6 if several or len(values) > 16 else 8
    ax.bar_label(bars, texts, padding=1.5, fontsize=size, color=INK)
