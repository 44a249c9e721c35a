"""What a model says over the plane of two columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood._core import ColumnKind, Table
from softwood.explain import Floats, importances, model_of
from softwood.model import Model
from softwood.plots.data import (
    Axis,
    axis_of,
    cells,
    chosen_predictions,
    numbers_of,
    predict_over,
    prediction_label,
    sample_rows,
    with_response,
)
from softwood.plots.style import CLASS_COLOURS, CLASS_MARKERS, DARK, INK, LIGHT, new_axes, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 120
MOST_POINTS = 600


def decision_boundary(
    model: Any,
    data: Any,
    columns: Sequence[str] | None = None,
    y: Any = None,
    *,
    task: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Probability, class or mean over two numeric columns, with the rows on top.

    Parameters
    ----------
    model : Model or fitted estimator
    data : table
        Rows to show; those of them whose response is known show it by their colour and mark.
    columns : two names, optional
        Default: the two most important numeric columns. All others stay at their median or most
        frequent level.
    y : array, optional
        The response, if the table lacks it.
    task : str, optional
        Of several; default: the first.
    ax : matplotlib Axes, optional
    """
    found = model_of(model)
    infos = {each["target"]: each for each in found.tasks}
    task = task or next(iter(infos))
    table = with_response(found, data, y, task)
    predictions = chosen_predictions(found, table, None, task)
    axes = [axis_of(table, name, STEPS) for name in _two_columns(found, table, columns, task)]
    axes = [Axis(each.name, each.kind, _even(each.grid)) for each in axes]
    typical = _typical_row(table, found)
    shares = np.array([predict_over(found, typical, axes, name)[:, :, 0].T for name in predictions])
    ax = new_axes(ax, 6.4, 4.8)
    x, y_places = (axis.shown(axis.grid) for axis in axes)
    labels = infos[task]["labels"]
    if len(shares) > 1:
        _fill_classes(ax, x, y_places, shares)
    else:
        label = prediction_label(found, predictions[0])
        _fill_values(ax, x, y_places, shares[0], label, bool(labels))
    _draw_points(ax, sample_rows(table, MOST_POINTS), axes, task, labels, shares)
    ax.set_xlabel(shorten(axes[0].name, 60))
    ax.set_ylabel(shorten(axes[1].name, 40))
    if len(found.features) > 2:
        ax.set_title("all other columns at their typical values", fontsize="small", color=INK)
    return ax


def _two_columns(model: Model, table: Table, columns: Sequence[str] | None, task: str) -> list[str]:
    numeric = [name for name in model.features if table.kind(name) != ColumnKind.categorical]
    if columns is None:
        if len(numeric) < 2:
            raise _core.Error("a plane needs two numeric columns; the model has fewer.")
        if len(numeric) == 2:
            return numeric
        found: dict[str, Any] = importances(model, table)
        shares = found if len(model.tasks) == 1 else found[task]
        return sorted(numeric, key=lambda name: -shares[name])[:2]
    if len(columns) != 2 or any(name not in numeric for name in columns):
        raise _core.Error(f"columns are two of the numeric ones: {', '.join(numeric)}.")
    return list(columns)


def _even(grid: Floats) -> Floats:
    return np.linspace(grid[0], grid[-1], STEPS)


def _typical_row(table: Table, model: Model) -> Table:
    """The first row, its cells replaced by medians and most frequent levels."""
    columns = []
    for name in model.features:
        if table.kind(name) == ColumnKind.categorical:
            level = axis_of(table, name, STEPS)
            columns.append(level.column(np.zeros(1, dtype=np.int64)))
            continue
        middle = np.nanmedian(numbers_of(table, name))
        columns.append(
            Axis(name, table.kind(name), np.array([middle])).column(np.zeros(1, np.int64))
        )
    return table[np.zeros(1, dtype=np.int64)].with_columns(Table(columns))


def _fill_values(ax: Axes, x: Any, y: Any, values: Floats, label: str, is_class: bool) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    levels = np.linspace(0, 1, 11) if is_class else 14
    two_classes = LinearSegmentedColormap.from_list("", [LIGHT, "white", DARK])
    filled = ax.contourf(x, y, values, levels=levels, cmap=two_classes if is_class else "Blues")
    if is_class and values.min() < 0.5 < values.max():
        ax.contour(x, y, values, levels=[0.5], colors=INK, linewidths=1.6)
    ax.figure.colorbar(filled, ax=ax, label=label)


def _fill_classes(ax: Axes, x: Any, y: Any, shares: Floats) -> None:
    """The colour of the likeliest class, the paler the less sure."""
    from matplotlib.colors import to_rgb

    winner = shares.argmax(axis=0)
    colours = np.array([to_rgb(each) for each in CLASS_COLOURS])[winner % len(CLASS_COLOURS)]
    least = 1 / len(shares)
    sure = ((shares.max(axis=0) - least) / (1 - least))[..., None]
    faded = 1 - (0.15 + 0.55 * sure) * (1 - colours)
    ax.pcolormesh(x, y, faded, shading="nearest", rasterized=True)
    for i in range(len(shares)):
        if (winner == i).any() and (winner != i).any():
            others = np.delete(shares, i, axis=0).max(axis=0)
            ax.contour(x, y, shares[i] - others, levels=[0], colors=INK, linewidths=1)


def _draw_points(
    ax: Axes, rows: Table, axes: list[Axis], task: str, labels: list[str], shares: Floats
) -> None:
    points = [numbers_of(rows, axis.name) for axis in axes]
    inside = np.all(
        [(p >= a.grid[0]) & (p <= a.grid[-1]) for p, a in zip(points, axes, strict=True)], axis=0
    )
    places = [axis.shown(p[inside]) for p, axis in zip(points, axes, strict=True)]
    if task not in rows.names:
        ax.scatter(places[0], places[1], s=10, color=INK, alpha=0.5, linewidths=0)
        return
    if not labels:
        truth = numbers_of(rows, task)[inside]
        ax.scatter(
            places[0],
            places[1],
            s=22,
            c=truth,
            cmap="Blues",
            vmin=shares.min(),
            vmax=shares.max(),
            edgecolor=INK,
            linewidths=0.5,
        )
        return
    truth = _texts(rows, task)[inside]
    colours = (LIGHT, DARK) if len(labels) == 2 else CLASS_COLOURS
    for i, label in enumerate(labels):
        of = truth == label
        ax.scatter(
            places[0][of],
            places[1][of],
            s=22,
            color=colours[i % len(colours)],
            marker=CLASS_MARKERS[i % len(CLASS_MARKERS)],
            edgecolor="white" if colours[i % len(colours)] == DARK else INK,
            linewidths=0.6,
            label=shorten(label),
        )
    ax.legend(title=shorten(task), fontsize="small", framealpha=0.85)


def _texts(rows: Table, task: str) -> Any:
    """The responses as the labels are written: 1 and not 1.0."""
    values = cells(rows, task)
    if rows.kind(task) == ColumnKind.categorical:
        return values
    return np.array([np.format_float_positional(each, trim="-") for each in values], dtype=object)
