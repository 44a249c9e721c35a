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
    """Loss after each epoch on training and validation rows, and that of the model kept so far.

    One axes per task. Several members are trained in step: their validation losses are those of all
    rows, each by the member that has not learned from it. (In files of format 4 or older each has
    its own lines.) The training loss is the mean over the groups of trees. The thin line is the
    validation loss of the trees as they were after the epoch; it rises and falls with the learning
    rate. The thick one is that of the model that would have been kept if the training had ended
    there: each group of trees as it was in the best of its epochs. The last epoch that the model
    has trees of is marked; it is that of `describe`.

    Parameters
    ----------
    model : Model or fitted estimator
    figure : matplotlib Figure, optional
        To draw into.
    """
    found = model_of(model)
    history = found.history
    if history.num_rows == 0:
        raise _core.Error(
            "the model has no history: its file is of a Softwood from before files kept it."
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
    kept = cells(history, "best_validation_loss" + suffix)
    several = len(np.unique(members)) > 1
    for member in np.unique(members):
        of = members == member
        first = member == members[0]
        _draw_training(ax, epochs[of], training[of], several=several, label=first)
        if np.isnan(validation[of]).all():
            continue
        _draw_validation(ax, epochs[of], validation[of], kept[of], several=several, label=first)
        best = int(cells(history, "best_epoch")[of][-1])
        if best > 0:
            _mark_best(ax, best, kept[of][-1], epochs[of][-1], named=not several, label=first)
    _forget_the_first_fall(ax, epochs, training, np.concatenate([validation, kept]))
    ax.set_xlabel("epoch")
    ax.set_ylabel("loss per row")
    whole_numbers(ax)
    tidy(ax)


def _draw_training(ax: Axes, epochs: Any, losses: Any, *, several: bool, label: bool) -> None:
    ax.plot(
        epochs,
        losses,
        color=LIGHT,
        linestyle="--",
        linewidth=0.9 if several else 1.5,
        label="training" if label else None,
    )


def _draw_validation(
    ax: Axes, epochs: Any, losses: Any, kept: Any, *, several: bool, label: bool
) -> None:
    ax.plot(
        epochs,
        losses,
        color=DARK,
        linewidth=0.7 if several else 1,
        alpha=0.55,
        label="validation" if label else None,
    )
    ax.plot(
        epochs,
        kept,
        color=DARK,
        linewidth=1.3 if several else 2,
        drawstyle="steps-post",
        label="validation, best so far" if label else None,
    )


def _forget_the_first_fall(ax: Axes, epochs: Any, training: Any, validation: Any) -> None:
    """The training loss of the first epoch is that of the constant; it may leave the top."""
    shown = np.concatenate([training[epochs > 1], validation])
    shown = shown[np.isfinite(shown)]
    if len(np.unique(epochs)) < 4 or len(shown) == 0:
        return
    room = 0.06 * (shown.max() - shown.min())
    if room > 0:
        ax.set_ylim(shown.min() - room, shown.max() + room)


def _mark_best(
    ax: Axes, epoch: int, loss: float, last_epoch: float, *, named: bool, label: bool
) -> None:
    ax.plot(
        epoch,
        loss,
        "o",
        color=DARK,
        markerfacecolor="white",
        markeredgewidth=1.6,
        label="best epoch" if label else None,
        zorder=3,
    )
    if named:
        ax.axvline(epoch, color=GREY, linewidth=0.8, linestyle=":", zorder=0)
        ax.annotate(
            f"epoch {epoch}: {number(loss, 4)}",
            (epoch, loss),
            textcoords="offset points",
            xytext=(-6, 9),
            ha="right" if epoch > last_epoch / 2 else "left",
            color=INK,
            fontsize="small",
            bbox=PAPER,
        )
