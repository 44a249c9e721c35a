"""Training on from a finished model, from Python."""

import numpy as np
import pytest
import softwood
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees

SMALL = {"ensemble": "wide=6,narrow=8", "depth": 2, "members": 1, "verbose": False}


def waves(count, seed, labels=("a", "b")):
    draw = np.random.default_rng(seed)
    X = draw.uniform(-1, 1, size=(count, 2))
    y = np.sin(3 * X[:, 0]) + X[:, 1] + draw.normal(0, 0.1, count)
    kinds = np.array(labels)[np.clip(((y + 1) / 2 * len(labels)).astype(int), 0, len(labels) - 1)]
    return X, y, kinds


def table_of(X, y):
    return {"u": X[:, 0], "v": X[:, 1], "y": y}


def saved(model, path):
    model.save(path)
    return path.read_bytes()


def test_train_goes_on_from_a_model_or_its_file_as_the_command_does(tmp_path):
    X, y, _ = waves(300, 1)
    old = softwood.train(table_of(X[:200], y[:200]), "y", **SMALL)
    on = softwood.train(table_of(X, y), start_from=old, verbose=False)
    old.save(tmp_path / "old")
    again = softwood.train(table_of(X, y), "y", start_from=tmp_path / "old", verbose=False)
    assert saved(on, tmp_path / "on") == saved(again, tmp_path / "again")
    assert saved(on, tmp_path / "on") != saved(old, tmp_path / "o")
    more = softwood.train(table_of(X, y), start_from=old, add_trees=8, verbose=False)
    assert "trees" in more.describe()
    assert saved(more, tmp_path / "more") != saved(on, tmp_path / "on")


def test_mistakes_are_named():
    X, y, _ = waves(100, 1)
    with pytest.raises(softwood.Error, match="nothing to learn"):
        softwood.train(table_of(X, y))
    with pytest.raises(softwood.Error, match="start-from"):
        softwood.train(table_of(X, y), "y", add_trees=3)
    with pytest.raises(softwood.Error, match="1 or more"):
        softwood.train(table_of(X, y), "y", add_trees=0)
    old = softwood.train(table_of(X, y), "y", epochs=2, **SMALL)
    with pytest.raises(softwood.Error, match="--depth"):
        softwood.train(table_of(X, y), start_from=old, depth=5, verbose=False)


def test_warm_start_trains_on_where_fit_begins_anew():
    X, y, _ = waves(300, 2)
    cold = SoftTreeRegressor(**SMALL, epochs=6).fit(X, y)
    once = cold.predict(X)
    assert np.array_equal(cold.fit(X, y).predict(X), once)
    warm = SoftTreeRegressor(**SMALL, epochs=6, warm_start=True).fit(X, y)
    assert np.array_equal(warm.predict(X), once)
    first = warm.score(X, y)
    warm.fit(X, y)
    assert warm.score(X, y) >= first
    assert not np.array_equal(warm.predict(X), once)


def test_partial_fit_learns_from_one_batch_after_the_other():
    X, y, _ = waves(900, 3)
    test_X, test_y, _ = waves(300, 4)
    model = SoftTreeRegressor(**SMALL)
    scores = []
    for batch in np.split(np.arange(900), 3):
        model.partial_fit(X[batch], y[batch])
        scores.append(model.score(test_X, test_y))
    assert scores[2] > scores[0]
    assert model.n_features_in_ == 2
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :1], y)


def test_partial_fit_takes_up_classes_as_they_come():
    X, _, kinds = waves(600, 5, ("a", "b", "c"))
    early = kinds[:300] != "c"
    model = SoftTreeClassifier(**SMALL)
    model.partial_fit(X[:300][early], kinds[:300][early], classes=["a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b"]
    model.partial_fit(X[300:], kinds[300:])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict_proba(X).shape == (600, 3)
    assert model.score(X[300:], kinds[300:]) > 0.8
    with pytest.raises(softwood.Error, match="none of classes"):
        model.partial_fit(X, np.full(600, "d"), classes=["a", "b", "c"])


def test_classes_that_are_numbers_stay_in_the_models_order():
    X, _, kinds = waves(600, 6, (10, 9, 2))
    early = kinds[:300] == 10
    y = np.where(early, 10, 20)
    model = SoftTreeClassifier(**SMALL, loss="softmax", class_weight="balanced").fit(X[:300], y)
    model.set_params(warm_start=True).fit(X[300:], kinds[300:])
    assert model.classes_.tolist() == [10, 20, 2, 9]
    assert model.score(X[300:], kinds[300:]) > 0.8


def test_two_classes_of_a_logistic_loss_stay_two():
    X, _, kinds = waves(300, 5, ("a", "b", "c"))
    early = kinds != "c"
    model = SoftTreeClassifier(**SMALL).fit(X[early], kinds[early])
    before = model.predict_proba(X)
    with pytest.raises(softwood.Error, match="softmax"):
        model.partial_fit(X, kinds)
    assert np.array_equal(model.predict_proba(X), before), "a mistake leaves it as it was"
    assert model.classes_.tolist() == ["a", "b"]


def test_several_tasks_go_on():
    X, y, kinds = waves(400, 7, ("a", "b"))
    responses = {"amount": y, "kind": kinds}
    model = SoftTrees({"amount": "squared", "kind": "softmax"}, **SMALL)
    model.partial_fit(X[:200], {name: cells[:200] for name, cells in responses.items()})
    _, _, three = waves(400, 7, ("a", "b", "c"))
    model.partial_fit(X[200:], {"amount": y[200:], "kind": three[200:]})
    assert model.classes_["kind"].tolist() == ["a", "b", "c"]
    assert model.predict_proba(X)["kind"].shape == (400, 3)
    assert model.predict(X).shape == (400, 2)


def test_an_estimator_from_a_file_goes_on(tmp_path):
    X, y, kinds = waves(400, 8, ("a", "b", "c"))
    SoftTreeRegressor(**SMALL).fit(X[:200], y[:200]).save(tmp_path / "m")
    model = SoftTreeRegressor.load(tmp_path / "m")
    before = model.predict(X)
    assert not np.array_equal(model.partial_fit(X, y).predict(X), before)
    SoftTreeClassifier(**SMALL).fit(X[:200], kinds[:200]).save(tmp_path / "k")
    classifier = SoftTreeClassifier.load(tmp_path / "k").set_params(warm_start=True)
    assert classifier.fit(X, kinds).score(X, kinds) > 0.8
