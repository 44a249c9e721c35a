"""The predicted distribution of a row or a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood.distribution import Distribution
from softwood.explain import Floats, model_of
from softwood.model import Model
from softwood.plots.data import cells
from softwood.plots.shapes import Shape, shapes
from softwood.plots.style import (
    DARK,
    GREY,
    INK,
    LIGHT,
    PALE,
    PAPER,
    new_figure,
    number,
    percent,
    shorten,
    tidy,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_ROWS = 12
SHADE = 0.35
ACTUAL: dict[str, Any] = {
    "marker": "D",
    "linestyle": "",
    "color": LIGHT,
    "markeredgecolor": INK,
    "markersize": 9,
    "clip_on": False,
    "zorder": 5,
}


def distribution(
    model: Any,
    rows: Any,
    *,
    task: str | None = None,
    interval: float = 0.9,
    actual: Any = None,
    figure: Figure | None = None,
) -> Figure:
    """What the model expects of a row: density or probabilities, an interval, the mean.

    Parameters
    ----------
    model : Model or fitted estimator
    rows : table
        One row or a few (12 at most), drawn one below the other.
    task : str, optional
        Default: the first that has a distribution, else the first.
    interval : float
        The middle share of the probability that is shaded.
    actual : value or array, optional
        What came, one per row.
    figure : matplotlib Figure, optional
    """
    found = model_of(model)
    table = found._table(rows, _core.ColumnsFor.distributions)
    if not 1 <= table.num_rows <= MOST_ROWS:
        raise _core.Error(f"{table.num_rows} rows cannot be drawn; give 1 to {MOST_ROWS} of them.")
    info = _find_task(found, task)
    truths = [None] * table.num_rows if actual is None else list(np.atleast_1d(actual))
    if len(truths) != table.num_rows:
        raise _core.Error(f"actual has {len(truths)} values for {table.num_rows} rows.")
    rows_are_called = _row_names(rows, table.num_rows)
    figure = new_figure(figure, 6.4, 3.6 if table.num_rows == 1 else 0.9 + 1.3 * table.num_rows)
    axes = list(figure.subplots(table.num_rows, 1, sharex=True, squeeze=False)[:, 0])
    name = shorten(info["target"], 60)
    if info["is_classifier"]:
        _draw_classes(axes, found, table, info, truths, rows_are_called)
        axes[-1].set_xlabel(f"probability of {name}")
    else:
        of = found.distribution(table, info["target"])
        _draw_numbers(axes, of, interval, truths, rows_are_called)
        axes[-1].set_xlabel(name)
    return figure


def _find_task(model: Model, task: str | None) -> dict[str, Any]:
    infos = {each["target"]: each for each in model.tasks}
    if task is None:
        able = [name for name, each in infos.items() if each["has_distribution"]]
        return infos[(able or list(infos))[0]]
    if task not in infos:
        raise _core.Error(f"there is no task {task!r}; there are {', '.join(infos)}.")
    return infos[task]


def _row_names(rows: Any, count: int) -> list[str]:
    """What the index of a pandas frame calls them; numbers say that they are rows."""
    index = getattr(rows, "index", None)
    labels = range(count) if index is None or callable(index) else index
    return [
        f"row {label}" if isinstance(label, (int, np.integer)) else shorten(str(label))
        for label in labels
    ]


def _draw_numbers(
    axes: list[Axes], of: Distribution, interval: float, truths: list[Any], names: list[str]
) -> None:
    lower, upper = of.interval(interval)
    means = of.mean()
    for row, (ax, shape) in enumerate(zip(axes, shapes(of), strict=True)):
        _draw_density(ax, shape, lower[row], upper[row])
        _draw_atoms(ax, shape, lower[row], upper[row])
        if row == 0:
            alpha = 1.0 if of.is_discrete else SHADE
            text = f"middle {percent(interval)}"
            ax.fill_between([], [], color=DARK, alpha=alpha, linewidth=0, label=text)
        _mark(ax, means[row], truths[row])
        ax.set_ylim(bottom=0)
        ax.set_yticks([])
        tidy(ax, grid=None)
        ax.spines["left"].set_visible(False)
        if len(axes) > 1:
            ax.set_ylabel(names[row], rotation=0, ha="right", va="center", fontsize="small")
    if of.is_discrete:
        whole_numbers(axes[0])
    if len(axes) == 1:
        axes[0].set_ylabel("probability" if of.is_discrete else "density")


def _draw_density(ax: Axes, shape: Shape, lower: float, upper: float) -> None:
    if len(shape.x) == 0:
        return
    inside = (shape.x >= lower) & (shape.x <= upper)
    ax.plot(shape.x, shape.density, color=DARK, linewidth=1.6)
    ax.fill_between(shape.x, 0, shape.density, color=PALE, linewidth=0)
    ax.fill_between(shape.x, 0, shape.density, where=inside, color=DARK, alpha=SHADE, linewidth=0)


def _draw_atoms(ax: Axes, shape: Shape, lower: float, upper: float) -> None:
    """Bars; beside a density, where a probability has no height, pins with their numbers."""
    if len(shape.x) == 0:
        inside = (shape.atoms >= lower) & (shape.atoms <= upper)
        width = 0.85 * (shape.atoms[1] - shape.atoms[0]) if len(shape.atoms) > 1 else 0.85
        ax.bar(shape.atoms, shape.probabilities, width=width, color=np.where(inside, DARK, PALE))
        return
    top = float(shape.density.max())
    for value, probability in zip(shape.atoms, shape.probabilities, strict=True):
        ax.vlines(value, 0, top, color=DARK, linewidth=3)
        ax.annotate(
            f"{percent(probability)} at {number(value)}",
            (value, top),
            xytext=(5, -2),
            textcoords="offset points",
            va="top",
            fontsize="small",
            color=INK,
            bbox=PAPER,
        )


def _mark(ax: Axes, mean: float, truth: Any) -> None:
    ax.axvline(mean, color=INK, linewidth=1.2, label=f"mean {number(mean)}")
    if truth is not None:
        label = f"actual {number(float(truth))}"
        ax.plot(float(truth), 0.04, transform=ax.get_xaxis_transform(), label=label, **ACTUAL)
    ax.legend(frameon=False, fontsize="small", loc="upper right")


def _draw_classes(
    axes: list[Axes],
    model: Model,
    table: _core.Table,
    info: dict[str, Any],
    truths: list[Any],
    names: list[str],
) -> None:
    predicted = model.predict(table)
    prefix = f"{info['target']}." if len(model.tasks) > 1 else ""
    columns = [f"{prefix}probability_{label}" for label in info["labels"]]
    shares = np.array([cells(predicted, column) for column in columns])
    for row, ax in enumerate(axes):
        _draw_class_bars(ax, info["labels"], shares[:, row])
        if str(truths[row]) in info["labels"]:
            ax.plot(0, info["labels"].index(str(truths[row])), label="actual", **ACTUAL)
            ax.legend(frameon=False, fontsize="small", loc="lower right")
        if len(axes) > 1:
            ax.set_title(names[row], fontsize="small", loc="left", color=INK)


def _draw_class_bars(ax: Axes, labels: list[str], shares: Floats) -> None:
    colours = np.where(shares == shares.max(), DARK, GREY)
    bars = ax.barh([shorten(label) for label in labels], shares, color=colours)
    ax.bar_label(bars, [percent(share) for share in shares], padding=3, fontsize="small")
    ax.invert_yaxis()
    ax.set_xlim(0, 1.12)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    tidy(ax, grid="x")
