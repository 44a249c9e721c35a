"""At home in scikit-learn."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import softwood as sw
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, make_friedman1
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectFromModel
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees
from synthetic import petals, visits, wave

QUICK = {"trees": 12, "depth": 2, "epochs": 4}


@parametrize_with_checks([SoftTreeRegressor(), SoftTreeClassifier(), SoftTrees()])
def test_scikit_learn_agrees(estimator, check):
    check(estimator)


def test_the_checks_that_scipy_must_be_told_of_pass():
    """Those are skipped above: they want an environment variable before scipy is imported."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", __file__, "-k", "scikit_learn_agrees and array_api"],
        env=os.environ | {"SCIPY_ARRAY_API": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "3 passed" in done.stdout, done.stdout


@pytest.fixture(scope="module")
def waves() -> pd.DataFrame:
    frame = pd.DataFrame(wave()).drop(columns="id")
    frame.loc[::7, "x2"] = np.nan
    return frame


def test_defaults_learn_numbers():
    X, y = make_friedman1(600, random_state=0)
    train, test = train_test_split(np.arange(len(y)), random_state=0)
    assert SoftTreeRegressor().fit(X[train], y[train]).score(X[test], y[test]) > 0.85


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_defaults_learn_classes(load):
    X, y = load(return_X_y=True)
    train, test = train_test_split(np.arange(len(y)), random_state=0, stratify=y)
    assert SoftTreeClassifier().fit(X[train], y[train]).score(X[test], y[test]) > 0.93


def test_goes_through_pipelines_and_searches():
    X, y = load_diabetes(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), SoftTreeRegressor(**QUICK))
    pipeline.set_output(transform="pandas")
    assert len(cross_val_score(pipeline, X, y, cv=3)) == 3
    search = GridSearchCV(
        SoftTreeRegressor(**QUICK), {"depth": [1, 2], "loss": ["squared", "abs(y - f)"]}, cv=2
    )
    assert search.fit(X, y).best_params_["depth"] in (1, 2)
    several = GridSearchCV(SoftTrees(**QUICK), {"depth": [1, 2]}, cv=2)
    assert several.fit(X, np.column_stack([y, -y])).best_score_ < 0


def test_searches_in_parallel_processes():
    X, y = load_iris(return_X_y=True)
    scores = cross_val_score(SoftTreeClassifier(**QUICK, threads=1), X, y, cv=3, n_jobs=2)
    assert (scores == cross_val_score(SoftTreeClassifier(**QUICK, threads=1), X, y, cv=3)).all()


def test_copies_and_pickles_predict_the_same_bits(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    again = pickle.loads(pickle.dumps(fitted))
    assert (again.predict(X) == fitted.predict(X)).all()
    assert again.history_.names == fitted.history_.names
    assert (clone(fitted).fit(X, y).predict(X) == fitted.predict(X)).all()


def test_joblib_shares_a_fitted_estimator(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    results = joblib.Parallel(n_jobs=2)(joblib.delayed(fitted.predict)(X) for _ in range(4))
    assert all((each == fitted.predict(X)).all() for each in results)


def test_frames_of_all_kinds_give_the_same_bits(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    truth = SoftTreeRegressor(**QUICK).fit(X, y)
    expected = truth.predict(X)
    frames = {
        "polars": (pl.from_pandas(X), pl.from_pandas(y)),
        "pyarrow": (pa.Table.from_pandas(X), y.to_numpy()),
        "table": (sw.as_table(X), y.to_list()),
        "dict": ({name: X[name].to_numpy() for name in X}, y.to_numpy()),
    }
    for name, (table, response) in frames.items():
        fitted = SoftTreeRegressor(**QUICK).fit(table, response)
        assert (fitted.predict(table) == expected).all(), name
        assert list(fitted.feature_names_in_) == list(X.columns), name
        assert (truth.predict(table) == expected).all(), name


def test_sparse_matrices_are_tables_of_numbers():
    X, y = load_iris(return_X_y=True)
    X = np.where(X < 1, 0.0, X)
    dense = SoftTreeClassifier(**QUICK).fit(X, y).predict_proba(X)
    for kind in (sp.csr_matrix, sp.csc_array, sp.coo_array):
        assert (SoftTreeClassifier(**QUICK).fit(kind(X), y).predict_proba(kind(X)) == dense).all()


def test_columns_are_known_by_name(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    assert list(fitted.feature_names_in_) == ["x1", "x2", "city"]
    assert fitted.n_features_in_ == 3
    with pytest.raises(ValueError, match="same order"):
        fitted.predict(X[["city", "x1", "x2"]])
    with pytest.raises(ValueError, match="expecting 3 features"):
        SoftTreeRegressor(**QUICK).fit(X, y).predict(np.zeros((2, 2)))
    # a table is found its columns by name
    assert (fitted.predict(sw.as_table(waves)) == fitted.predict(X)).all()
    with pytest.raises(sw.Error, match="city"):
        fitted.predict({"x1": [0.0], "x2": [0.0]})


@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")
def test_without_names_columns_are_known_by_place(waves):
    X, y = waves[["x1", "x2"]], waves["y"]
    by_array = SoftTreeRegressor(**QUICK).fit(X.to_numpy(), y)
    assert by_array.model_.features == ["x1", "x2"]  # as in a file without a header
    renamed = X.rename(columns={"x1": "b", "x2": "a"})
    assert (by_array.predict(renamed) == by_array.predict(X.to_numpy())).all()
    by_frame = SoftTreeRegressor(**QUICK).fit(renamed, y)
    assert (by_frame.predict(X.to_numpy()) == by_frame.predict(renamed)).all()


def test_a_response_may_be_called_like_a_column(waves):
    X = waves[["x1", "y"]]
    fitted = SoftTreeRegressor(**QUICK).fit(X, waves["y"], sample_weight=np.full(len(X), 2.0))
    assert fitted.target_ == "y_"
    assert fitted.model_.features == ["x1", "y"]
    named = X.rename(columns={"y": "sample_weight"})
    assert SoftTreeRegressor(**QUICK).fit(named, waves["y"], 2.0).model_.features == list(named)


def test_categories_of_a_frame_reach_the_model(waves):
    X = waves.drop(columns="y")
    X["city"] = X["city"].astype("category")
    fitted = SoftTreeRegressor(**QUICK).fit(X, waves["y"])
    assert "Oslo" in fitted.model_.describe()
    unseen = X.iloc[:3].assign(city=["Paris", None, "Oslo"])
    assert np.isfinite(fitted.predict(unseen)).all()


def test_missing_responses_take_no_part(waves):
    X, y = waves.drop(columns="y"), waves["y"].copy()
    y[::3] = np.nan
    kept = y.notna()
    with_holes = SoftTreeRegressor(**QUICK).fit(X, y).predict(X)
    without = SoftTreeRegressor(**QUICK).fit(X[kept], y[kept]).predict(X)
    assert (with_holes == without).all()


def test_labels_of_any_kind_come_back():
    table = pd.DataFrame(petals())
    X, y = table.drop(columns="kind"), table["kind"]
    for labels in (
        y,
        y.astype("category"),
        y.map({name: i for i, name in enumerate(sorted(set(y)))}),
        y.map({name: float(i) for i, name in enumerate(sorted(set(y)))}),
        y == y.iloc[0],
        y.to_numpy(dtype=object),
        y.to_numpy(dtype=str),
        y.to_list(),
    ):
        fitted = SoftTreeClassifier(**QUICK).fit(X, labels)
        assert set(fitted.predict(X)) <= set(np.asarray(labels))
        assert (fitted.classes_ == np.unique(np.asarray(labels))).all()
        assert fitted.predict_proba(X).sum(axis=1) == pytest.approx(1)


def test_missing_labels_take_no_part():
    table = pd.DataFrame(petals())
    X, y = table.drop(columns="kind"), table["kind"].astype(object)
    y[::5] = None
    fitted = SoftTreeClassifier(**QUICK).fit(X, y)
    assert None not in fitted.classes_
    kept = y.notna()
    alone = SoftTreeClassifier(**QUICK).fit(X[kept], y[kept])
    assert (fitted.predict_proba(X) == alone.predict_proba(X)).all()


def test_a_loss_without_probabilities_is_no_classifier():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(sw.Error, match="no classifier"):
        SoftTreeClassifier("squared", **QUICK).fit(X[:100], y[:100])


def test_figures_are_those_of_scikit_learn(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    assert fitted.evaluate(X, y).metrics["r2"] == pytest.approx(fitted.score(X, y))
    flowers = pd.DataFrame(petals())
    X, y = flowers.drop(columns="kind"), flowers["kind"]
    classifier = SoftTreeClassifier(**QUICK).fit(X, y)
    figures = classifier.evaluate(X, y.to_list())
    assert figures.metrics["accuracy"] == pytest.approx(classifier.score(X, y))
    assert figures.metrics["loss"] == pytest.approx(log_loss(y, classifier.predict_proba(X)))


def test_importances_are_those_of_the_columns_in_their_order(waves):
    X, y = waves[["x2", "city", "x1"]], waves["y"]
    fitted = SoftTreeRegressor(trees=24).fit(X.assign(constant=1.0), y)
    shares = dict(zip([*X.columns, "constant"], fitted.feature_importances_, strict=True))
    assert shares["constant"] == 0
    assert shares["x2"] < 0.1 < shares["city"] < shares["x1"]
    assert sum(shares.values()) == pytest.approx(1)
    chosen = SelectFromModel(SoftTreeRegressor(**QUICK), max_features=1).fit(X[["x2", "x1"]], y)
    assert list(chosen.get_support()) == [False, True]
    both = SoftTrees(["a", "b"], **QUICK).fit(X, {"a": X["x1"], "b": X["x1"]})
    assert both.feature_importances_[2] == pytest.approx(1, abs=0.1)


def test_booleans_mean_what_a_file_said(tmp_path, waves):
    table = waves.assign(flag=waves["x1"] > 0)[["flag", "y"]]
    table.to_csv(tmp_path / "flags.csv", index=False)
    by_file = sw.train(sw.read(tmp_path / "flags.csv"), "y", **QUICK)  # texts True and False
    by_file.save(tmp_path / "flags.softwood")
    loaded = SoftTreeRegressor.load(tmp_path / "flags.softwood")
    predicted = by_file.predict(sw.read(tmp_path / "flags.csv"))["mean"]
    assert len(set(predicted)) == 2
    assert (loaded.predict(table[["flag"]]) == predicted).all()
    assert (by_file.predict(table[["flag"]])["mean"] == predicted).all()


def test_weights_are_heard(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    weights = np.where(waves["city"] == "Oslo", 5.0, 1.0)
    by_argument = SoftTreeRegressor(**QUICK).fit(X, y, sample_weight=weights).predict(X)
    by_column = SoftTreeRegressor(**QUICK, weight="w").fit(X.assign(w=weights), y)
    assert (by_argument == by_column.predict(X.assign(w=weights))).all()
    assert (by_argument != SoftTreeRegressor(**QUICK).fit(X, y).predict(X)).any()
    with pytest.raises(sw.Error, match="give one of them"):
        SoftTreeRegressor(weight="w").fit(X.assign(w=weights), y, sample_weight=weights)


def test_losses_read_columns_of_X():
    table = pd.DataFrame(visits()).rename(columns={"y": "visits"})
    X, y = table.drop(columns="visits"), table["visits"]
    years = np.random.default_rng(0).uniform(0.5, 2, len(y))
    fitted = SoftTreeRegressor("poisson(exposure=years)", **QUICK).fit(X.assign(years=years), y)
    twice = fitted.predict(X.assign(years=2 * years))
    assert twice == pytest.approx(2 * fitted.predict(X.assign(years=years)))


def test_several_tasks_of_several_kinds():
    table = pd.DataFrame(visits()).rename(columns={"y": "visits"})
    X = table.drop(columns="visits")
    y = pd.DataFrame({"visits": table["visits"], "any": np.where(table["visits"] > 0, "yes", "no")})
    y["any"] = y["any"].astype(object)
    y.loc[::4, "any"] = None
    y["visits"] = y["visits"].astype(float)
    y.loc[1::4, "visits"] = np.nan
    trees = SoftTrees({"visits": "poisson", "any": "logistic"}, share="soft", **QUICK).fit(X, y)
    assert trees.predict_table(X).names == [
        "visits.mean",
        "visits.rate",
        "any.class",
        "any.probability_no",
        "any.probability_yes",
    ]
    predicted = trees.predict(X)
    assert predicted.shape == (len(X), 2)
    assert set(predicted[:, 1]) <= {"yes", "no"}
    assert len(trees.predict_distribution(X)) == len(X)
    with pytest.raises(sw.Error, match="is a class"):
        trees.predict_distribution(X, task="any")
    # the responses may stand among the columns, too
    joint = SoftTrees({"visits": "poisson", "any": "logistic"}, share="soft", **QUICK)
    joint.fit(pd.concat([X, y], axis=1))
    assert (joint.predict(X) == predicted).all()
    assert (joint.predict(pd.concat([X, y], axis=1)) == predicted).all()
    assert joint.score(X, y) == joint.score(pd.concat([X, y], axis=1))


def test_tasks_may_be_named_alone_or_not_at_all():
    X, y = load_diabetes(return_X_y=True)
    both = np.column_stack([y, y > 100])
    assert SoftTrees(["progress", "high"], **QUICK).fit(X, both).targets_ == ["progress", "high"]
    free = SoftTrees(**QUICK).fit(X, both)
    assert [task["loss"] for task in free.model_.tasks] == ["squared", "logistic"]
    with pytest.raises(sw.Error, match="2 columns, but there are 3 tasks"):
        SoftTrees(["a", "b", "c"]).fit(X, both)
    with pytest.raises(sw.Error, match="'b' is no target"):
        SoftTrees(["a"], task_weight={"b": 2}).fit(X, y)


def test_files_become_estimators(tmp_path, waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    fitted.save(tmp_path / "m.softwood")
    loaded = SoftTreeRegressor.load(tmp_path / "m.softwood")
    assert (loaded.predict(X) == fitted.predict(X)).all()
    assert loaded.target_ == "y"
    # it finds its columns among others; an array has just those that it reads
    assert (loaded.predict(waves.assign(more=1)) == fitted.predict(X)).all()
    assert loaded.predict(X.to_numpy()[:5].tolist()).shape == (5,)
    with pytest.raises(sw.Error, match="2 features, but SoftTreeRegressor is expecting 3"):
        loaded.predict(np.zeros((2, 2)))
    flowers = pd.DataFrame(petals())
    classifier = SoftTreeClassifier(**QUICK).fit(flowers.drop(columns="kind"), flowers["kind"])
    classifier.save(tmp_path / "c.softwood")
    loaded = SoftTreeClassifier.load(tmp_path / "c.softwood")
    assert (loaded.classes_ == classifier.classes_).all()
    with pytest.raises(sw.Error, match="no classifier"):
        SoftTreeClassifier.load(tmp_path / "m.softwood")


@pytest.mark.parametrize("estimator", [SoftTreeRegressor(), SoftTreeClassifier(), SoftTrees()])
def test_shows_itself(estimator):
    assert type(estimator).__name__ in estimator._repr_html_()
    assert "learning_rate : float" in type(estimator).__doc__
    with pytest.raises(NotFittedError):
        estimator.predict(np.zeros((1, 2)))
    with pytest.raises(NotFittedError):
        estimator.save("nowhere")


def test_no_rows_and_one_row(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    assert fitted.predict(X.iloc[:0]).shape == (0,)
    assert fitted.predict(X.iloc[:1]) == fitted.predict(X)[:1]
    for rows in (0, 1):
        with pytest.raises(ValueError, match=f"{rows} sample"):
            SoftTreeRegressor().fit(X.iloc[:rows], y.iloc[:rows])


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ({"trees": 0}, "trees"),
        ({"trees": "many"}, "trees is 'many'; it must be a whole number"),
        (
            {"members": "many"},
            "members is 'many'; it must be a whole number below 2147483648, or 'auto'",
        ),
        (
            {"seed": "auto"},
            "seed is 'auto'; it must be a whole number from 0 to 18446744073709551615.",
        ),
        ({"loss": "(y - f*g)^2"}, "'g'"),
        ({"loss": "poison"}, "poisson"),
        ({"features": ["nope"]}, "nope"),
        ({"recipe": "cake"}, "cake"),
    ],
)
def test_mistakes_are_named(waves, mistake, message):
    X, y = waves.drop(columns="y"), waves["y"].abs().round()
    with pytest.raises(sw.Error, match=message.replace("(", r"\(")):
        SoftTreeRegressor(**(QUICK | mistake)).fit(X, y)


def test_infinity_is_refused_with_its_place(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    with pytest.raises(sw.Error, match="column 'x1', row 5"):
        SoftTreeRegressor().fit(X.assign(x1=X["x1"].where(X.index != 5, np.inf)), y)
    with pytest.raises(ValueError, match="y contains infinity"):
        SoftTreeRegressor().fit(X, y.where(y.index != 5, -np.inf))


def test_texts_are_no_numbers(waves):
    X = waves.drop(columns="y")
    with pytest.raises(sw.Error, match="SoftTreeClassifier"):
        SoftTreeRegressor().fit(X, waves["city"])
