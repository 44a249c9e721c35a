"""What people see while a model is trained, and what they may do then."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from softwood._core import EpochResult, Progress

logger = logging.getLogger("softwood")


@dataclass(frozen=True)
class Epoch:
    """What a callback is told after each epoch. Losses are means per row, in the user's units; of
    several tasks, a dict by target. `validation_loss` is that of the trees as they are now,
    `best_validation_loss` that of the model that would be kept now, whose last trees are of the
    epoch `best_epoch`; `best`: that is this one. Without validation rows both are None, and the
    last epoch is the best. Several `members` are trained in step: their epochs are the same, and
    `member` is always 1."""

    epoch: int
    epochs: int
    member: int
    members: int
    learning_rate: float
    training_loss: float | dict[str, float]
    validation_loss: float | dict[str, float] | None
    best_validation_loss: float | dict[str, float] | None
    best_epoch: int
    best: bool
    seconds: float


Callback = Callable[[Epoch], object]


class Listener:
    """Passes what the core tells on to the bar and the callbacks."""

    def __init__(
        self, targets: list[str], callbacks: Iterable[Callback], verbose: bool | None
    ) -> None:
        self._targets = targets
        self._callbacks = list(callbacks)
        self._bar = _make_bar(verbose)

    def on_progress(self, progress: Progress) -> bool:
        if self._bar is not None:
            self._bar.n = round(1000 * progress.fraction)
            self._bar.refresh()
        return False

    def on_epoch(self, progress: Progress, result: EpochResult) -> bool:
        if self._bar is not None:
            self._bar.set_postfix_str(f"{_place(progress)}  {result.text}")
        epoch = Epoch(
            epoch=result.epoch,
            epochs=progress.epochs,
            member=result.member,
            members=progress.members,
            learning_rate=result.learning_rate,
            training_loss=self._by_task(result.training_loss),
            validation_loss=self._by_task_if_any(result.validation_loss),
            best_validation_loss=self._by_task_if_any(result.best_validation_loss),
            best_epoch=result.best_epoch,
            best=result.best,
            seconds=result.seconds,
        )
        # every callback hears of every epoch, also when an earlier one says stop
        return any([callback(epoch) is True for callback in self._callbacks])

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def _by_task(self, losses: list[float]) -> float | dict[str, float]:
        if len(self._targets) == 1:
            return losses[0]
        return dict(zip(self._targets, losses, strict=True))

    def _by_task_if_any(self, losses: list[float]) -> float | dict[str, float] | None:
        return self._by_task(losses) if losses else None


def _place(progress: Progress) -> str:
    epoch = f"epoch {progress.epoch}/{progress.epochs}"
    several = f"{progress.members} members, " if progress.members > 1 else ""
    return several + epoch


def _make_bar(verbose: bool | None) -> Any:
    """A tqdm bar, if somebody can see it (`verbose` None) or wants it (True)."""
    if verbose is False or (verbose is None and not _is_watched()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(
        total=1000,
        desc="training",
        leave=False,
        bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}",
    )


def _is_watched() -> bool:
    in_notebook = "ipykernel" in sys.modules
    return in_notebook or (sys.stderr is not None and sys.stderr.isatty())
