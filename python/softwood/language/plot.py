"""A loss as a picture: its value and its gradient against each raw output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._core import Error
from softwood.language.arrays import Numbers, numbers_of

if TYPE_CHECKING:
    from softwood.language.loss import Loss

# Tried in this order until the loss allows all of them.
_RESPONSES = ((0.0, 1.0, 3.0), (0.5, 1.0, 3.0), (0.0, 1.0), (0.2, 0.5, 0.8))
_POINTS = 401
_MARGIN = 3.0  # on both sides of the responses, or of 0
_CLASSES = 3


def plot_loss(loss: Loss, y: Any, f: Any, ax: Any, columns: Mapping[str, Any]) -> Any:
    """See Loss.plot."""
    from softwood.language.loss import Loss

    if loss.uses_classes and loss.classes is None:
        loss = Loss(loss, classes=_CLASSES)
    data = {**dict.fromkeys(loss.columns, 1.0), **columns}
    responses = _responses(loss, data) if y is None else np.atleast_1d(numbers_of(y, "y"))
    middle = _held(loss, responses, data)
    axes = _axes(ax, len(loss.outputs))
    for k, output in enumerate(loss.outputs):
        grid = _grid(f, output, middle[k], responses)
        points = np.repeat(middle[np.newaxis], len(grid), axis=0)
        points[:, k] = grid
        _draw_output(loss, k, points, responses, data, axes[k])
    _finish(loss, axes, middle)
    return axes if len(axes) > 1 or ax is None else ax


def _responses(loss: Loss, data: Mapping[str, Any]) -> Numbers:
    if loss.uses_classes:
        return np.arange(loss.classes or _CLASSES, dtype=np.float64)
    for candidates in _RESPONSES:
        if loss.check(candidates, **data) is None:
            return np.array(candidates)
    raise Error(f"{loss.name}: say for which responses to draw it: plot(y=[…])")


def _value(loss: Loss, y: Any, points: Numbers, data: Mapping[str, Any]) -> Any:
    is_number = len(loss.outputs) == 1 and "[" not in loss.outputs[0]
    return loss.value(y, points[..., 0] if is_number else points, **data)


def _gradient(loss: Loss, y: Any, points: Numbers, data: Mapping[str, Any], k: int) -> Any:
    is_number = len(loss.outputs) == 1 and "[" not in loss.outputs[0]
    slopes = loss.gradient(y, points[..., 0] if is_number else points, **data)
    return slopes if is_number else slopes[..., k]


def _held(loss: Loss, responses: Numbers, data: Mapping[str, Any]) -> Numbers:
    """Where the other outputs stay: in the middle of the responses if they are on their scale (the
    loss is the same when both move), else at 0."""
    middle = np.zeros(len(loss.outputs))
    for k in range(len(middle)):
        step = np.zeros(len(middle))
        step[k] = 1.0
        here = _value(loss, responses, np.zeros((len(responses), len(middle))), data)
        there = _value(loss, responses + 1, np.tile(step, (len(responses), 1)), data)
        if not loss.uses_classes and np.allclose(here, there):
            middle[k] = (responses.min() + responses.max()) / 2
    return middle


def _grid(f: Any, output: str, middle: float, responses: Numbers) -> Numbers:
    given = f.get(output) if isinstance(f, Mapping) else f
    if given is not None:
        return np.atleast_1d(numbers_of(given, "f"))
    reach = _MARGIN + (float(np.ptp(responses)) / 2 if middle != 0 else 0.0)
    return np.linspace(middle - reach, middle + reach, _POINTS)


def _axes(ax: Any, num_outputs: int) -> Any:
    """[outputs × 2]; a single one given stands for both."""
    if ax is None:
        import matplotlib.pyplot as plt

        size = (8, 1 + 2.2 * num_outputs)
        layout: dict[str, Any] = {"squeeze": False, "sharex": "row", "layout": "constrained"}
        return plt.subplots(num_outputs, 2, figsize=size, **layout)[1]
    given = np.asarray(ax, dtype=object).reshape(-1)
    if given.size == 1 and num_outputs == 1:
        return np.array([[given[0], given[0]]], dtype=object)
    if given.size != 2 * num_outputs:
        raise Error(f"plot needs {num_outputs} × 2 axes, not {given.size}")
    return given.reshape(num_outputs, 2)


def _draw_output(
    loss: Loss, k: int, points: Numbers, responses: Numbers, data: Mapping[str, Any], axes: Any
) -> None:
    is_one = axes[0] is axes[1]
    values, slopes = [], []
    for number, y in enumerate(responses):
        # Later curves are thinner, so that one below another is still seen.
        style: dict[str, Any] = {"color": f"C{number}", "linewidth": max(1.2, 3 - 0.9 * number)}
        values.append(_value(loss, y, points, data))
        slopes.append(_gradient(loss, y, points, data, k))
        axes[0].plot(points[:, k], values[-1], **style, label=f"y = {y:g}")
        axes[1].plot(points[:, k], slopes[-1], **style, linestyle="--" if is_one else "-")
    axes[1].axhline(0, color="0.7", linewidth=0.8, zorder=0)
    for ax, drawn in ((axes[0], values), (axes[1], slopes)):
        ax.set_xlabel(loss.outputs[k])
        if not is_one:
            _limit(ax, np.concatenate(drawn))
    axes[0].set_ylabel("loss, gradient (dashed)" if is_one else "loss")
    if not is_one:
        axes[1].set_ylabel("gradient")


def _limit(ax: Any, drawn: Numbers) -> None:
    """Keeps an exponential end from flattening all the rest."""
    finite = drawn[np.isfinite(drawn)]
    if finite.size == 0:
        return
    low, high = np.quantile(finite, [0.2, 0.75])
    room = 1.5 * (high - low)
    if room > 0 and (finite.max() > high + room or finite.min() < low - room):
        pad = 0.05 * (high - low)
        ax.set_ylim(max(finite.min() - pad, low - room), min(finite.max() + pad, high + room))


def _finish(loss: Loss, axes: Any, middle: Numbers) -> None:
    axes[0][0].legend(frameon=False, fontsize="small")
    axes[0][0].set_title(loss.spec if "\n" not in loss.spec else loss.name, loc="left")
    if len(loss.outputs) == 1:
        return
    for k, pair in enumerate(axes):
        others = [j for j in range(len(middle)) if j != k]
        held = ", ".join(f"{loss.outputs[j]} = {middle[j]:g}" for j in others[:3])
        more = ", …" if len(others) > 3 else ""
        pair[1].set_title(f"at {held}{more}", loc="right", fontsize="small", color="0.4")
