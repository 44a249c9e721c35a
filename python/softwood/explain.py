"""A look into a model: which columns it rests on, what its trees look like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from softwood import _core
from softwood.model import Model

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """What one column adds to the score of a split, in the user's units.

    ``kind`` is "curve" (``values`` at ``edges``, linear between, constant beyond), "levels"
    (``values`` of ``levels``, and ``other``) or "linear" (``slope · (x − centre)``). ``missing`` is
    added for a missing cell. ``part`` is that of a date ("time", in days since 1970, "weekday", …).
    ``strength`` is the standard deviation of what the column adds.
    """

    column: str
    part: str
    kind: str
    edges: Floats
    levels: tuple[str, ...]
    values: Floats
    slope: float
    centre: float
    other: float
    missing: float
    strength: float

    @property
    def name(self) -> str:
        """``age`` or ``arrival.weekday``."""
        return f"{self.column}.{self.part}" if self.part else self.column


@dataclass(frozen=True)
class Split:
    """Sends a row left with probability S(bias + what each column adds)."""

    bias: float
    columns: tuple[Curve, ...]  # the strongest first
    share: float | None  # of the rows that come here; without rows None


@dataclass(frozen=True)
class Leaf:
    """What a tree adds to each of its outputs, in the output's units."""

    values: Floats
    share: float | None


@dataclass(frozen=True)
class Output:
    """A raw output: offset + the sum over all trees. ``label``: the class it speaks for, or ""."""

    task: str
    name: str
    label: str
    offset: float


@dataclass(frozen=True)
class Tree:
    """One tree. Splits are in breadth-first order: 2i + 1 is left of i, 2i + 2 right of it."""

    member: int
    index: int
    depth: int
    activation: str
    gamma: float
    outputs: tuple[Output, ...]
    splits: tuple[Split, ...]
    leaves: tuple[Leaf, ...]


def model_of(model: Any) -> Model:
    """The model itself, or that of a fitted estimator."""
    found = getattr(model, "model_", model)
    if isinstance(found, Model):
        return found
    raise _core.Error(
        f"{type(model).__name__} is no fitted model; give a softwood.Model or a fitted estimator."
    )


def importances(
    model: Any, data: Any, *, max_rows: int = 8000, seed: int = 0, threads: int = 0
) -> dict[str, float] | dict[str, dict[str, float]]:
    """The share of the predictions' variance that is lost when a column is not known.

    The total Sobol index (Jansen's estimator over pairs of rows) on the scale of the raw outputs,
    scaled to sum to 1; all 0 if the predictions are the same for every row. Interactions count for
    each of their columns, and of columns that say the same each has what the trees make of it.

    Parameters
    ----------
    model : Model or fitted estimator
    data : table
        Rows like those that are to be predicted; no response is needed.
    max_rows : int
        Pairs of rows to compare; the error of a share falls with the root of it.
    seed : int
        Which pairs.
    threads : int
        0 = as many as the process may use; changes no result.

    Returns
    -------
    dict
        Column → share; of several tasks, target → column → share.
    """
    shares = importances_by_task(model, data, max_rows=max_rows, seed=seed, threads=threads)
    return shares if len(shares) > 1 else next(iter(shares.values()))


def importances_by_task(
    model: Any, data: Any, *, max_rows: int = 8000, seed: int = 0, threads: int = 0
) -> dict[str, dict[str, float]]:
    """The same, target → column → share also for one task."""
    found = model_of(model)
    result = _core.importances(found._core, found._table(data), max_rows, seed, threads)
    shares = [dict(zip(result.columns, each, strict=True)) for each in result.shares]
    return dict(zip(result.tasks, shares, strict=True))


def tree(model: Any, index: int, data: Any = None, *, member: int = 0) -> Tree:
    """One tree, to read or to draw.

    Parameters
    ----------
    model : Model or fitted estimator
    index : int
        Among the member's trees, from 0.
    data : table, optional
        Rows to send through the tree: they decide the shares and the columns' strengths. Without
        them there are no shares, and strengths are over the curves themselves.
    member : int
        Of a model of several, from 0.
    """
    found = model_of(model)
    table = None if data is None else found._table(data)
    if index < 0 or member < 0:
        raise _core.Error(f"tree {index} of member {member}: both are counted from 0.")
    view = _core.tree_view(found._core, index, member, table)
    return Tree(
        member=view.member,
        index=view.index,
        depth=view.depth,
        activation=view.activation,
        gamma=view.gamma,
        outputs=tuple(
            Output(each.task, each.name, each.label, each.offset) for each in view.outputs
        ),
        splits=tuple(
            Split(each.bias, tuple(map(_curve, each.columns)), each.share) for each in view.splits
        ),
        leaves=tuple(Leaf(each.values, each.share) for each in view.leaves),
    )


def _curve(view: _core.ColumnCurve) -> Curve:
    return Curve(
        column=view.column,
        part=view.part,
        kind=view.kind.name,
        edges=view.edges,
        levels=tuple(view.levels),
        values=view.values,
        slope=view.slope,
        centre=view.centre,
        other=view.other,
        missing=view.missing,
        strength=view.strength,
    )
