"""Columns and groups that only training knows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
import softwood as sw
from sklearn.model_selection import GroupKFold, cross_validate
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees

QUICK = {"trees": 6, "depth": 2, "epochs": 2, "threads": 1}
rng = np.random.default_rng(0)
ROWS = 120
X = pd.DataFrame(rng.normal(size=(ROWS, 3)), columns=["a", "b", "c"])
y = pd.Series(X["a"] + X["b"] ** 2, name="y")
GROUPS = np.repeat(np.arange(ROWS // 6), 6)

ROLES = {
    "keep_together": GROUPS,
    "weight": rng.uniform(0.5, 2, ROWS),
    "valid_column": (np.arange(ROWS) % 5 == 0).astype(int),
    "fold_column": np.arange(ROWS) % 3,
}


def with_role(cells) -> pd.DataFrame:
    """Not at the end, where forgetting it would do no harm."""
    return X.assign(role=cells)[["a", "role", "b", "c"]]


@pytest.mark.parametrize("role", ROLES)
def test_columns_with_a_role_are_not_asked_for_again(role):
    frame = with_role(ROLES[role])
    fitted = SoftTreeRegressor(**QUICK, **{role: "role"}).fit(frame, y)
    assert list(fitted.feature_names_in_) == ["a", "b", "c"]
    assert fitted.n_features_in_ == len(fitted.feature_importances_) == 3
    assert fitted.model_.features == ["a", "b", "c"]
    predicted = fitted.predict(X)
    assert (fitted.predict(frame) == predicted).all()
    assert (fitted.predict(pl.from_pandas(frame)) == predicted).all()
    assert (fitted.predict(sw.as_table(frame)) == predicted).all()
    assert (fitted.predict({name: X[name] for name in X}) == predicted).all()
    assert fitted.evaluate(X, y).metrics["r2"] == fitted.evaluate(frame, y).metrics["r2"]
    by_core = sw.train(frame.assign(y=y), {"y": "squared"}, **QUICK, **{role: "role"})
    assert (by_core.predict(X)["mean"] == predicted).all()


@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")
def test_arrays_may_have_the_column_or_not():
    frame = with_role(ROLES["weight"])
    array = frame.to_numpy()
    fitted = SoftTreeRegressor(**QUICK, weight="x2").fit(array, y)
    expected = SoftTreeRegressor(**QUICK).fit(X.to_numpy(), y, sample_weight=array[:, 1])
    assert fitted.n_features_in_ == 3
    for rows in (array, X.to_numpy(), frame, X):
        assert (fitted.predict(rows) == expected.predict(X.to_numpy())).all()
    with pytest.raises(ValueError, match="expecting 3 features"):
        fitted.predict(array[:, :2])
    by_name = SoftTreeRegressor(**QUICK, weight="role").fit(frame, y)
    assert (by_name.predict(array) == by_name.predict(X)).all()


def test_what_only_the_loss_reads_is_not_asked_for_again():
    amounts = np.exp(y)
    cut = amounts.clip(upper=3)
    frame = X.assign(event=(amounts < 3).astype(int))
    fitted = SoftTreeRegressor("lognormal_aft(event=event)", **QUICK).fit(frame, cut)
    assert fitted.model_.features == ["a", "b", "c"]
    assert (fitted.predict(X) == fitted.predict(frame)).all()
    assert np.isfinite(fitted.evaluate(frame, cut).metrics["loss"])
    with pytest.raises(sw.Error, match="event"):
        fitted.evaluate(X, cut)
    # a prediction that reads the column asks for it
    counts = np.floor(amounts)
    exposed = SoftTreeRegressor("poisson(exposure=years)", **QUICK).fit(X.assign(years=1.0), counts)
    assert np.isfinite(exposed.predict(X.assign(years=1.0))).all()
    with pytest.raises(ValueError, match="years"):
        exposed.predict(X)


def test_several_tasks_forget_their_columns_too():
    frame = with_role(GROUPS).assign(y=y, z=-y)
    fitted = SoftTrees(["y", "z"], keep_together="role", **QUICK).fit(frame)
    assert list(fitted.feature_names_in_) == ["a", "b", "c"]
    assert (fitted.predict(X) == fitted.predict(frame)).all()
    assert fitted.score(frame) == fitted.score(X, frame[["y", "z"]])


def test_a_column_that_is_missing_is_named():
    with pytest.raises(sw.Error, match="rolle"):
        SoftTreeRegressor(**QUICK, keep_together="rolle").fit(with_role(GROUPS), y)


@pytest.mark.parametrize("kind", [np.asarray, list, pd.Series, lambda g: [f"g{i}" for i in g]])
def test_groups_are_those_of_a_column(kind):
    by_column = SoftTreeRegressor(**QUICK, keep_together="g").fit(X.assign(g=kind(GROUPS)), y)
    by_argument = SoftTreeRegressor(**QUICK).fit(X, y, groups=kind(GROUPS))
    assert (by_argument.predict(X) == by_column.predict(X)).all()
    assert (by_argument.predict(X) != SoftTreeRegressor(**QUICK).fit(X, y).predict(X)).any()


def test_a_group_stays_on_one_side():
    """Members are trained on folds: each row is predicted by the one that has not learned it, so
    nothing can be known of a group that is all noise."""
    noise = np.repeat(rng.normal(size=ROWS // 6), 6)
    only_group = pd.DataFrame({"g": GROUPS.astype(float)})

    def r2(**fit):
        model = (
            SoftTreeRegressor(trees=24, members=3, threads=1).fit(only_group, noise, **fit).model_
        )
        left = noise - model.predict_out_of_fold(only_group)["mean"]
        return 1 - left.var() / noise.var()

    assert r2() > 0.5
    assert r2(groups=GROUPS) < 0.2


def test_groups_are_checked():
    with pytest.raises(sw.Error, match="give one of them"):
        SoftTreeRegressor(**QUICK, keep_together="a").fit(X, y, groups=GROUPS)
    with pytest.raises(sw.Error, match="leave out groups, or eval_set"):
        SoftTreeRegressor(**QUICK).fit(X, y, groups=GROUPS, eval_set=(X, y))
    with pytest.raises(sw.Error, match="groups needs one for each row"):
        SoftTreeRegressor(**QUICK).fit(X, y, groups=GROUPS[:5])


@pytest.mark.parametrize("estimator", [SoftTreeRegressor, SoftTreeClassifier, SoftTrees])
def test_groups_are_routed(estimator):
    told = []

    class Told(estimator):
        def fit(self, X, y, sample_weight=None, *, groups=None, eval_set=None, callbacks=()):
            told.append(groups)
            return super().fit(X, y, sample_weight, groups=groups)

    labels = y > 0
    with sklearn.config_context(enable_metadata_routing=True):
        asking = Told(**QUICK).set_fit_request(groups=True)
        cross_validate(
            asking, X, labels, params={"groups": GROUPS}, cv=GroupKFold(2), error_score="raise"
        )
    assert [len(each) for each in told] == [60, 60]
    assert not set(told[0]) & set(told[1])
