"""What all plots share: matplotlib on demand, colours that differ in grey too, short names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DARK = "#1d4e79"
"""The main thing: predictions, validation, going left."""
LIGHT = "#f0a04b"
"""What it is compared with: going right, the truth. Clearly lighter than DARK."""
GREY = "#8a8f98"
PALE = "#d9dce1"
INK = "#2b2f36"

CLASS_COLOURS = (DARK, LIGHT, "#7a9e48", "#b04a5a", "#8d7bb8", "#5ab4ac", "#c9b03a", "#70757d")
CLASS_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
PAPER = {"boxstyle": "round,pad=0.15", "fc": "white", "ec": "none", "alpha": 0.75}
"""Behind letters that cross lines."""
LINE_STYLES = ("-", "--", "-.", ":")


def pyplot() -> Any:
    """matplotlib.pyplot, or an ImportError that says how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install softwood[plots]") from error
    return plt


def new_axes(ax: Axes | None, width: float = 6.4, height: float = 4.2) -> Axes:
    """`ax`, or the axes of a new figure."""
    if ax is not None:
        return ax
    _, made = pyplot().subplots(figsize=(width, height), layout="constrained")
    axes: Axes = made
    return axes


def new_figure(figure: Figure | None, width: float, height: float) -> Figure:
    """`figure`, or a new one."""
    if figure is not None:
        return figure
    return open_figure(figsize=(width, height), layout="constrained")


def open_figure(**settings: Any) -> Figure:
    """A new figure of pyplot that notebooks show once."""
    plt = pyplot()
    from softwood.plots.shown_once import ShownOnce

    made: Figure = plt.figure(FigureClass=ShownOnce, **settings)
    return made


def tidy(ax: Axes, *, grid: str | None = "y") -> None:
    """No box, faint grid lines behind the data."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(GREY)
    ax.tick_params(color=GREY, labelcolor=INK)
    if grid is not None:
        ax.grid(visible=True, axis=grid, color=PALE, linewidth=0.6)  # type: ignore[arg-type]
        ax.set_axisbelow(True)


def whole_numbers(ax: Axes) -> None:
    """Ticks of the x axis at whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    ax.xaxis.set_major_locator(MaxNLocator(integer=True))


def shorten(text: str, most: int = 28) -> str:
    """A long name by its beginning and end."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 3
    return f"{text[: most - 1 - tail]}…{text[len(text) - tail :]}"


def percent(share: float) -> str:
    """0.123 → "12 %"; small ones keep a digit."""
    if 0 < share < 0.0005:
        return "<0.1 %"
    return f"{100 * share:.1f} %" if 0 < share < 0.0095 else f"{100 * share:.0f} %"


def number(value: float, digits: int = 3) -> str:
    """As people write it: 1,234 and 0.0123; powers of ten only if need be."""
    whole = 10**digits <= abs(value) < 1e7
    return (f"{value:,.0f}" if whole else f"{value:.{digits}g}").replace("-", "−")


def spread_out(indices: int, most: int) -> NDArray[np.int64]:
    """At most `most` of so many indices, evenly spread."""
    return np.unique(np.linspace(0, max(indices - 1, 0), min(indices, most)).astype(np.int64))
