"""What a model says of a response besides its mean: all of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from softwood import _core

Floats = NDArray[np.float64]


class Distribution:
    """Each row's predicted distribution of one task's response.

    Made by ``predict_distribution(X)`` of an estimator or ``Model.distribution(data)``. The rows
    have been through the trees already, and what all questions need is kept: they cost only their
    answers.
    """

    def __init__(self, core: _core.Distribution) -> None:
        self._core = core

    @property
    def target(self) -> str:
        """The response's name."""
        return self._core.target

    @property
    def is_discrete(self) -> bool:
        """Whether the response is a whole number."""
        return self._core.is_discrete

    def __len__(self) -> int:
        return self._core.num_rows

    def __repr__(self) -> str:
        kind = "counts" if self.is_discrete else "numbers"
        return f"<distributions of {self.target!r} ({kind}), {len(self)} rows>"

    def mean(self) -> Floats:
        """Mean of each row's distribution."""
        return self._core.mean()

    def var(self) -> Floats:
        """Variance of each row's distribution."""
        return self._core.variance()

    def std(self) -> Floats:
        """Standard deviation of each row's distribution."""
        return np.sqrt(self.var())

    def median(self) -> Floats:
        """The same as ``quantile(0.5)``."""
        return self._core.quantile(0.5)

    def quantile(self, q: ArrayLike) -> Floats:
        """Smallest value that the response does not exceed with probability `q`.

        Parameters
        ----------
        q : float or array of floats
            Levels, above 0 and below 1.

        Returns
        -------
        array [rows], or [rows × levels] if `q` is an array.
        """
        levels = np.asarray(q, dtype=np.float64)
        if levels.ndim == 0:
            return self._core.quantile(float(levels))
        return self._stack([self._core.quantile(float(level)) for level in levels.ravel()])

    def interval(self, level: float = 0.9) -> tuple[Floats, Floats]:
        """Lower and upper ends between which the middle `level` of the probability lies."""
        return self._core.interval(level)

    def cdf(self, v: ArrayLike) -> Floats:
        """P(response ≤ v).

        Parameters
        ----------
        v : float, or array
            One value for all rows; an array [rows], one for each; or [rows × k].

        Returns
        -------
        array [rows], or [rows × k].
        """
        values = np.asarray(v, dtype=np.float64)
        if values.ndim == 0:
            return self._core.cdf(np.full(len(self), float(values)))
        if values.ndim == 1:
            return self._core.cdf(np.ascontiguousarray(values))
        if values.ndim == 2:
            return self._stack([self._core.cdf(np.ascontiguousarray(each)) for each in values.T])
        raise _core.Error(f"cdf got an array of {values.ndim} dimensions; give a number or 1 or 2.")

    def sample(self, n: int = 1, random_state: Any = None) -> Floats:
        """Draws `n` responses for each row.

        Parameters
        ----------
        n : int
            Draws per row.
        random_state : None, int, numpy.random.Generator or RandomState
            The same whole number gives the same draws, and those of
            ``softwood predict --sample N --seed S``.

        Returns
        -------
        array [rows × n]
        """
        if n < 0:
            raise _core.Error(f"n is {n}; it must be 0 or more.")
        seed = seed_of(random_state)
        return self._core.samples(seed, n)

    def _stack(self, columns: list[Floats]) -> Floats:
        if not columns:
            return np.empty((len(self), 0))
        return np.column_stack(columns)


def seed_of(random_state: Any) -> int:
    """A whole number as it is; one drawn from a generator, or from the machine's chance (None)."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**63))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)
