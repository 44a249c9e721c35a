"""Estimators in pickles and in skops' files, which run no code when they are loaded."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import skops.io
import softwood as sw
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees
from softwood.estimators import TRUSTED_TYPES

QUICK = {"trees": 6, "depth": 2, "epochs": 2, "threads": 1}
rng = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "size": rng.normal(size=80),
        "place": rng.choice(["Oslo", "Bonn"], 80),
        "day": pd.date_range("2026-01-01", periods=80),
    }
)
X.loc[::7, "size"] = np.nan
y = X["size"].fillna(0.0)


@pytest.fixture(scope="module")
def fitted() -> list:
    both = pd.DataFrame({"size": y, "sign": np.where(y > 0, "up", "down")})
    return [
        SoftTreeRegressor(sw.Loss("huber(delta=2)"), **QUICK).fit(X, y),
        SoftTreeClassifier(**QUICK).fit(X, y > 0),
        SoftTrees({"size": "normal", "sign": "logistic"}, **QUICK).fit(X, both),
    ]


def through_skops(estimator):
    data = skops.io.dumps(estimator)
    assert set(skops.io.get_untrusted_types(data=data)) <= set(TRUSTED_TYPES)
    return skops.io.loads(data, trusted=TRUSTED_TYPES)


def through_pickle(estimator):
    return [pickle.loads(pickle.dumps(estimator, protocol)) for protocol in range(6)][-1]


@pytest.mark.parametrize("way", [through_skops, through_pickle, copy.deepcopy])
def test_estimators_survive(fitted, way, tmp_path):
    for estimator in fitted:
        again = way(estimator)
        assert (again.predict(X) == estimator.predict(X)).all()
        assert (again.feature_importances_ == estimator.feature_importances_).all()
        assert again.get_params() == estimator.get_params()
        assert again.history_.to_dict().keys() == estimator.history_.to_dict().keys()
        assert again.best_score_ == estimator.best_score_
        estimator.save(tmp_path / "m.softwood")
        loaded = type(estimator).load(tmp_path / "m.softwood")
        assert (way(loaded).predict(X) == estimator.predict(X)).all()
        assert way(loaded).best_score_ == estimator.best_score_


def test_a_file_knows_how_the_training_went_but_not_how_long(fitted, tmp_path):
    for estimator in fitted:
        estimator.save(tmp_path / "m.softwood")
        before = estimator.history_.to_dict()
        after = type(estimator).load(tmp_path / "m.softwood").history_.to_dict()
        assert before.keys() == after.keys()
        assert np.isnan(after.pop("seconds")).all()
        assert not np.isnan(before.pop("seconds")).any()
        for name, column in before.items():
            np.testing.assert_array_equal(after[name], column, err_msg=name)


def test_importances_wait_until_they_are_asked_for(fitted, monkeypatch):
    calls = []
    compute = sw._core.importances
    monkeypatch.setattr(
        sw._core, "importances", lambda *arguments: calls.append(1) or compute(*arguments)
    )
    estimator = SoftTreeRegressor(**QUICK).fit(X, y)
    waiting = pickle.loads(pickle.dumps(estimator))
    assert calls == []
    assert (estimator.feature_importances_ == waiting.feature_importances_).all()
    assert estimator.feature_importances_ is estimator.feature_importances_
    assert len(calls) == 2
    refitted = estimator.fit(X[["size"]], y)
    assert refitted.feature_importances_.tolist() == [1.0]


def test_rows_are_kept_as_they_were():
    cells = rng.normal(size=(50, 2))
    by_copy = SoftTreeRegressor(**QUICK).fit(cells.copy(order="F"), cells[:, 0])
    changed = cells.copy(order="F")
    fitted = SoftTreeRegressor(**QUICK).fit(changed, cells[:, 0])
    changed[:] = 0.0
    assert (fitted.feature_importances_ == by_copy.feature_importances_).all()


def test_few_rows_are_kept_of_a_large_table():
    cells = np.random.default_rng(1).normal(size=(30_000, 3))
    fitted = SoftTreeRegressor(**QUICK).fit(cells, cells[:, 1])
    assert len(pickle.dumps(fitted)) < 150_000 + len(fitted.model_._core.to_bytes())
    assert fitted.feature_importances_.argmax() == 1


def test_a_model_of_a_file_says_how_to_get_importances(fitted, tmp_path):
    fitted[0].save(tmp_path / "m.softwood")
    loaded = SoftTreeRegressor.load(tmp_path / "m.softwood")
    assert not hasattr(loaded, "feature_importances_")
    with pytest.raises(AttributeError, match=r"softwood\.explain\.importances\(estimator, X\)"):
        _ = loaded.feature_importances_
    assert sum(sw.explain.importances(loaded, X).values()) == pytest.approx(1)
