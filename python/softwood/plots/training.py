"""Learning curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood.explain import model_of
from softwood.plots.data import cells
from softwood.plots.style import (
    DARK,
    GREY,
    INK,
    LIGHT,
    PAPER,
    new_figure,
    number,
    shorten,
    tidy,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def learning_curves(model: Any, *, figure: Figure | None = None) -> Figure:
    """Loss after each epoch on training and validation rows, the best epoch marked.

    One axes per task, one pair of lines per member. The training loss is the mean over the groups
    of trees, the validation loss that of their average, which is why it may well be the lower one.

    Parameters
    ----------
    model : Model or fitted estimator
        As it was trained: a file does not hold the history.
    figure : matplotlib Figure, optional
        To draw into.
    """
    found = model_of(model)
    history = found.history
    if history.num_rows == 0:
        raise _core.Error(
            "the model has no history: it comes from a file. Plot it where it was trained."
        )
    targets = [task["target"] for task in found.tasks]
    rows = (len(targets) + 2) // 3
    columns = min(len(targets), 3)
    figure = new_figure(
        figure, 6.4 if columns == 1 else 4 * columns, 4.2 if rows == 1 else 3 * rows
    )
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax, target in zip(axes, targets, strict=False):
        suffix = "" if len(targets) == 1 else f".{target}"
        _draw(ax, history, suffix)
        ax.set_title(shorten(target, 40), fontsize="medium")
    for ax in axes[len(targets) :]:
        ax.set_visible(False)
    axes[0].legend(frameon=False)
    return figure


def _draw(ax: Axes, history: _core.Table, suffix: str) -> None:
    epochs = cells(history, "epoch")
    members = cells(history, "member") if "member" in history.names else np.ones_like(epochs)
    training = cells(history, "training_loss" + suffix)
    validation = cells(history, "validation_loss" + suffix)
    several = len(np.unique(members)) > 1
    for member in np.unique(members):
        of = members == member
        first = member == members[0]
        width = 1.1 if several else 1.8
        ax.plot(
            epochs[of],
            training[of],
            color=LIGHT,
            linestyle="--",
            linewidth=width,
            label="training" if first else None,
        )
        if np.isnan(validation[of]).all():
            continue
        ax.plot(
            epochs[of],
            validation[of],
            color=DARK,
            linewidth=width,
            label="validation" if first else None,
        )
        _mark_best(
            ax,
            epochs[of],
            validation[of],
            cells(history, "best")[of],
            named=not several,
            label=first,
        )
    _forget_the_first_fall(ax, epochs, training, validation)
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss per row")
    whole_numbers(ax)
    tidy(ax)


def _forget_the_first_fall(ax: Axes, epochs: Any, training: Any, validation: Any) -> None:
    """The training loss of the first epoch is that of the constant; it may leave the top."""
    shown = np.concatenate([training[epochs > 1], validation[~np.isnan(validation)]])
    if len(np.unique(epochs)) < 4 or len(shown) == 0:
        return
    room = 0.06 * (shown.max() - shown.min())
    if room > 0:
        ax.set_ylim(shown.min() - room, shown.max() + room)


def _mark_best(
    ax: Axes, epochs: Any, losses: Any, is_best: Any, *, named: bool, label: bool
) -> None:
    best = np.flatnonzero(is_best)[-1]
    ax.plot(
        epochs[best],
        losses[best],
        "o",
        color=DARK,
        markerfacecolor="white",
        markeredgewidth=1.6,
        label="best epoch" if label else None,
        zorder=3,
    )
    if named:
        ax.axvline(epochs[best], color=GREY, linewidth=0.8, linestyle=":", zorder=0)
        ax.annotate(
            f"epoch {epochs[best]:.0f}: {number(losses[best])}",
            (epochs[best], losses[best]),
            textcoords="offset points",
            xytext=(-6, 9),
            ha="right" if epochs[best] > epochs[-1] / 2 else "left",
            color=INK,
            fontsize="small",
            bbox=PAPER,
        )
