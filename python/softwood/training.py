"""From a table to a model: the core's `train` with Python's manners."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from softwood import _core
from softwood.data import as_table
from softwood.foreign_names import with_hint
from softwood.language.loss import Loss, spec_of
from softwood.model import Model, load
from softwood.old_names import with_names_of_today
from softwood.progress import Callback, Listener, logger
from softwood.warnings import Warner

LossLike = str | Loss | Callable[..., Any] | None
TasksLike = str | Iterable[str] | Mapping[str, LossLike]


def train(
    data: Any,
    tasks: TasksLike | None = None,
    *,
    validation: Any = None,
    start_from: Model | str | os.PathLike[str] | None = None,
    add_trees: int | None = None,
    task_weight: Mapping[str, float] | None = None,
    stop_weight: Mapping[str, float] | None = None,
    callbacks: Iterable[Callback] = (),
    verbose: bool | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: int | None = None,
    checkpoint_minutes: float | None = None,
    resume: bool = False,
    **options: Any,
) -> Model:
    """Learns a model from a table that holds the responses too.

    Parameters
    ----------
    data : table
        Anything that `softwood.as_table` takes.
    tasks : dict, list of str or str
        Responses and their losses: ``{"casual": "poisson", "holiday": "logistic"}``. A loss is a
        name of the catalogue, a formula, a function of y and f, or a `softwood.Loss`; None, or a
        list of names alone, chooses by the response. Those of `start_from` need not be said again.
    validation : table, optional
        Rows to stop early on; without it they are split off `data`.
    start_from : Model or path, optional
        A finished model to train on, instead of a new one: docs/warm_start.md.
    add_trees : int, optional
        With `start_from`: leave its trees as they are, and add so many that learn what they leave.
    task_weight, stop_weight : dict, optional
        How much a task counts in the splits that it shares, and when shared trees stop.
    callbacks : functions of an `Epoch`
        Called after each epoch; True stops. Exceptions stop, too, and are raised.
    verbose : bool, optional
        A progress bar; None: if there is a terminal or notebook to show it.
    checkpoint : path, optional
        Where training stands, written as it goes, every `checkpoint_minutes` (5) or every
        `checkpoint_every` epochs.
    resume : bool
        Go on from `checkpoint`, to the same model as without a break; from the start if there is
        none.
    **options
        As the command line's, with underscores; docs/parameters.md lists them.

    Returns
    -------
    Model
        After Ctrl-C, or an exception of a callback, the best model so far is the exception's
        attribute ``model``.

    Warns
    -----
    DataWarning
        Of what looks like a mistake in the table.
    """
    options = checked_options(options)
    start = start_from if start_from is None or isinstance(start_from, Model) else load(start_from)
    model, failure = train_until_stopped(
        as_table(data),
        None if validation is None else as_table(validation),
        _tasks_to_learn(tasks, start, task_weight, stop_weight),
        options,
        callbacks,
        verbose,
        checkpoint_options(checkpoint, checkpoint_every, checkpoint_minutes, resume),
        start,
        add_trees,
    )
    if failure is not None:
        failure.model = model  # type: ignore[attr-defined]
        raise failure
    return model


def train_until_stopped(
    table: _core.Table,
    validation: _core.Table | None,
    tasks: list[dict[str, Any]],
    options: dict[str, Any],
    callbacks: Iterable[Callback],
    verbose: bool | None,
    checkpoint: Mapping[str, Any],
    start_from: Model | None = None,
    add_trees: int | None = None,
) -> tuple[Model, BaseException | None]:
    """The model and what ended its training early, if anything did."""
    if add_trees is not None and add_trees < 1:
        raise _core.Error("add_trees counts trees: 1 or more.")
    targets = [task["target"] for task in tasks or (start_from.tasks if start_from else [])]
    listener = Listener(targets, callbacks, verbose)
    try:
        core, failure = _core.train(
            table,
            validation,
            tasks,
            options,
            None if start_from is None else start_from._core,
            add_trees or 0,
            dict(checkpoint),
            listener.on_progress,
            listener.on_epoch,
            logger.info,
            Warner(),
        )
    finally:
        listener.close()
    return Model(core), failure


def _tasks_to_learn(
    tasks: TasksLike | None,
    start: Model | None,
    task_weight: Mapping[str, float] | None,
    stop_weight: Mapping[str, float] | None,
) -> list[dict[str, Any]]:
    """None: those of the model to start from."""
    if tasks is not None:
        return task_list(tasks, task_weight, stop_weight)
    if start is None:
        raise _core.Error("nothing to learn: name the responses, tasks={'visits': 'poisson'}.")
    if task_weight or stop_weight:
        raise _core.Error("task_weight and stop_weight belong to tasks: name them, too.")
    return []


def checkpoint_options(
    path: str | os.PathLike[str] | None,
    every_epochs: int | None = None,
    every_minutes: float | None = None,
    resume: bool = False,
) -> dict[str, Any]:
    """Checkpoints as the core takes them."""
    if path is None:
        if resume or every_epochs is not None or every_minutes is not None:
            raise _core.Error("checkpoint=FILE is needed: where training stands.")
        return {}
    if every_epochs is not None and every_minutes is not None:
        raise _core.Error("give checkpoint_every (epochs) or checkpoint_minutes, not both.")
    if every_epochs is not None and every_epochs < 1:
        raise _core.Error("checkpoint_every counts epochs: 1 or more.")
    given = {
        "path": os.fspath(path),
        "every_epochs": every_epochs,
        "every_minutes": every_minutes,
        "resume": resume,
    }
    return {name: value for name, value in given.items() if value is not None}


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options by today's names, which are all known."""
    options = with_names_of_today(options)
    known = [option["name"] for option in _core.options()]
    for name in options:
        if name not in known:
            raise _core.Error(with_hint(f"there is no option {name!r}", name, known))
    return options


def task_list(
    tasks: TasksLike,
    task_weight: Mapping[str, float] | None = None,
    stop_weight: Mapping[str, float] | None = None,
) -> list[dict[str, Any]]:
    """Tasks as the core takes them."""
    losses = loss_of_each(tasks)
    for name, weights in (("task_weight", task_weight), ("stop_weight", stop_weight)):
        for target in weights or {}:
            if target not in losses:
                raise _core.Error(f"{name}: {target!r} is no target; they are {list(losses)}.")
    return [
        {
            "target": target,
            "loss": spec_of(loss),
            "weight": (task_weight or {}).get(target),
            "stop_weight": (stop_weight or {}).get(target),
        }
        for target, loss in losses.items()
    ]


def loss_of_each(tasks: TasksLike) -> dict[str, LossLike]:
    """Targets and their losses, in order."""
    if isinstance(tasks, str):
        return {tasks: None}
    if isinstance(tasks, Mapping):
        return dict(tasks)
    return dict.fromkeys(tasks)
