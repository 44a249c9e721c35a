"""Which loss fits? Several of them, trained alike and judged on rows that none has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from softwood import _core
from softwood._core import ColumnsFor, ComparedLoss, Table
from softwood.data import as_table
from softwood.language.loss import Loss, spec_of
from softwood.model import Model
from softwood.progress import Listener, logger
from softwood.training import checked_options
from softwood.warnings import Warner

AnyLoss = str | Loss | Callable[..., Any]
LossesLike = Sequence[AnyLoss] | Mapping[str, AnyLoss]


class Comparison:
    """What `softwood.compare` found: a row per loss, the best first.

    Printed, it is the table of ``softwood compare``. `len`, iteration and ``comparison["zip"]`` go
    by loss; each has ``loss``, ``nll``, ``evaluation`` (with ``metrics``), ``num_trees``,
    ``seconds``, and ``failure`` if it could not be trained.
    """

    def __init__(self, core: _core.Comparison) -> None:
        self._core = core

    @property
    def target(self) -> str:
        """The response."""
        return self._core.target

    @property
    def losses(self) -> list[ComparedLoss]:
        """By likelihood; then those without one; then those that failed."""
        return self._core.losses

    @property
    def best(self) -> ComparedLoss:
        """The first: of the likeliest, if any loss is a likelihood."""
        return self.losses[0]

    @property
    def models(self) -> dict[str, Model]:
        """The models by loss; they have not seen the rows held out."""
        return {each.loss: Model(each.model) for each in self if each.model is not None}

    @property
    def table(self) -> Table:
        """A row per loss: loss, chosen (by `count`), nll, rows, every metric, trees, seconds,
        failure."""
        return self._core.table()

    def to_pandas(self) -> Any:
        """The table as a frame with the losses as its index."""
        return self.table.to_pandas().set_index("loss")

    def __len__(self) -> int:
        return len(self.losses)

    def __iter__(self) -> Iterator[ComparedLoss]:
        return iter(self.losses)

    def __getitem__(self, loss: str) -> ComparedLoss:
        for each in self:
            if each.loss == loss:
                return each
        raise KeyError(f"{loss!r} is none of {[each.loss for each in self]}")

    def __repr__(self) -> str:
        return self._core.text()


def compare(
    data: Any,
    target: str,
    losses: LossesLike,
    *,
    test: Any = None,
    validation: Any = None,
    held_out: float = 0.2,
    verbose: bool | None = None,
    **options: Any,
) -> Comparison:
    """Trains several losses alike and judges each on rows that none has seen.

    Parameters
    ----------
    data : table
        Anything that `softwood.as_table` takes, with the response.
    target : str
        The response's column.
    losses : list or dict
        Names, formulas, functions or `softwood.Loss`; a dict gives them names.
    test : table, optional
        Rows to judge on, instead of holding some out.
    validation : table, optional
        Rows to stop early on, instead of splitting them off those that train.
    held_out : float
        Part of the rows with a response that is held out; `seed` draws them, and
        `keep_together` names a column whose values are not divided.
    verbose : bool, optional
        A progress bar; None: if there is a terminal or notebook to show it.
    **options
        As `softwood.train`. A column that one of the losses reads is a feature for none of them.

    Returns
    -------
    Comparison
        After Ctrl-C, what there is so far is the exception's attribute ``comparison``.

    Warns
    -----
    DataWarning
        If a loss could not be trained; its ``failure`` says why. If none could: `softwood.Error`.
    """
    named = _named(losses)
    options = checked_options(options)
    watch = _Watch(target, verbose)
    try:
        core, interruption = _core.compare(
            as_table(data),
            target,
            [spec_of(loss) for loss in named.values()],
            list(named),
            options,
            held_out,
            _reader(test),
            None if validation is None else as_table(validation),
            watch.on_loss,
            watch.on_progress,
            logger.info,
            watch.warn,
        )
    finally:
        watch.close()
    comparison = Comparison(core)
    if interruption is not None:
        interruption.comparison = comparison  # type: ignore[attr-defined]
        raise interruption
    _tell_failures(comparison, watch.warn)
    return comparison


def hold_out(
    data: Any,
    fraction: float = 0.2,
    *,
    seed: int = 0,
    keep_together: str | None = None,
    target: str | None = None,
) -> tuple[Table, Table]:
    """Two tables, to train on and to test on: `fraction` of the rows, drawn at random, is the
    second one.

    Rows with the same value of the column `keep_together` stay on one side; rows without a value
    of `target` are on neither. With the target and the same seed these are the rows that
    `softwood.compare` holds out.
    """
    parts = _core.hold_out(as_table(data), fraction, seed, keep_together or "", target or "")
    return parts.training, parts.test


class _Watch:
    """A progress bar for each loss, and each warning once."""

    def __init__(self, target: str, verbose: bool | None) -> None:
        self._target, self._verbose = target, verbose
        self._bar: Listener | None = None
        self.warn = Warner()

    def on_loss(self, name: str) -> None:
        self.close()
        logger.info("comparing: %s", name)
        self._bar = Listener([self._target], (), self._verbose)

    def on_progress(self, progress: _core.Progress) -> bool:
        return self._bar is not None and self._bar.on_progress(progress)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


def _named(losses: LossesLike) -> dict[str, AnyLoss]:
    """Losses by the names that they have in the comparison."""
    if isinstance(losses, Mapping):
        return dict(losses)
    if isinstance(losses, str) or callable(losses):
        raise _core.Error('losses must be a list or a dict: ["poisson", "nb"].')
    named: dict[str, AnyLoss] = {}
    for loss in losses:
        name = loss if isinstance(loss, str) else Loss(loss).name
        if name in named:
            raise _core.Error(f"{name!r} is twice among the losses; a dict gives them names.")
        named[name] = loss
    return named


def _reader(test: Any) -> Callable[[_core.Model], Table] | None:
    """The rows to judge on, as a model reads them."""
    if test is None:
        return None
    return lambda core: Model(core)._table(test, ColumnsFor.evaluation)


def _tell_failures(comparison: Comparison, warn: Warner) -> None:
    failed = [each for each in comparison if each.failure]
    reasons = "".join(f"\n  {each.loss}: {each.failure}" for each in failed)
    if failed and len(failed) == len(comparison):
        raise _core.Error(f"none of the losses could be trained.{reasons}")
    if failed:
        warn(f"{len(failed)} of {len(comparison)} losses failed.{reasons}")
