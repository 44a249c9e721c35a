"""Columns of X that only training reads: predictions do not ask for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from softwood.language.loss import Loss
from softwood.training import LossLike

_NAMED_BY = ("weight", "valid_column", "keep_together", "fold_column")


def training_columns(parameters: Mapping[str, Any], losses: Iterable[LossLike]) -> list[str]:
    """Those that parameters name, and those that a loss reads and no prediction of it does."""
    found = [parameters[name] for name in _NAMED_BY if parameters[name] is not None]
    for each in losses:
        if each is not None:
            found += _read_in_training(Loss(each))
    features = parameters["features"] or ()
    return [name for name in dict.fromkeys(found) if name not in features]


def _read_in_training(loss: Loss) -> list[str]:
    program = loss._program
    later = {*program.prediction_columns, *program.distribution_columns}
    return [name for place, name in enumerate(program.columns) if place not in later]
