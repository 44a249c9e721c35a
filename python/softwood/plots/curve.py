"""One column's curve of a split, small: above the line it sends rows left, below right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from softwood.explain import Curve, Floats
from softwood.plots.style import DARK, GREY, INK, LIGHT, number, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WEEKDAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


def reach_of(curve: Curve) -> float:
    """How far from 0 what the column adds can be."""
    if curve.kind == "linear":
        # two standard deviations of the training rows
        return 2 * curve.strength
    return float(np.max(np.abs(np.append(curve.values, [curve.missing]))))


def draw_curve(ax: Axes, curve: Curve, limit: float, size: float, letters: int) -> None:
    """Draws into an empty axes.

    Parameters
    ----------
    limit : float
        The scores' axis goes from −limit to limit.
    size : float
        Of the letters.
    letters : int
        How many fit into the axes' width.
    """
    if curve.kind == "levels":
        _draw_levels(ax, curve, letters)
    else:
        _draw_numbers(ax, curve, size)
    ax.axhline(0, color=GREY, linewidth=0.7, zorder=1)
    ax.set_ylim(-limit, limit)
    ax.set_yticks([])
    ax.spines[["top", "right", "left", "bottom"]].set_visible(False)
    ax.tick_params(axis="x", length=0, pad=1, labelsize=size, labelcolor=INK)
    ax.set_title(shorten(curve.name, letters), fontsize=size + 0.5, pad=4, color=INK)
    ax.patch.set_alpha(0)


def _draw_numbers(ax: Axes, curve: Curve, size: float) -> None:
    if curve.kind == "linear":
        sd = curve.strength / abs(curve.slope) if curve.slope else 1.0
        x = curve.centre + 2 * sd * np.array([-1.0, 1.0])
        y = curve.slope * (x - curve.centre)
    else:
        x, y = curve.edges, curve.values
    _fill(ax, x, y)
    ax.plot(x, y, color=INK, linewidth=1.1, zorder=3)
    if curve.missing != 0:
        _draw_missing(ax, x, curve.missing, size)
    _name_ends(ax, x[0], x[-1], [value_text(curve, x[0]), value_text(curve, x[-1])])


def _fill(ax: Axes, x: Floats, y: Floats) -> None:
    for side, colour in ((y >= 0, DARK), (y <= 0, LIGHT)):
        ax.fill_between(
            x, 0, y, where=side, interpolate=True, color=colour, linewidth=0, alpha=0.85
        )


def _draw_missing(ax: Axes, x: Floats, added: float, size: float) -> None:
    """A stem of its own, right of the curve."""
    place = x[-1] + 0.12 * (x[-1] - x[0])
    colour = DARK if added > 0 else LIGHT
    ax.vlines(place, 0, added, color=colour, linewidth=1.2)
    ax.plot(place, added, "o", markersize=3, color=colour, markeredgecolor=INK, markeredgewidth=0.5)
    ax.annotate(
        "?",
        (place, 0),
        xytext=(0, -1.5 if added > 0 else 1.5),
        textcoords="offset points",
        ha="center",
        va="top" if added > 0 else "bottom",
        fontsize=size,
        color=INK,
    )


def _draw_levels(ax: Axes, curve: Curve, letters: int) -> None:
    """Bars from the most left to the most right; the first and the last are named."""
    names = [*curve.levels, "other", "?"]
    values = np.concatenate([curve.values, [curve.other, curve.missing]])
    known = np.arange(len(values)) < len(curve.levels)
    kept = np.flatnonzero(known | (values != 0))
    order = kept[np.argsort(-values[kept], kind="stable")]
    places = np.arange(len(order))
    colours = [DARK if value > 0 else LIGHT for value in values[order]]
    ax.bar(places, values[order], width=0.8, color=colours, alpha=0.85)
    ax.set_xlim(-0.7, len(order) - 0.3)
    texts = [shorten(names[i], max(letters // 2 - 2, 3)) for i in order[[0, -1]]]
    _name_ends(ax, -0.5, len(order) - 0.5, texts)


def _name_ends(ax: Axes, left: float, right: float, texts: list[str]) -> None:
    ax.set_xticks([left, right], texts)
    labels = ax.get_xticklabels()
    labels[0].set_horizontalalignment("left")
    labels[1].set_horizontalalignment("right")


def value_text(curve: Curve, value: float) -> str:
    """A place on the column's axis, as people write it."""
    if curve.part == "time":
        return str(np.datetime64("1970-01-01") + np.timedelta64(round(value), "D"))
    if curve.part == "weekday" and 1 <= value <= 7:
        return WEEKDAYS[round(value) - 1]
    return f"{value:.0f}" if curve.part else number(value)
