"""Importances as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.explain import importances as find_importances
from softwood.explain import model_of
from softwood.plots.style import CLASS_COLOURS, INK, new_axes, percent, shorten, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def importances(
    model: Any, data: Any, max_columns: int = 20, *, ax: Axes | None = None, **options: Any
) -> Axes:
    """Shares of the predictions' variance that rest on each column, the largest first.

    Parameters
    ----------
    model : Model or fitted estimator
    data : table
        Rows like those that are to be predicted.
    max_columns : int
        How many to show; the rest are summed up in one bar.
    ax : matplotlib Axes, optional
    **options
        Of `softwood.explain.importances`: max_rows, seed, threads.
    """
    found = find_importances(model, data, **options)
    tasks = [task["target"] for task in model_of(model).tasks]
    by_task: dict[str, Any] = {tasks[0]: found} if len(tasks) == 1 else found
    columns = list(by_task[tasks[0]])
    shares = np.array([[by_task[task][column] for column in columns] for task in tasks])
    order = np.argsort(-shares.mean(axis=0), kind="stable")
    names = [shorten(columns[i]) for i in order[:max_columns]]
    shown = shares[:, order[:max_columns]]
    if len(columns) > max_columns:
        names.append(f"{len(columns) - max_columns} others")
        shown = np.column_stack([shown, shares[:, order[max_columns:]].sum(axis=1)])
    return _draw(
        new_axes(ax, 6.4, 1.1 + (0.22 + 0.08 * len(tasks)) * len(names)), tasks, names, shown
    )


def _draw(ax: Axes, tasks: list[str], names: list[str], shares: Any) -> Axes:
    height = 0.8 / len(tasks)
    places = np.arange(len(names))
    for i, task in enumerate(tasks):
        bars = ax.barh(
            places + (i - (len(tasks) - 1) / 2) * height,
            shares[i],
            height=0.92 * height,
            color=CLASS_COLOURS[i % len(CLASS_COLOURS)],
            label=task,
        )
        if len(tasks) <= 3:
            texts = [percent(share) for share in shares[i]]
            ax.bar_label(bars, texts, padding=3, fontsize="small", color=INK)
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    ax.margins(x=0.12, y=0.02)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    ax.set_xlabel(
        "share of the predictions' variance"
        + (f" of {shorten(tasks[0])}" if len(tasks) == 1 else "")
    )
    if len(tasks) > 1:
        ax.legend(frameon=False, loc="lower right")
    tidy(ax, grid="x")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
