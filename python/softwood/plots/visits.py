"""How much of its trees a row passes through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood.explain import model_of
from softwood.plots.style import DARK, INK, LIGHT, new_axes, number, percent, tidy, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def nodes_visited(model: Any, *, ax: Axes | None = None) -> Axes:
    """Splits of a tree that a row reaches with a probability above zero, level by level.

    Only a smooth step leaves out parts of a tree. The pale bars are all splits of a level, the dark
    ones those that the mean row reaches; the share of the whole tree stands above them.

    Parameters
    ----------
    model : Model or fitted estimator
    ax : matplotlib Axes, optional
    """
    visits = np.array(model_of(model).nodes_visited)
    if len(visits) == 0:
        raise _core.Error(
            "the model does not tell which splits rows reach: its trees are logistic, which reach "
            "all, or its file is of a Softwood from before files told of it. "
            "Train with activation='smooth_step'."
        )
    levels = np.arange(len(visits))
    everything = 2.0**levels
    ax = new_axes(ax, 6.4, 3.8)
    ax.bar(levels, everything, color=LIGHT, label="splits of the level")
    bars = ax.bar(levels, visits, color=DARK, label="reached by a row")
    texts = [number(visit, 2) for visit in visits]
    ax.bar_label(bars, texts, padding=2, fontsize="small", color=INK)
    ax.set_yscale("log", base=2)
    ax.set_ylim(bottom=0.5, top=2.0 ** (len(visits) + 0.5))
    ax.yaxis.set_major_formatter(lambda count, _: f"{count:.4g}")
    ax.set_xlabel("level of the tree")
    ax.set_ylabel("splits")
    share = percent(visits.sum() / everything.sum())
    ax.set_title(f"a row reaches {share} of a tree's splits", fontsize="medium")
    ax.legend(frameon=False, loc="upper left")
    whole_numbers(ax)
    tidy(ax)
    return ax
