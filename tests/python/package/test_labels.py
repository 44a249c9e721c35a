"""Responses come back in the kind in which they were given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import softwood as sw
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_score
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees

QUICK = {"trees": 6, "depth": 2, "epochs": 2, "threads": 1}
rng = np.random.default_rng(0)
X = rng.normal(size=(90, 2))
CODES = (X[:, 0] > 0).astype(np.int64) + (X[:, 1] > 0.5)
TRUTHS = X[:, 0] > 0
NAMES = np.array(["ash", "birch", "cedar"], dtype=object)[CODES]

KINDS = {
    "bool": (TRUTHS, bool),
    "pandas bool": (pd.Series(TRUTHS), bool),
    "pandas boolean": (pd.Series(TRUTHS, dtype="boolean"), bool),
    "pandas bool[pyarrow]": (pd.Series(TRUTHS, dtype="bool[pyarrow]"), bool),
    "pandas Int64": (pd.Series(CODES, dtype="Int64"), int),
    "pandas UInt8": (pd.Series(CODES, dtype="UInt8"), int),
    "pandas int64[pyarrow]": (pd.Series(CODES, dtype="int64[pyarrow]"), int),
    "pandas Float64": (pd.Series(CODES * 1.0, dtype="Float64"), float),
    "pandas category of int": (pd.Series(CODES).astype("category"), int),
    "pandas category of Int64": (pd.Series(CODES, dtype="Int64").astype("category"), int),
    "pandas category of bool": (pd.Series(TRUTHS).astype("category"), bool),
    "pandas category of float": (pd.Series(CODES * 1.0).astype("category"), float),
    "pandas category of str": (pd.Series(NAMES).astype("category"), str),
    "pandas Categorical": (pd.Categorical(CODES), int),
    "pandas object of int": (pd.Series(CODES, dtype=object), int),
    "pandas str": (pd.Series(NAMES), str),
    "pandas string": (pd.Series(NAMES, dtype="string"), str),
    "pandas frame": (pd.DataFrame({"y": pd.Series(CODES, dtype="Int64")}), int),
    "polars bool": (pl.Series(TRUTHS), bool),
    "polars int": (pl.Series(CODES), int),
    "polars str": (pl.Series(NAMES.tolist()), str),
    "polars categorical": (pl.Series(NAMES.tolist(), dtype=pl.Categorical), str),
    "polars enum": (pl.Series(NAMES.tolist(), dtype=pl.Enum(["cedar", "birch", "ash"])), str),
    "polars frame": (pl.DataFrame({"y": CODES}), int),
    "pyarrow bool": (pa.array(TRUTHS), bool),
    "pyarrow int": (pa.chunked_array([CODES]), int),
    "pyarrow dictionary": (pa.array(NAMES.tolist()).dictionary_encode(), str),
}


def plain(y) -> list:
    if isinstance(y, (pd.DataFrame, pl.DataFrame)):
        y = y["y"]
    way = next(way for way in ("tolist", "to_list", "to_pylist") if hasattr(y, way))
    return getattr(y, way)()


@pytest.mark.parametrize("kind", KINDS)
def test_labels_keep_their_kind(kind):
    y, expected = KINDS[kind]
    fitted = SoftTreeClassifier(**QUICK).fit(X, y)
    assert [type(label) for label in fitted.classes_.tolist()] == [expected] * len(fitted.classes_)
    assert fitted.classes_.tolist() == sorted(set(plain(y)))
    assert set(fitted.predict(X).tolist()) <= set(plain(y))
    right = np.array(fitted.predict(X).tolist()) == np.array(plain(y))
    assert fitted.score(X, y) == pytest.approx(right.mean())
    assert fitted.evaluate(X, y).metrics["accuracy"] == pytest.approx(right.mean())


# scikit-learn's own splits take neither Arrow nor frames
SPLIT = [kind for kind in KINDS if not kind.startswith("pyarrow") and "frame" not in kind]


@pytest.mark.parametrize("kind", SPLIT)
def test_cross_validation_knows_every_kind(kind):
    y, _ = KINDS[kind]
    assert np.isfinite(cross_val_score(SoftTreeClassifier(**QUICK), X, y, cv=2)).all()


HOLES = {
    "pandas boolean": pd.Series([None, *TRUTHS[1:]], dtype="boolean"),
    "pandas Int64": pd.Series([None, *CODES[1:]], dtype="Int64"),
    "pandas category of int": pd.Series([None, *CODES[1:]], dtype="Int64").astype("category"),
    "pandas string": pd.Series([None, *NAMES[1:]], dtype="string"),
    "pandas object": pd.Series([pd.NA, *NAMES[1:]], dtype=object),
    "polars bool": pl.Series([None, *TRUTHS[1:].tolist()]),
    "polars int": pl.Series([None, *CODES[1:].tolist()]),
    "polars categorical": pl.Series([None, *NAMES[1:].tolist()], dtype=pl.Categorical),
    "pyarrow int": pa.array([None, *CODES[1:].tolist()]),
    "masked": np.ma.array(CODES, mask=np.arange(90) == 0),
    "list": [None, *CODES[1:].tolist()],
}


@pytest.mark.parametrize("kind", HOLES)
def test_missing_labels_of_any_kind_take_no_part(kind):
    y = HOLES[kind]
    is_text = any(word in kind for word in ("string", "object", "categorical"))
    known = TRUTHS if "bool" in kind else NAMES if is_text else CODES
    with_holes = SoftTreeClassifier(**QUICK).fit(X, y)
    without = SoftTreeClassifier(**QUICK).fit(X[1:], known[1:])
    assert with_holes.classes_.tolist() == without.classes_.tolist()
    assert (with_holes.predict_proba(X) == without.predict_proba(X)).all()
    assert with_holes.score(X, y) == without.score(X[1:], known[1:])


@pytest.mark.parametrize("kind", ["pandas boolean", "pandas Int64", "polars int", "pyarrow int"])
def test_numbers_to_learn_may_be_nullable(kind):
    y = HOLES[kind]
    known = TRUTHS if "bool" in kind else CODES
    with_holes = SoftTreeRegressor(**QUICK).fit(X, y)
    without = SoftTreeRegressor(**QUICK).fit(X[1:], known[1:])
    assert (with_holes.predict(X) == without.predict(X)).all()
    assert with_holes.score(X, y) == without.score(X[1:], known[1:])


def test_several_tasks_keep_the_kinds_of_their_labels():
    y = pd.DataFrame(
        {
            "truth": pd.Series(TRUTHS, dtype="boolean"),
            "code": pd.Series(CODES).astype("category"),
            "name": pd.Series(NAMES).astype("category"),
            "size": X[:, 0],
        }
    )
    y.loc[0, "truth"] = pd.NA
    trees = SoftTrees(**QUICK).fit(X, y)
    assert {name: each.tolist() for name, each in trees.classes_.items()} == {
        "truth": [False, True],
        "code": [0, 1, 2],
        "name": ["ash", "birch", "cedar"],
    }
    first = trees.predict(X)[0].tolist()
    assert [type(each) for each in first] == [bool, int, str, float]
    shares = trees.predict_proba(X)
    table = trees.predict_table(X)
    assert (
        shares["code"].tolist()
        == np.column_stack([table[f"code.probability_{label}"] for label in (0, 1, 2)]).tolist()
    )
    assert (trees.predict_log_proba(X)["code"] == np.log(shares["code"])).all()


def test_one_task_of_several_answers_as_a_classifier_does():
    trees = SoftTrees(**QUICK).fit(X, pl.DataFrame({"y": TRUTHS}))
    assert trees.classes_.tolist() == [False, True]
    assert trees.predict(X).dtype == bool
    assert trees.predict_proba(X).shape == (len(X), 2)
    numbers = SoftTrees(**QUICK).fit(X, X[:, 0])
    assert not hasattr(numbers, "predict_proba")
    assert not hasattr(numbers, "classes_")
    assert not hasattr(SoftTrees(), "predict_proba")


@pytest.mark.parametrize("estimator", [SoftTreeRegressor, SoftTreeClassifier])
def test_several_responses_are_sent_to_soft_trees(estimator):
    both = np.column_stack([CODES, CODES])
    for y in (
        both,
        both.tolist(),
        pd.DataFrame(both),
        pl.DataFrame(both),
        pa.table({"a": CODES, "b": CODES}),
    ):
        with pytest.raises(sw.Error, match=r"shape \(90, 2\) instead.*SoftTrees"):
            estimator(**QUICK).fit(X, y)
    with pytest.raises(sw.Error, match="SoftTrees"):
        estimator(loss={"a": "squared"}).fit(X, CODES)


def test_classes_may_weigh(tmp_path):
    rare = (X[:, 0] + 0.8 * rng.normal(size=len(X)) > 1).astype(int)
    plain = SoftTreeClassifier(**QUICK).fit(X, rare)
    balanced = SoftTreeClassifier(class_weight="balanced", **QUICK).fit(X, rare)
    assert balanced.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean() + 0.1
    weights = len(X) / (2 * np.bincount(rare))
    by_rows = SoftTreeClassifier(**QUICK).fit(X, rare, sample_weight=weights[rare])
    assert (balanced.predict_proba(X) == by_rows.predict_proba(X)).all()
    by_dict = SoftTreeClassifier(class_weight=dict(enumerate(weights)), **QUICK).fit(X, rare)
    assert (balanced.predict_proba(X) == by_dict.predict_proba(X)).all()


def test_weights_of_classes_multiply_those_of_rows():
    y = np.where(TRUTHS, "yes", "no").astype(object)
    y[5] = None
    rows = rng.uniform(0.5, 2, len(X))
    of_class = np.where(TRUTHS, 3.0, 1.0)
    expected = SoftTreeClassifier(**QUICK).fit(X, y, sample_weight=rows * of_class)
    weighted = SoftTreeClassifier(class_weight={"yes": 3.0}, **QUICK)
    by_argument = weighted.fit(X, y, sample_weight=rows).predict_proba(X)
    assert (by_argument == expected.predict_proba(X)).all()
    frame = pd.DataFrame(X, columns=["a", "b"])
    by_column = SoftTreeClassifier(class_weight={"yes": 3.0}, weight="w", **QUICK)
    by_column.fit(frame.assign(w=rows), y)
    assert (by_column.predict_proba(frame) == expected.predict_proba(X)).all()


def test_validation_rows_are_weighed_as_those_of_training():
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(w=rng.uniform(0.5, 2, len(X)))
    weights = frame["w"] * np.where(TRUTHS, 20.0, 1.0)
    fitted = SoftTreeClassifier(class_weight={True: 20.0}, weight="w", **QUICK)
    fitted.fit(frame[:60], TRUTHS[:60], eval_set=(frame[60:], TRUTHS[60:]))
    shares = fitted.predict_proba(frame[60:])
    assert fitted.model_.features == ["a", "b"]
    assert fitted.best_score_ == pytest.approx(
        log_loss(TRUTHS[60:], shares, sample_weight=weights[60:]), rel=1e-5
    )


@pytest.mark.parametrize("wrong", ["equal", {"maybe": 2.0}, 3])
def test_weights_of_no_class_are_refused(wrong):
    with pytest.raises(sw.Error, match="class_weight"):
        SoftTreeClassifier(class_weight=wrong, **QUICK).fit(X, TRUTHS)
