"""The page's plots, as SVG text."""

from __future__ import annotations

import io

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from bench.accuracy.compare import Block, geometric_mean

matplotlib.rcParams |= {"svg.fonttype": "none", "font.size": 9, "axes.grid": True}
matplotlib.rcParams |= {"grid.color": "#e4e4e4", "axes.axisbelow": True}
matplotlib.rcParams |= {"axes.spines.top": False, "axes.spines.right": False}
MARKERS = "osD^vPX*<>"


def ratio_plot(block: Block) -> str:
    """A dot per table and rival; tables by their ratio to the first rival."""
    rivals = block.comparison.rivals
    lines = sorted(block.lines, key=lambda line: -_first_ratio(line.ratios, rivals))
    figure, axes = pyplot.subplots(figsize=(8, 1.2 + 0.26 * len(lines)))
    for index, rival in enumerate(rivals):
        dots = [
            (line.ratios[rival].error, y) for y, line in enumerate(lines) if rival in line.ratios
        ]
        if dots:
            axes.plot(*zip(*dots, strict=True), MARKERS[index % len(MARKERS)], label=rival, ms=5)
    tie = max(line.tie for line in lines)
    axes.axvspan(1 - tie, 1 + tie, color="#bbbbbb", alpha=0.4)
    axes.set_yticks(range(len(lines)), [line.table for line in lines])
    _ratio_axis(axes, "x")
    axes.set_xlabel("error ratio, ours ÷ rival (left of 1: ours is better)")
    _legend(axes)
    return _svg(figure)


def time_plot(blocks: list[Block]) -> str:
    """A dot per table and rival: error ratio against training time ratio."""
    figure, axes = pyplot.subplots(figsize=(8, 5))
    rivals = dict.fromkeys(rival for block in blocks for rival in block.comparison.rivals)
    for index, rival in enumerate(rivals):
        found = [ln.ratios[rival] for b in blocks for ln in b.lines if rival in ln.ratios]
        seconds, errors = [r.seconds for r in found], [r.error for r in found]
        axes.plot(seconds, errors, MARKERS[index % len(MARKERS)], label=rival, ms=5, alpha=0.7)
    for draw in (axes.axhline, axes.axvline):
        draw(1, color="#888888", lw=1)
    _ratio_axis(axes, "x")
    _ratio_axis(axes, "y")
    axes.set_xlabel("training time ratio, ours ÷ rival")
    axes.set_ylabel("error ratio, ours ÷ rival")
    _legend(axes)
    return _svg(figure)


def trees_plot(curves: dict[str, dict[int, float]], rival: str) -> str:
    """Error ratio against the number of trees: thin per table, thick their geometric mean."""
    figure, axes = pyplot.subplots(figsize=(8, 5))
    for curve in curves.values():
        axes.plot(list(curve), list(curve.values()), color="#9bb8d3", lw=0.8, marker=".")
    counts = sorted(set.intersection(*(set(curve) for curve in curves.values())))
    means = [geometric_mean(curve[n] for curve in curves.values()) for n in counts]
    axes.plot(counts, means, color="#c0392b", lw=2.5, marker="o", label="geometric mean")
    axes.axhline(1, color="#888888", lw=1)
    axes.set_xscale("log")
    axes.set_xticks(sorted({n for curve in curves.values() for n in curve}))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    _ratio_axis(axes, "y")
    axes.set_xlabel("trees")
    axes.set_ylabel(f"error ÷ {rival}'s")
    _legend(axes)
    return _svg(figure)


def _first_ratio(ratios: dict, rivals: list[str]) -> float:
    return next((ratios[rival].error for rival in rivals if rival in ratios), 1.0)


def _ratio_axis(axes: Axes, which: str) -> None:
    getattr(axes, f"set_{which}scale")("log")
    axis = getattr(axes, f"{which}axis")
    low, high = getattr(axes, f"get_{which}lim")()
    digits = range(1, 10) if high / low < 8 else (1, 2, 5)
    axis.set_major_locator(LogLocator(subs=digits))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _legend(axes: Axes) -> None:
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=5, fontsize=8, frameon=False)


def _svg(figure: Figure) -> str:
    figure.tight_layout()
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return text.getvalue()[text.getvalue().index("<svg") :]
