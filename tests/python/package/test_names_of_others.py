"""What other libraries call a parameter or a loss is answered with what it is called here."""

from __future__ import annotations

import numpy as np
import pytest
import softwood as sw
from command_line import fail
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees
from softwood.foreign_names import _OURS

QUICK = {"trees": 6, "depth": 2, "epochs": 2}
X = np.random.default_rng(0).normal(size=(80, 2))
y = X[:, 0]


@pytest.mark.parametrize("estimator", [SoftTreeRegressor, SoftTreeClassifier, SoftTrees])
@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("n_estimators", "it is called 'trees' here"),
        ("max_depth", "it is called 'depth' here"),
        ("random_seed", "it is called 'seed' here"),
        ("dept", "did you mean 'depth'"),
        ("cat_features", "it is not needed"),
        ("sample_weight", "weights of rows are an argument of fit"),
    ],
)
def test_a_parameter_of_others_is_answered_with_ours(estimator, name, ours):
    with pytest.raises(TypeError, match=f"{estimator.__name__} has no parameter '{name}'; {ours}"):
        estimator(**{name: 1})
    with pytest.raises(ValueError, match=ours):
        estimator().set_params(**{name: 1})
    with pytest.raises(ValueError, match=ours):
        GridSearchCV(estimator(), {name: [1]}, cv=2, error_score="raise").fit(X, y)


def test_nothing_comes_to_mind():
    with pytest.raises(TypeError, match=r"has no parameter 'qqqqq'$"):
        SoftTreeRegressor(qqqqq=1)
    with pytest.raises(ValueError, match="Invalid parameter 'qqqqq'"):
        SoftTreeRegressor().set_params(qqqqq=1)
    with pytest.raises(TypeError, match="SoftTreeClassifier has class_weight"):
        SoftTreeRegressor(class_weight="balanced")


def test_our_names_are_parameters():
    known = {*SoftTreeClassifier().get_params(), "loss"}
    assert set(_OURS) <= known
    named = [name for names in _OURS.values() for name in names.split()]
    assert len(named) == len(set(named))
    assert not set(named) - {"random_state", "n_jobs"} & known


def test_train_answers_too():
    with pytest.raises(sw.Error, match="no option 'n_estimators'; it is called 'trees' here"):
        sw.train({"x": y, "y": y}, "y", n_estimators=5)
    with pytest.raises(sw.Error, match="no option 'random_state'; it is called 'seed' here"):
        sw.train({"x": y, "y": y}, "y", random_state=5)


def test_random_state_is_the_seed():
    def fit(**seed):
        return SoftTreeRegressor(**QUICK, **seed).fit(X, y).predict(X)

    assert (fit(random_state=3) == fit(seed=3)).all()
    assert (
        fit(random_state=np.random.RandomState(0)) == fit(random_state=np.random.RandomState(0))
    ).all()
    drawn = fit(random_state=np.random.default_rng(0))
    assert (drawn != fit()).any()
    assert (fit(random_state=None) == fit()).all()
    with pytest.raises(sw.Error, match="seed and random_state mean the same"):
        fit(seed=1, random_state=1)
    with pytest.raises(sw.Error, match="random_state is 'x'"):
        fit(random_state="x")


def test_n_jobs_are_the_threads():
    for jobs in (None, 1, 2, -1, -2):
        fitted = SoftTreeRegressor(**QUICK, n_jobs=jobs).fit(X, y)
        assert (fitted.predict(X) == SoftTreeRegressor(**QUICK).fit(X, y).predict(X)).all()
    assert clone(SoftTreeRegressor(n_jobs=2)).get_params()["n_jobs"] == 2
    for wrong, message in (
        ({"threads": 2, "n_jobs": 2}, "mean the same"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"n_jobs": "x"}, "n_jobs is 'x'"),
    ):
        with pytest.raises(sw.Error, match=message):
            SoftTreeRegressor(**QUICK, **wrong).fit(X, y)


@pytest.mark.parametrize(
    ("theirs", "library", "ours"),
    [
        ("squared_error", "scikit-learn", "squared"),
        ("reg:squarederror", "XGBoost", "squared"),
        ("multi:softmax", "XGBoost", "softmax"),
        ("regression_l1", "LightGBM", "absolute"),
        ("Logloss", "CatBoost", "logistic"),
        ("BCEWithLogitsLoss", "PyTorch", "logistic"),
    ],
)
def test_a_loss_of_others_is_answered_with_ours(tmp_path, theirs, library, ours):
    message = f"there is no loss '{theirs}'; {library}'s is called '{ours}' here"
    with pytest.raises(sw.Error, match=message):
        SoftTreeRegressor(theirs).fit(X, y)
    with pytest.raises(sw.Error, match=message):
        sw.Loss(theirs)
    (tmp_path / "t.csv").write_text("x,y\n1,2\n2,3\n3,4\n4,5\n")
    told = fail("train", tmp_path / "t.csv", "-t", "y", "-l", theirs, "-o", tmp_path / "m")
    assert message in told


def test_python_as_text_is_no_loss():
    with pytest.raises(sw.Error, match=r"Python as text.*give the function itself"):
        SoftTreeRegressor("lambda y, f: (y - f)**2").fit(X, y)
