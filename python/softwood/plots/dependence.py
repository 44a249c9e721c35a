"""Partial dependence: what a column does to the prediction, everything else as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood._core import Table
from softwood.explain import Floats, model_of
from softwood.model import Model
from softwood.plots.data import (
    FEW_VALUES,
    Axis,
    axis_of,
    chosen_predictions,
    numbers_of,
    predict_over,
    prediction_label,
    sample_rows,
)
from softwood.plots.pair import draw_pair
from softwood.plots.style import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    GREY,
    INK,
    LINE_STYLES,
    PALE,
    new_axes,
    shorten,
    spread_out,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 60
STEPS_OF_TWO = 30
ROWS_OF_TWO = 200


def partial_dependence(
    model: Any,
    data: Any,
    columns: str | Sequence[str],
    prediction: str | None = None,
    *,
    task: str | None = None,
    max_rows: int = 500,
    individuals: int = 30,
    ax: Axes | None = None,
) -> Axes:
    """The mean prediction over the rows when a column is set to one value after the other.

    Parameters
    ----------
    model : Model or fitted estimator
    data : table
        Rows to take the other columns from.
    columns : str or two of them
        One: a curve, with a few rows' own curves behind it and the column's histogram below; dots
        for categories. Two: a contour plot, or a curve per category.
    prediction : str, optional
        "mean", "probability_yes", …; default: the task's first, or its classes' probabilities.
    task : str, optional
        Of several; default: the first.
    max_rows : int
        So many rows are averaged over.
    individuals : int
        How many rows' own curves to show.
    ax : matplotlib Axes, optional
    """
    found = model_of(model)
    table = found._table(data)
    names = [columns] if isinstance(columns, str) else list(columns)
    if len(names) not in (1, 2):
        raise _core.Error(f"partial_dependence is of one column or two, not of {len(names)}.")
    for name in names:
        if name not in found.features:
            raise _core.Error(
                f"the model does not read {name!r}; it reads {', '.join(found.features)}."
            )
    predictions = chosen_predictions(found, table, prediction, task)
    if len(names) == 1:
        return _draw_one(found, table, names[0], predictions, max_rows, individuals, new_axes(ax))
    rows = sample_rows(table, min(max_rows, ROWS_OF_TWO))
    axes = [axis_of(table, name, STEPS_OF_TWO) for name in names]
    means = predict_over(found, rows, axes, predictions[0]).mean(axis=-1)
    return draw_pair(axes, means, rows, prediction_label(found, predictions[0]), new_axes(ax))


def _draw_one(
    model: Model,
    table: Table,
    name: str,
    predictions: list[str],
    max_rows: int,
    individuals: int,
    ax: Axes,
) -> Axes:
    axis = axis_of(table, name, STEPS)
    rows = sample_rows(table, max_rows)
    of_rows = [predict_over(model, rows, [axis], each) for each in predictions]
    label = prediction_label(model, predictions[0])
    if len(predictions) > 1:
        label = f"probability of {label.removeprefix('P(').partition(' = ')[0]}"
    if axis.is_categorical:
        _draw_levels(ax, axis, of_rows, predictions)
        ax.set_xlabel(label)
        ax.set_ylabel(shorten(name, 40))
    else:
        _draw_curves(ax, axis, of_rows, predictions, individuals)
        _draw_histogram(ax, axis, numbers_of(table, name))
        ax.set_xlabel(shorten(name, 60))
        ax.set_ylabel(label)
    if len(predictions) > 1:
        ax.legend(frameon=False)
    return ax


def _class_name(prediction: str) -> str:
    return shorten(prediction.partition("probability_")[2] or prediction)


def _draw_curves(
    ax: Axes, axis: Axis, of_rows: list[Floats], predictions: list[str], individuals: int
) -> None:
    x = axis.shown(axis.grid)
    if len(of_rows) == 1:
        for row in spread_out(of_rows[0].shape[1], individuals):
            ax.plot(x, of_rows[0][: len(x), row], color=GREY, linewidth=0.6, alpha=0.5)
    few = len(axis) <= FEW_VALUES + 1
    for i, values in enumerate(of_rows):
        colour = CLASS_COLOURS[i % len(CLASS_COLOURS)]
        means = values.mean(axis=1)
        ax.plot(
            x,
            means[: len(x)],
            color=colour,
            linewidth=2.4,
            linestyle=LINE_STYLES[i % len(LINE_STYLES)],
            marker="o" if few else None,
            label=_class_name(predictions[i]),
            zorder=3,
        )
        if axis.is_missing:
            _mark_missing(ax, means[-1], colour, named=i == 0)
    tidy(ax)


def _mark_missing(ax: Axes, value: float, colour: str, *, named: bool) -> None:
    """At the right edge, outside the numbers."""
    across = ax.get_yaxis_transform()
    ax.plot(1.03, value, "o", transform=across, color=colour, mfc="white", clip_on=False)
    if named:
        ax.annotate(
            "missing",
            (1.03, value),
            xycoords=across,
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            va="bottom",
            rotation=90,
            fontsize="small",
            color=INK,
        )


def _draw_histogram(ax: Axes, axis: Axis, values: Floats) -> None:
    """Along the bottom, a tenth of the axes high."""
    inside = values[(values >= axis.grid[0]) & (values <= axis.grid[-1])]
    counts, edges = np.histogram(inside, bins=min(40, max(10, len(inside) // 10)))
    shown = axis.shown(edges)
    heights = 0.1 * counts / max(counts.max(), 1)
    ax.bar(
        shown[:-1],
        heights,
        width=np.diff(shown),
        align="edge",
        transform=ax.get_xaxis_transform(),
        color=PALE,
        edgecolor="white",
        linewidth=0.3,
        zorder=0,
    )
    low, high = ax.get_ylim()
    ax.set_ylim(low - 0.1 * (high - low), high)


def _draw_levels(ax: Axes, axis: Axis, of_rows: list[Floats], predictions: list[str]) -> None:
    """Dots, the highest mean on top. Behind them, how the difference that a level makes differs
    between rows: from their tenth to their ninetieth percent."""
    order = np.argsort(of_rows[0].mean(axis=1), kind="stable")
    places = np.arange(len(order))
    for i, values in enumerate(of_rows):
        colour = CLASS_COLOURS[i % len(CLASS_COLOURS)]
        if len(of_rows) == 1:
            differences = values - values.mean(axis=0) + values.mean()
            low, high = np.quantile(differences[order], [0.1, 0.9], axis=1)
            label = "its effect in 80 % of the rows"
            ax.hlines(places, low, high, color=PALE, linewidth=5, label=label)
        ax.plot(
            values[order].mean(axis=1),
            places,
            CLASS_MARKERS[i % len(CLASS_MARKERS)],
            color=colour,
            label="mean" if len(of_rows) == 1 else _class_name(predictions[i]),
        )
    ax.set_yticks(places, [axis.names[i] for i in order])
    ax.set_ylim(-0.6, len(order) - 0.4)
    tidy(ax, grid="x")
    if len(of_rows) == 1:
        ax.legend(
            frameon=False, fontsize="small", loc="lower right", bbox_to_anchor=(1, 1), ncols=2
        )
