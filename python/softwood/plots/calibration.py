"""Calibration: what was predicted against what came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood._core import CalibrationBin, Evaluation
from softwood.explain import model_of
from softwood.plots.data import with_response
from softwood.plots.style import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    DARK,
    GREY,
    INK,
    LIGHT,
    PALE,
    new_figure,
    shorten,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def calibration(
    model: Any, data: Any, y: Any = None, *, figure: Figure | None = None, threads: int = 0
) -> Figure:
    """Mean prediction against mean response by tenths of the rows, and PIT bars.

    Each dot is a tenth of the rows, by predicted value; its area is the number of rows. On the
    line, predictions are right on average. For classes, predicted probability against the share of
    rows that are of the class. If the loss has a distribution, the bars beside show how the
    responses spread over the tenths of their own predicted distributions: evenly, if it is right;
    chance alone leaves nine of ten bars between the dashed lines.

    Parameters
    ----------
    model : Model or fitted estimator
    data : table
        Rows that the model has not learned from, with the responses.
    y : array, optional
        The response of a single task, if the table lacks it.
    figure : matplotlib Figure, optional
    threads : int
    """
    found = model_of(model)
    table = with_response(found, data, y, found.tasks[0]["target"])
    evaluations = found.evaluate(table, threads=threads)
    labels = {task["target"]: task["labels"] for task in found.tasks}
    shown = {
        target: panels
        for target, each in evaluations.items()
        if (panels := _panels(each, labels[target]))
    }
    if not shown:
        raise _core.Error(
            "there is nothing to compare: no task has both responses here and a calibration."
        )
    columns = max(len(panels) for panels in shown.values())
    figure = new_figure(figure, 4.6 * columns, 4.2 * len(shown))
    grid = figure.subplots(len(shown), columns, squeeze=False)
    for row, panels in zip(grid, shown.values(), strict=True):
        for ax, draw in zip(row, panels, strict=False):
            draw(ax)
        for ax in row[len(panels) :]:
            ax.set_visible(False)
    return figure


def _panels(evaluation: Evaluation, labels: list[str]) -> list[Any]:
    panels: list[Any] = []
    target = evaluation.task
    if evaluation.calibration:
        what = f"{target} = {labels[1]}" if len(labels) == 2 else target
        panels.append(lambda ax: _draw_means(ax, evaluation.calibration, what, bool(labels)))
    if evaluation.class_calibration:
        by_class = dict(zip(labels, evaluation.class_calibration, strict=True))
        panels.append(lambda ax: _draw_classes(ax, by_class, target))
    if evaluation.pit_histogram:
        panels.append(
            lambda ax: _draw_pit(ax, evaluation.pit_histogram, evaluation.num_rows, target)
        )
    return panels


def _draw_means(ax: Axes, bins: list[CalibrationBin], what: str, is_class: bool) -> None:
    predicted, observed, counts = _columns(bins)
    _draw_diagonal(ax, predicted, observed, is_probability=is_class)
    ax.plot(predicted, observed, color=DARK, linewidth=1.2, zorder=2)
    ax.scatter(predicted, observed, s=_areas(counts), color=DARK, edgecolor="white", zorder=3)
    ax.set_xlabel("predicted probability" if is_class else "mean prediction")
    ax.set_ylabel("share of the rows" if is_class else "mean response")
    ax.set_title(shorten(what, 48), fontsize="medium")
    _say_counts(ax, counts)
    tidy(ax, grid="both")


def _draw_classes(ax: Axes, by_class: Mapping[str, list[CalibrationBin]], target: str) -> None:
    _draw_diagonal(ax, np.array([0, 1]), np.array([0, 1]), is_probability=True)
    for i, (label, bins) in enumerate(by_class.items()):
        predicted, observed, _ = _columns(bins)
        ax.plot(
            predicted,
            observed,
            marker=CLASS_MARKERS[i % len(CLASS_MARKERS)],
            color=CLASS_COLOURS[i % len(CLASS_COLOURS)],
            linewidth=1.2,
            markeredgecolor="white",
            markersize=8,
            label=shorten(label),
        )
    ax.set_xlabel("predicted probability")
    ax.set_ylabel("share of the rows")
    ax.set_title(shorten(target, 48), fontsize="medium")
    ax.legend(frameon=False, fontsize="small")
    tidy(ax, grid="both")


def _columns(bins: list[CalibrationBin]) -> tuple[Any, Any, Any]:
    return (
        np.array([each.predicted for each in bins]),
        np.array([each.observed for each in bins]),
        np.array([each.num_rows for each in bins]),
    )


def _areas(counts: Any) -> Any:
    return 25 + 60 * counts / counts.max()


def _draw_diagonal(ax: Axes, predicted: Any, observed: Any, *, is_probability: bool) -> None:
    """Same scale on both axes; a logarithmic one where values differ by orders of magnitude."""
    both = np.concatenate([predicted, observed])
    low, high = (0.0, 1.0) if is_probability else (both.min(), both.max())
    if not is_probability and low > 0 and high / low > 50:
        ax.set(xscale="log", yscale="log")
        low, high = low / 1.3, high * 1.3
    else:
        margin = 0.04 * (high - low) or 1.0
        low, high = low - margin, high + margin
    ax.plot([low, high], [low, high], color=GREY, linestyle="--", linewidth=1, zorder=1)
    ax.set(xlim=(low, high), ylim=(low, high))
    ax.set_box_aspect(1)


def _say_counts(ax: Axes, counts: Any) -> None:
    low, high = counts.min(), counts.max()
    text = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    ax.text(
        0.97,
        0.04,
        f"{text} rows per dot",
        transform=ax.transAxes,
        ha="right",
        fontsize="small",
        color=INK,
    )


def _draw_pit(ax: Axes, shares: list[float], num_rows: int, target: str) -> None:
    even = 1 / len(shares)
    spread = 1.645 * np.sqrt(even * (1 - even) / num_rows)
    places = (np.arange(len(shares)) + 0.5) * even
    ax.bar(places, shares, width=0.94 * even, color=DARK)
    ax.axhline(even, color=LIGHT, linewidth=1.8)
    for bound in (even - spread, even + spread):
        ax.axhline(bound, color=LIGHT, linewidth=1, linestyle="--")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, max(1.15 * max(shares), 1.6 * even))
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g} %")
    ax.set_xlabel("place in its own predicted distribution (PIT)")
    ax.set_ylabel("share of the responses")
    ax.set_title(shorten(target, 48), fontsize="medium")
    ax.set_box_aspect(1)
    tidy(ax)
    ax.grid(visible=True, axis="y", color=PALE, linewidth=0.6)
