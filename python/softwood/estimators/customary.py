"""Parameters that scikit-learn's tools know by their own names, and names that others use."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Mapping
from numbers import Integral
from typing import Any, TypeVar

import numpy as np

from softwood._core import Error
from softwood.distribution import seed_of
from softwood.foreign_names import with_hint
from softwood.old_names import with_names_of_today

RandomState = int | np.random.Generator | np.random.RandomState | None
ClassWeight = Mapping[Any, float] | str | None
AnyClass = TypeVar("AnyClass", bound=type)
# What is no option of the core.
_NOT_OPTIONS = {
    *("loss", "tasks", "task_weight", "stop_weight", "class_weight"),
    *("random_state", "n_jobs", "verbose", "warm_start"),
    *("checkpoint", "checkpoint_every", "checkpoint_minutes", "resume"),
}


def core_options(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a training that an estimator's parameters mean."""
    options = {name: value for name, value in parameters.items() if name not in _NOT_OPTIONS}
    options["seed"] = _seed(parameters)
    options["threads"] = threads(parameters)
    return options


def _seed(parameters: Mapping[str, Any]) -> Any:
    if parameters["random_state"] is None:
        return parameters["seed"]
    _refuse_both(parameters, "seed", "random_state")
    state = parameters["random_state"]
    if not isinstance(state, (Integral, np.random.Generator, np.random.RandomState)):
        raise Error(f"random_state is {state!r}; it must be a whole number or a NumPy generator.")
    return seed_of(state)


def threads(parameters: Mapping[str, Any]) -> Any:
    """0: as many as the machine has."""
    jobs = parameters["n_jobs"]
    if jobs is None:
        return parameters["threads"]
    _refuse_both(parameters, "threads", "n_jobs")
    if not isinstance(jobs, Integral) or jobs == 0:
        raise Error(f"n_jobs is {jobs!r}; give a number of threads, or -1 for all that there are.")
    count = int(jobs)
    if count < -1:  # -2: all but one
        return max(1, (os.cpu_count() or 1) + 1 + count)
    return 0 if count == -1 else count


def _refuse_both(parameters: Mapping[str, Any], ours: str, customary: str) -> None:
    if parameters[ours]:
        raise Error(f"{ours} and {customary} mean the same; give one of them.")


def names_explained(cls: AnyClass) -> AnyClass:
    """The class, whose constructor answers other libraries' names with ours and takes old
    ones."""
    constructor = cls.__init__  # type: ignore[misc]
    known = list(inspect.signature(cls).parameters)

    @functools.wraps(constructor)
    def explain(self: Any, *values: Any, **named: Any) -> None:
        named = with_names_of_today(named)
        for name in named:
            if name not in known:
                problem = f"{cls.__name__} has no parameter {name!r}"
                raise TypeError(with_hint(problem, name, known))
        constructor(self, *values, **named)

    cls.__init__ = explain  # type: ignore[misc]
    return cls
