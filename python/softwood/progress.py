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
    several tasks, a dict by target. `validation_loss` is None without validation rows."""

    epoch: int
    epochs: int
    member: int
    members: int
    learning_rate: float
    training_loss: float | dict[str, float]
    validation_loss: float | dict[str, float] | None
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
        if self._bar is not None and result.validation_loss:
            losses = self._by_task(result.validation_loss)
            shown = losses if isinstance(losses, dict) else {"validation": losses}
            self._bar.set_postfix({name: f"{loss:.4g}" for name, loss in shown.items()})
        epoch = Epoch(
            epoch=result.epoch,
            epochs=progress.epochs,
            member=result.member,
            members=progress.members,
            learning_rate=result.learning_rate,
            training_loss=self._by_task(result.training_loss),
            validation_loss=self._by_task(result.validation_loss)
            if result.validation_loss
            else None,
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
