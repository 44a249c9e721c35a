"""The methods by name: one model of all tasks or a model per task, ours or a rival's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bench.accuracy.fitting import fit_again, fit_folds, fit_split
from bench.accuracy.ours import Ours
from bench.accuracy.rivals import as_it_comes, five, refit
from bench.tasks.joint import learn_joint
from bench.tasks.learned import Learned
from bench.tasks.multi_task import fit_catboost_multi, fit_xgboost_multi, learn_multi
from bench.tasks.one_task import learn_booster, learn_softwood
from bench.tasks.plain import learn_forest, learn_ridge
from bench.tasks.splits import JointSplit
from bench.tasks.tables import Task, TaskTable


def any_table(table: TaskTable) -> bool:
    return True


@dataclass(frozen=True)
class Method:
    """`learn(split, seed, tasks)`; `joint`: all tasks at once, else it is given one at a time;
    `suits`: whether there is a model of this kind for a table."""

    learn: Callable[[JointSplit, int, tuple[Task, ...]], Learned]
    joint: bool
    is_ours: bool = True
    suits: Callable[[TaskTable], bool] = any_table


def variant(arguments: list[str], per_task: bool = False, joined: bool = False) -> Method:
    """Softwood with more options; `joined`: train and validation rows in one file."""
    learn = learn_softwood if per_task else learn_joint
    ours = Ours(tuple(arguments), "joined" if joined else "split")
    return Method(partial(learn, ours), joint=not per_task)


def _of_one_kind(table: TaskTable) -> bool:
    return table.kinds in ({"regression"}, {"binary"})


def _catboost_can(table: TaskTable) -> bool:
    return table.kinds == {"regression"} or (table.kinds == {"binary"} and table.is_complete)


def _xgboost_can(table: TaskTable) -> bool:
    return _of_one_kind(table) and table.is_complete


def _per_task(way: Callable, booster: str) -> Method:
    return Method(partial(learn_booster, way, booster), joint=False, is_ours=False)


def _multi(way: Callable, fit: Callable, suits: Callable[[TaskTable], bool]) -> Method:
    return Method(partial(learn_multi, way, fit), joint=True, is_ours=False, suits=suits)


SHARES = ("hard", "soft", "none", "partly")
METHODS = {
    "single": variant([], per_task=True),
    **{share: variant(["--share", share]) for share in SHARES},
    "one": variant(["--members", "1"]),
    "auto": variant([], joined=True),
    "five": variant(["--members", "5"], joined=True),
    "five30": variant(["--members", "5", "--trees", "30", "--share", "hard"], joined=True),
    "catboost_multi": _multi(fit_split, fit_catboost_multi, _catboost_can),
    "catboost_multi_five": _multi(fit_folds, fit_catboost_multi, _catboost_can),
    "catboost_multi_refit": _multi(fit_again, fit_catboost_multi, _catboost_can),
    "catboost": _per_task(as_it_comes, "catboost"),
    "catboost_five": _per_task(five, "catboost"),
    "catboost_refit": _per_task(refit, "catboost"),
    "xgboost_multi": _multi(fit_split, fit_xgboost_multi, _xgboost_can),
    "xgboost": _per_task(as_it_comes, "xgboost"),
    "xgboost_five": _per_task(five, "xgboost"),
    "forest": Method(learn_forest, joint=True, is_ours=False, suits=_of_one_kind),
    "ridge": Method(learn_ridge, joint=True, is_ours=False, suits=_of_one_kind),
}
# What runs when no methods are named: the sharing of splits.
DEFAULT_METHODS = ["single", *SHARES, "xgboost"]
