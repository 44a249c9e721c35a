"""Parameters by the names that they had before."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import softwood as sw
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees

QUICK = {"depth": 2, "epochs": 2}
rng = np.random.default_rng(0)
X = rng.normal(size=(60, 2))
y = X[:, 0]


@pytest.mark.parametrize("estimator", [SoftTreeRegressor, SoftTreeClassifier, SoftTrees])
@pytest.mark.parametrize(("old", "today"), [("group", "keep_together"), ("groups", "ensemble")])
def test_an_old_parameter_is_that_of_today_with_a_warning(estimator, old, today):
    with pytest.warns(FutureWarning, match=f"{old} is called {today} now") as told:
        made = estimator(**{old: "text"})
    assert told[0].filename == __file__
    with pytest.warns(FutureWarning, match=today):
        changed = estimator().set_params(**{old: "text"})
    for each in (made, changed):
        assert each.get_params()[today] == "text"
        assert old not in each.get_params()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clone(made)


def test_both_names_are_one_too_many():
    both = {"groups": "wide=3", "ensemble": "wide=3"}
    with pytest.raises(sw.Error, match="groups is the old name of ensemble: give one of them"):
        SoftTreeRegressor(**both)
    with pytest.raises(sw.Error, match="give one of them"):
        SoftTreeRegressor().set_params(**both)
    with pytest.raises(sw.Error, match="give one of them"):
        sw.train({"x": y, "y": y}, "y", **both)


def test_train_takes_old_names_too():
    table = {"a": X[:, 0], "b": X[:, 1], "y": y}
    today = sw.train(table, {"y": "squared"}, ensemble="wide=3", keep_together="b", **QUICK)
    with pytest.warns(FutureWarning) as told:
        old = sw.train(table, {"y": "squared"}, groups="wide=3", group="b", **QUICK)
    assert len(told) == 2
    assert old._core.to_bytes() == today._core.to_bytes()


def test_a_search_takes_old_names_too():
    search = GridSearchCV(SoftTreeRegressor(**QUICK), {"groups": ["wide=2", "wide=3"]}, cv=2)
    with pytest.warns(FutureWarning):
        search.fit(X, y)
    assert search.best_estimator_.ensemble in ("wide=2", "wide=3")


def test_an_old_schedule_is_that_of_today_with_a_warning():
    today = SoftTreeRegressor(**QUICK, trees=4, schedule="four_cycles").fit(X, y)
    with pytest.warns(sw.DataWarning, match="'coslog4' is called 'four_cycles' now"):
        old = SoftTreeRegressor(**QUICK, trees=4, schedule="coslog4").fit(X, y)
    assert (old.predict(X) == today.predict(X)).all()


def test_options_tell_what_they_may_be():
    options = {option["name"]: option for option in sw._core.options()}
    assert (options["depth"]["least"], options["depth"]["most"]) == (1, 12)
    assert options["learning_rate"]["most"] is None
    assert options["schedule"]["choices"] == ["constant", "cosine", "four_cycles", "doubling"]
    assert options["weight"]["choices"] == []
