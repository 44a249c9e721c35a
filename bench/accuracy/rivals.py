"""The rivals by name: a library as it comes, lightly tuned (`_tuned`), or five folds (`_five`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd

from bench.accuracy.boosters import (
    fit_catboost,
    fit_hist_gradient_boosting,
    fit_lightgbm,
    fit_xgboost,
)
from bench.accuracy.fitting import Fit, Trained, fit_again, fit_folds, fit_split
from bench.accuracy.problem import problem_of
from bench.accuracy.scores import coded_error
from bench.accuracy.spaces import SPACES, draw
from bench.accuracy.splits import Split

FITS: dict[str, Fit] = {
    "xgboost": fit_xgboost,
    "lightgbm": fit_lightgbm,
    "catboost": fit_catboost,
    "hist_gradient_boosting": fit_hist_gradient_boosting,
}
TUNING_TRIALS = 15


@dataclass
class Outcome:
    """`predicted` as `scores.error` takes it; `size` counts rounds (ours: trees), `bytes` the
    model file where there is one; `seconds` are the processor's."""

    predicted: np.ndarray | pd.DataFrame
    seconds: float
    size: int
    bytes: int = 0


def as_it_comes(fit: Fit, split: Split, seed: int) -> Outcome:
    return outcome_of(fit_split(fit, split, seed))


def five(fit: Fit, split: Split, seed: int) -> Outcome:
    return outcome_of(fit_folds(fit, split, seed))


def refit(fit: Fit, split: Split, seed: int) -> Outcome:
    return outcome_of(fit_again(fit, split, seed))


def tuned(name: str, split: Split, seed: int) -> Outcome:
    """Best on the validation rows of the untuned settings and 15 random draws."""
    problem, test = problem_of(split, seed)
    generator = np.random.default_rng(seed)
    trials = [{}, *(draw(SPACES[name], generator) for _ in range(TUNING_TRIALS))]
    best, least = None, np.inf
    began = time.process_time()
    for settings in trials:
        fitted = FITS[name](problem, settings)
        found = coded_error(problem.kind, problem.valid.y, fitted.predict(problem.valid))
        if found < least:
            best, least = fitted, found
    seconds = time.process_time() - began
    if best is None:
        raise RuntimeError(f"{name}: no trial gave a finite error")
    return outcome_of(Trained(problem, best.predict(test), seconds, best.rounds))


def outcome_of(trained: Trained) -> Outcome:
    problem, predicted = trained.problem, trained.predicted
    if problem.is_classes:
        predicted = pd.DataFrame(predicted, columns=problem.labels)
    return Outcome(predicted, trained.seconds, trained.rounds)


RIVALS: dict[str, Callable[[Split, int], Outcome]] = {
    **{name: partial(as_it_comes, fit) for name, fit in FITS.items()},
    **{f"{name}_tuned": partial(tuned, name) for name in SPACES},
    **{f"{name}_five": partial(five, fit) for name, fit in FITS.items()},
}
