"""The methods by name: one softwood model of all tasks, or a model per task, ours or XGBoost's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bench.tasks.joint import learn_joint, learn_shared
from bench.tasks.learned import Learned
from bench.tasks.one_task import learn_softwood, learn_xgboost
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task


@dataclass(frozen=True)
class Method:
    """`learn(split, seed, tasks)`; `joint`: all tasks at once, else it is given one at a time."""

    learn: Callable[[JointSplit, int, tuple[Task, ...]], Learned]
    joint: bool
    is_ours: bool = True


def variant(arguments: list[str], per_task: bool) -> Method:
    """Softwood with more options."""
    learn = learn_softwood if per_task else learn_joint
    return Method(partial(learn, tuple(arguments)), joint=not per_task)


SHARES = ("hard", "soft", "none", "partly")
METHODS = {
    "single": variant([], per_task=True),
    **{share: Method(partial(learn_shared, share), joint=True) for share in SHARES},
    "xgboost": Method(learn_xgboost, joint=False, is_ours=False),
}
