"""A prediction over two columns: contours, a curve per category, or a table of colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood._core import Table
from softwood.explain import Floats
from softwood.plots.data import Axis, numbers_of
from softwood.plots.style import CLASS_COLOURS, INK, LINE_STYLES, number, shorten, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_pair(axes: list[Axis], means: Floats, rows: Table, label: str, ax: Axes) -> Axes:
    """`means`: [places of the first axis × places of the second]; `rows` become dots."""
    categorical = [axis.is_categorical for axis in axes]
    if all(categorical):
        _draw_table(axes, means, label, ax)
    elif not any(categorical):
        _draw_contours(axes, means, rows, label, ax)
    elif categorical[0]:
        _draw_curve_per_level(axes[1], axes[0], means.T, label, ax)
    else:
        _draw_curve_per_level(axes[0], axes[1], means, label, ax)
    return ax


def _draw_contours(axes: list[Axis], means: Floats, rows: Table, label: str, ax: Axes) -> None:
    x, y = (axis.shown(axis.grid) for axis in axes)
    filled = ax.contourf(x, y, means[: len(x), : len(y)].T, levels=12, cmap="Blues")
    points = [numbers_of(rows, axis.name) for axis in axes]
    inside = np.all(
        [
            (values >= axis.grid[0]) & (values <= axis.grid[-1])
            for values, axis in zip(points, axes, strict=True)
        ],
        axis=0,
    )
    places = [axis.shown(values[inside]) for values, axis in zip(points, axes, strict=True)]
    ax.scatter(places[0], places[1], s=7, color=INK, alpha=0.5, linewidths=0)
    ax.figure.colorbar(filled, ax=ax, label=label)
    _name_axes(axes, ax)


def _draw_curve_per_level(along: Axis, levels: Axis, means: Floats, label: str, ax: Axes) -> None:
    x = along.shown(along.grid)
    for i in range(min(len(levels), len(CLASS_COLOURS))):
        ax.plot(
            x,
            means[: len(x), i],
            color=CLASS_COLOURS[i],
            linestyle=LINE_STYLES[i % len(LINE_STYLES)],
            linewidth=2,
            label=levels.names[i],
        )
    ax.set_xlabel(shorten(along.name, 60))
    ax.set_ylabel(label)
    ax.legend(frameon=False, title=shorten(levels.name))
    tidy(ax)


def _draw_table(axes: list[Axis], means: Floats, label: str, ax: Axes) -> None:
    image = ax.imshow(means.T, cmap="Blues", aspect="auto")
    middle = (means.min() + means.max()) / 2
    if means.size <= 100:
        for i, j in np.ndindex(means.shape):
            colour = "white" if means[i, j] > middle else INK
            ax.text(
                i, j, number(float(means[i, j])), ha="center", va="center", color=colour, fontsize=8
            )
    ax.set_xticks(range(len(axes[0])), axes[0].names, rotation=45, ha="right")
    ax.set_yticks(range(len(axes[1])), axes[1].names)
    ax.figure.colorbar(image, ax=ax, label=label)
    _name_axes(axes, ax)


def _name_axes(axes: list[Axis], ax: Axes) -> None:
    ax.set_xlabel(shorten(axes[0].name, 60))
    ax.set_ylabel(shorten(axes[1].name, 40))
