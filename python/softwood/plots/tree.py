"""One tree: splits with the curves of their strongest columns, leaves, how many rows pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from softwood import _core
from softwood.explain import Curve, Split, Tree
from softwood.explain import tree as find_tree
from softwood.plots.curve import draw_curve, reach_of
from softwood.plots.leaves import draw_leaves, title_of_leaves
from softwood.plots.style import DARK, INK, LIGHT, PALE, PAPER, open_figure, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DEEPEST = 6
MOST_CURVES = 3
# in inches
LEVEL = 1.65
LINK = 0.45
TITLE = 0.45
LEAVES = 1.7
BELOW_LEAVES = 0.58
MARGIN = 0.2
WIDEST_CURVE, NARROWEST_CURVE = 1.75, 1.05
ALL_ROWS = 0.55
"""The width of a link that all rows take."""


def tree(
    model: Any, index: int, data: Any = None, *, member: int = 0, figure: Figure | None = None
) -> Figure:
    """Draws one tree.

    A split adds up one curve per column; of those, the strongest are shown. Where a curve is above
    its line, it speaks for going left, where it is below, for going right. The links are as wide as
    the share of the rows that take them, and the bars at the bottom are what the leaves add.

    Parameters
    ----------
    model : Model or fitted estimator
    index : int
        Among the trees, from 0.
    data : table, optional
        Rows to send through the tree. Without them links have one width.
    member : int
        Of a model of several, from 0.
    figure : matplotlib Figure, optional
        An empty one to draw into; it is enlarged if the tree needs more room.
    """
    view = find_tree(model, index, data, member=member)
    if view.depth > DEEPEST:
        raise _core.Error(
            f"a tree of depth {view.depth} has {len(view.splits)} splits, too many to draw (depth "
            f"{DEEPEST} at most); softwood.explain.tree gives its numbers."
        )
    width = max(11.0, 1.3 * 2 ** (view.depth - 1))
    height = TITLE + LEVEL * view.depth + LEAVES
    if figure is None:
        figure = open_figure(figsize=(width, height))
    assert figure is not None
    given = figure.get_size_inches()
    figure.set_size_inches(max(given[0], width), max(given[1], height))
    _Drawing(view, figure).draw()
    return figure


def _limit_of(curves: tuple[Curve, ...]) -> float:
    """One scale for the curves of a split, by what most rows see: rare extremes may leave it."""
    farthest = max((reach_of(curve) for curve in curves), default=0.0)
    usual = 3 * max((curve.strength for curve in curves), default=0.0)
    return 1.08 * min(farthest, usual) or 1.0


class _Drawing:
    """Places are in inches from the lower left corner."""

    def __init__(self, tree: Tree, figure: Figure) -> None:
        self.tree = tree
        self.figure = figure
        self.width, self.height = map(float, figure.get_size_inches())
        self.level = (self.height - TITLE - LEAVES) / tree.depth
        self.canvas: Axes = figure.add_axes((0, 0, 1, 1))
        self.canvas.set(xlim=(0, self.width), ylim=(0, self.height))
        self.canvas.set_axis_off()

    def draw(self) -> None:
        for node in range(1, len(self.tree.splits) + len(self.tree.leaves)):
            self._draw_link(node)
        for node, split in enumerate(self.tree.splits):
            self._draw_split(node, split)
        self._draw_leaves()
        self._draw_title()

    # --- where nodes are: splits breadth first, then leaves

    @staticmethod
    def _depth_of(node: int) -> int:
        return (node + 1).bit_length() - 1

    def _room(self, depth: int) -> float:
        """Width for one node."""
        return (self.width - 2 * MARGIN) / (1 << depth)

    def _x(self, node: int) -> float:
        depth = self._depth_of(node)
        return MARGIN + (node + 1.5 - (1 << depth)) * self._room(depth)

    def _top(self, node: int) -> float:
        if node >= len(self.tree.splits):
            return LEAVES - 0.06
        return self.height - TITLE - self._depth_of(node) * self.level

    def _bottom(self, split: int) -> float:
        return self._top(split) - self.level + LINK

    def _share(self, node: int) -> float | None:
        num_splits = len(self.tree.splits)
        if node < num_splits:
            return self.tree.splits[node].share
        return self.tree.leaves[node - num_splits].share

    def _axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        w, h = self.width, self.height
        return self.figure.add_axes((left / w, bottom / h, width / w, height / h), zorder=5)

    # --- what is there

    def _draw_link(self, node: int) -> None:
        """Blue to the left, orange to the right; both together as wide as what came."""
        parent, is_left = (node - 1) // 2, node % 2 == 1
        share, of_parent = self._share(node), self._share(parent)
        start, width = self._x(parent), 0.03
        if share is not None and of_parent is not None:
            start += (share - of_parent) / 2 * ALL_ROWS * (1 if is_left else -1)
            width = share * ALL_ROWS
            if node < len(self.tree.splits):
                place = (self._x(node), self._top(node) + 0.02)
                style: dict[str, Any] = {"ha": "center", "va": "bottom", "zorder": 4}
                self._write(*place, percent(share), 8, bbox=PAPER, **style)
        t = np.linspace(0, 1, 40)
        x = start + (self._x(node) - start) * (3 * t**2 - 2 * t**3)
        y = self._bottom(parent) + (self._top(node) - self._bottom(parent)) * t
        half = max(width, 0.012) / 2
        colour = DARK if is_left else LIGHT
        self.canvas.fill_betweenx(y, x - half, x + half, color=colour, alpha=0.45, lw=0, zorder=1)

    def _draw_split(self, node: int, split: Split) -> None:
        room = self._room(self._depth_of(node))
        curves = split.columns[: int(np.clip(room / NARROWEST_CURVE, 1, MOST_CURVES))]
        slot = min(0.96 * room / max(len(curves), 1), WIDEST_CURVE)
        left, bottom = self._x(node) - slot * len(curves) / 2, self._bottom(node)
        height = self._top(node) - bottom
        self._draw_box(left, bottom, slot * len(curves), height)
        limit = _limit_of(curves)
        size = 7.0 if self.tree.depth <= 4 else 6.0
        letters = int(0.88 * slot * 72 / (0.56 * size))
        for i, curve in enumerate(curves):
            ax = self._axes(left + (i + 0.06) * slot, bottom + 0.19, 0.88 * slot, height - 0.44)
            draw_curve(ax, curve, limit, size, letters)

    def _draw_box(self, left: float, bottom: float, width: float, height: float) -> None:
        from matplotlib.patches import FancyBboxPatch

        style = "round,pad=0,rounding_size=0.06"
        box = FancyBboxPatch((left, bottom), width, height, boxstyle=style)
        box.set(facecolor="white", edgecolor=PALE, linewidth=1, zorder=2)
        self.canvas.add_patch(box)

    def _draw_leaves(self) -> None:
        x = np.array([self._x(len(self.tree.splits) + i) for i in range(len(self.tree.leaves))])
        ax = self._axes(0, BELOW_LEAVES, self.width, LEAVES - BELOW_LEAVES - 0.06)
        ax.set_xlim(0, self.width)
        draw_leaves(ax, self.tree, x, self._room(self.tree.depth))
        for place, leaf in zip(x, self.tree.leaves, strict=True):
            if leaf.share is not None:
                self._write(place, 0.46, percent(leaf.share), 8 if len(x) <= 16 else 6, ha="center")
        self._name_outputs(ax)

    def _name_outputs(self, ax: Axes) -> None:
        title = title_of_leaves(self.tree)
        if len(self.tree.outputs) == 1:
            self._write(self.width / 2, 0.18, title, 8.5, ha="center")
            return
        ax.legend(
            title=title,
            title_fontsize=8.5,
            loc="lower center",
            bbox_to_anchor=(0.5, 0.02 / self.height),
            bbox_transform=self.figure.transFigure,
            ncols=min(len(self.tree.outputs), 8),
            frameon=False,
            fontsize=8,
            handlelength=1,
            borderaxespad=0,
            borderpad=0,
        )

    def _draw_title(self) -> None:
        of_member = f" of member {self.tree.member}" if self.tree.member else ""
        top = self.height - 0.1
        style: dict[str, Any] = {"va": "top", "weight": "bold"}
        self._write(MARGIN, top, f"tree {self.tree.index}{of_member}", 11, **style)
        self._write(MARGIN, top - 0.26, "■ above the line: left", 8.5, color=DARK, **style)
        self._write(MARGIN, top - 0.46, "■ below: right", 8.5, color=LIGHT, **style)

    def _write(self, x: float, y: float, text: str, size: float, **style: Any) -> None:
        self.canvas.text(x, y, text, fontsize=size, **{"color": INK, **style})
