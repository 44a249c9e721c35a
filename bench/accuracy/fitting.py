"""Ways to fit a booster to a split: stopped by the validation rows, by folds, or fitted again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench.accuracy.boosters import Fitted, Settings
from bench.accuracy.problem import Problem, Reader, fold_problems, problem_of, whole_problem
from bench.accuracy.splits import Split

Fit = Callable[[Problem, Settings], Fitted]


@dataclass
class Trained:
    """`predicted`: of the test rows, as `Fitted.predict` gives it; `seconds`: the processor's;
    `rounds`: of all the models together."""

    problem: Problem
    predicted: np.ndarray
    seconds: float
    rounds: int


def fit_split(fit: Fit, split: Split, seed: int, reader: type[Reader] = Reader) -> Trained:
    """One model of the train rows, stopped by the validation rows."""
    problem, test = problem_of(split, seed, reader)
    began = time.process_time()
    model = fit(problem, {})
    seconds = time.process_time() - began
    return Trained(problem, model.predict(test), seconds, model.rounds)


def fit_folds(fit: Fit, split: Split, seed: int, reader: type[Reader] = Reader) -> Trained:
    """A model per fold of the 80 % known rows, stopped by that fold; predictions averaged."""
    problems, test = fold_problems(split, seed, reader)
    began = time.process_time()
    models = [fit(problem, {}) for problem in problems]
    seconds = time.process_time() - began
    predicted = np.mean([model.predict(test) for model in models], axis=0)
    return Trained(problems[0], predicted, seconds, sum(model.rounds for model in models))


def fit_again(fit: Fit, split: Split, seed: int, reader: type[Reader] = Reader) -> Trained:
    """As many rounds as the validation rows ask for, then so many on the 80 % known rows."""
    stopped, _ = problem_of(split, seed, reader)
    whole, test = whole_problem(split, seed, reader)
    began = time.process_time()
    rounds = fit(stopped, {}).rounds
    model = fit(whole, {"iterations": rounds})
    seconds = time.process_time() - began
    return Trained(whole, model.predict(test), seconds, model.rounds)
