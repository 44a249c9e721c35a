"""What people must see is a warning at their own line, once; the rest is logged."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import softwood as sw
from softwood import SoftTreeRegressor, SoftTrees, _core

QUICK = {"trees": 6, "depth": 2, "epochs": 2, "threads": 1}
X = np.random.default_rng(0).normal(size=(80, 2))
y = X[:, 0]


# As a part of the package, whose frames are not the user's.
TRAIN_AND_WARN = """
def train_and_warn(*arguments):
    for text in ("column 'a' is odd", "column 'b' is odd", "column 'a' is odd"):
        arguments[-1](text)
    begun.append(True)
    return train(*arguments)
"""


@pytest.fixture
def core_that_warns(monkeypatch):
    """The core's `train`, with something to say; the list grows when a training begins."""
    names = {"__name__": "softwood._core", "train": _core.train, "begun": []}
    exec(TRAIN_AND_WARN, names)
    monkeypatch.setattr(_core, "train", names["train_and_warn"])
    return names["begun"]


@pytest.mark.usefixtures("core_that_warns")
def test_each_text_is_told_once_per_fit_at_the_line_of_the_user():
    for learn in (
        lambda: SoftTreeRegressor(**QUICK).fit(X, y),
        lambda: SoftTrees(**QUICK).fit(X, y),
        lambda: sw.train({"x": y, "y": y}, "y", **QUICK),
    ):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            learn()
        assert [str(each.message) for each in told] == ["column 'a' is odd", "column 'b' is odd"]
        assert {each.category for each in told} == {sw.DataWarning}
        assert {each.filename for each in told} == {__file__}
        assert {each.lineno for each in told} == {inspect.getsourcelines(learn)[1]}


def test_strictness_ends_a_training_before_it_begins(core_that_warns):
    estimator = SoftTreeRegressor(**QUICK)
    with warnings.catch_warnings():
        warnings.simplefilter("error", sw.DataWarning)
        with pytest.raises(sw.DataWarning, match="'a' is odd"):
            estimator.fit(X, y)
    assert core_that_warns == []
    assert not hasattr(estimator, "n_features_in_")


def test_a_distribution_that_is_not_there_is_missed_aloud():
    trees = SoftTrees({"size": "normal", "kind": "logistic"}, **QUICK)
    trees.fit(X, {"size": y, "kind": np.where(y > 0, "up", "down")})
    with pytest.warns(sw.DataWarning, match="kind") as told:
        table = trees.predict_table(X, quantiles=[0.5])
    assert [each.filename for each in told] == [__file__]
    assert "size.quantile_0.5" in table.names
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        trees.predict_table(X)
        with pytest.raises(sw.DataWarning):
            trees.model_.predict(trees._features(X), quantiles=[0.5])


def test_what_training_has_warned_of_does_not_stop_a_prediction():
    texts = [str(value) for value in X[:, 0].round(3)]
    texts[7] = "abc"
    table = {"x": texts, "z": X[:, 1]}
    with pytest.warns(sw.DataWarning, match="'abc' \\(row 8\\)"):
        fitted = SoftTreeRegressor(**QUICK).fit(table, y)
    with pytest.warns(sw.DataWarning, match="row 8, column 'x': 'abc' is not a number"):
        assert np.isfinite(fitted.predict(table)).all()


def test_a_warning_of_the_core_reaches_the_user():
    table = {"id": np.arange(1, 81), "x": X[:, 0]}
    with pytest.warns(sw.DataWarning, match="'id' looks like an id"):
        SoftTreeRegressor(**QUICK).fit(table, y)
