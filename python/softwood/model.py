"""A trained model: raw rows in, named predictions out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from softwood import _core
from softwood._core import ColumnsFor, Evaluation, Table
from softwood.data import as_table
from softwood.distribution import Distribution
from softwood.warnings import Warner

if TYPE_CHECKING:
    from softwood.explain import Tree


class Model:
    """A trained model: encoder, trees, losses. Made by `softwood.train`, `softwood.load` or an
    estimator (its ``model_``). The same file serves Python, C++ and the command line.

    Immutable: any number of threads may use it at once. Tables may be anything that
    `softwood.as_table` takes; columns are found by name.
    """

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model:
        """Reads a model file."""
        return Model(_core.Model.load(os.fspath(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes one file in the safetensors layout; all of it or, after an error, nothing."""
        self._core.save(os.fspath(path))

    def __getstate__(self) -> dict[str, bytes]:
        return {"file": self._core.to_bytes()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        self._core = _core.Model.from_bytes(state["file"])

    def predict(
        self,
        data: Any,
        *,
        quantiles: Sequence[float] = (),
        interval: float | Sequence[float] = (),
        prob_above: float | Sequence[float] = (),
        sample: int = 0,
        seed: int = 0,
        moments: bool = False,
        on_error: str = "stop",
        threads: int = 0,
    ) -> Table:
        """All that the losses name for each row, and what is asked of their distributions.

        Parameters
        ----------
        data : table
            With the columns that the model learned from; or the path of a file.
        quantiles, interval, prob_above, sample, seed, moments
            As ``softwood predict --help`` says: columns ``quantile_0.9``, ``lower_0.9`` and
            ``upper_0.9``, ``above_3``, ``sample_1``, ``mean``, ``sd`` and ``variance``.
        on_error : {"stop", "missing", "skip"}
            What becomes of a cell that is no number or date where one is needed, and of a row of a
            file with too few or too many cells: an error; a missing cell; no prediction of that
            row, so that there are fewer. The last two warn, once.
        threads : int
            0 = as many as the process may use; changes no result.

        Returns
        -------
        Table
            Of several tasks, the columns are called TARGET.NAME.

        Warns
        -----
        DataWarning
            If a distribution is asked for and only some tasks have one.
        """
        table = self._table(data, ColumnsFor.distributions, on_error=on_error)
        return self._core.predict(
            table,
            quantiles=_floats(quantiles),
            intervals=_floats(interval),
            prob_above=_floats(prob_above),
            samples=sample,
            seed=seed,
            moments=moments,
            threads=threads,
            on_note=Warner(),
        )

    def distribution(self, data: Any, task: str | None = None, *, threads: int = 0) -> Distribution:
        """Each row's distribution of a task's response (default: the first that has one)."""
        table = self._table(data, ColumnsFor.distributions)
        return Distribution(self._core.distribution(table, task or "", threads))

    def evaluate(
        self, data: Any, *, on_error: str = "stop", threads: int = 0
    ) -> dict[str, Evaluation]:
        """Metrics, calibration and PIT of every task whose response is in the table, by target."""
        table = self._table(data, ColumnsFor.evaluation, on_error=on_error)
        return {each.task: each for each in self._core.evaluate(table, threads)}

    def predict_out_of_fold(self, data: Any, *, threads: int = 0) -> Table:
        """Of the table that several members were just trained on: each row by the member that has
        not learned from it. A file does not keep which rows those were."""
        return self._core.predict_out_of_fold(self._table(data), threads)

    def importances(
        self, data: Any, *, max_rows: int = 8000, seed: int = 0, threads: int = 0
    ) -> dict[str, float] | dict[str, dict[str, float]]:
        """Column → share of the predictions' variance that is lost without it; of several tasks,
        target → column → share. See `softwood.explain.importances`."""
        from softwood import explain

        return explain.importances(self, data, max_rows=max_rows, seed=seed, threads=threads)

    def tree(self, index: int, data: Any = None, *, member: int = 0) -> Tree:
        """One tree, to read: its splits with their curves, its leaves. See `softwood.explain.tree`;
        `softwood.plots.tree` draws it."""
        from softwood import explain

        return explain.tree(self, index, data, member=member)

    def describe(self) -> str:
        """What it is, for people: tasks, losses, trees, every column of the encoder."""
        return self._core.describe()

    @property
    def tasks(self) -> list[dict[str, Any]]:
        """Per task: target, loss, its text, labels, outputs with their offsets and units."""
        return self._core.tasks

    @property
    def features(self) -> list[str]:
        """The columns that the trees read."""
        return self._core.features

    @property
    def history(self) -> Table:
        """How the training went, a row per epoch.

        Columns: `epoch`, `learning_rate`, `training_loss`, `validation_loss` (of the trees as they
        were after the epoch), `best_validation_loss` (of the model that would have been kept then),
        `best_epoch` (the last one that that model had trees of), `best` (1: it was this one),
        `seconds`; losses of several tasks are `training_loss.TARGET` and so on. Several members are
        trained in step and have one history: validation losses are those of all rows, each by the
        member that has not learned from it. (In files of format 4 and older each has its own, and
        there is a column `member`.) The last row is the model that is kept. A model from a
        file knows it too, but for the `seconds`, which are missing: a file tells of no clock. Files
        of format 3, from before they kept it, have no rows.
        """
        return self._core.history()

    @property
    def nodes_visited(self) -> list[float]:
        """At every level of a tree, how many splits a row reaches with a probability above zero.

        The mean over trees and validation rows (training rows if there were none), as found when
        the training ended; at most 1, 2, 4, … Empty for logistic trees, which every row passes
        through as a whole, and in models from before files told of it.
        """
        return self._core.nodes_visited

    def __repr__(self) -> str:
        tasks = ", ".join(f"{task['target']} ({task['loss']})" for task in self.tasks)
        members = f"{self._core.num_members} × " if self._core.num_members > 1 else ""
        columns = len(self.features)
        return (
            f"<softwood.Model of {tasks}: {members}{self._core.num_trees} trees on {columns} "
            f"column{'' if columns == 1 else 's'}>"
        )

    def _table(
        self,
        data: Any,
        purpose: ColumnsFor = ColumnsFor.predictions,
        *,
        on_error: str = "stop",
    ) -> Table:
        if isinstance(data, Table) and self._core.reads_as_it_is(data, purpose):
            return data
        return as_table(data, read_as=self._core.read_as(purpose), on_error=on_error)


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model file, from wherever it comes: Python, C++ or the command line."""
    return Model.load(path)


def _floats(values: float | Sequence[float]) -> list[float]:
    return [float(values)] if isinstance(values, (int, float)) else [float(v) for v in values]
