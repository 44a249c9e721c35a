"""Models of several members, as they are trained where nobody says how many."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import softwood as sw
from softwood import SoftTreeClassifier, SoftTreeRegressor, explain, plots
from synthetic import wave

SHORT = {"depth": 1, "epochs": 1, "verbose": False}


def linear_frame(num_rows: int = 150, seed: int = 3) -> pd.DataFrame:
    """y is linear in `slope` and `city`; the other columns tell nothing."""
    draw = np.random.default_rng(seed)
    frame = pd.DataFrame({f"noise{i}": draw.normal(size=num_rows) for i in range(4)})
    frame["slope"] = draw.normal(size=num_rows)
    frame["city"] = draw.choice(["Bern", "Oslo", "Rome"], num_rows)
    frame["y"] = 2 * frame["slope"] + 2 * (frame["city"] == "Oslo")
    return frame.assign(y=frame["y"] + 0.1 * draw.normal(size=num_rows))


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return linear_frame()


@pytest.fixture(scope="module")
def model(frame) -> sw.Model:
    return sw.train(frame, {"y": "normal"}, epochs=7, verbose=False)


def num_members(model: sw.Model) -> int:
    return model._core.num_members


@pytest.mark.parametrize(
    ("members", "num_rows", "expected"),
    [
        (None, 100, 8),
        ("auto", 100, 8),
        (1, 100, 1),
        (3, 100, 3),
        (None, 1100, 5),
        ("auto", 10001, 1),
    ],
)
def test_rows_say_how_many_members_there_are(members, num_rows, expected):
    data = pd.DataFrame(wave(num_rows)).drop(columns="id")
    X, y = data.drop(columns="y"), data["y"]
    fitted = SoftTreeRegressor(members=members, **SHORT).fit(X, y)
    assert num_members(fitted.model_) == expected
    assert fitted.get_params()["members"] == members
    trained = sw.train(data, "y", members=members, **SHORT)
    assert num_members(trained) == expected
    np.testing.assert_array_equal(trained.predict(X)["mean"], fitted.predict(X))


def test_the_default_says_nothing():
    assert SoftTreeRegressor().members is None


@pytest.mark.parametrize("members", [0, 101, "many", 2.5])
def test_a_bad_number_of_members_is_named(frame, members):
    with pytest.raises((sw.Error, TypeError, ValueError), match="members"):
        SoftTreeRegressor(members=members, **SHORT).fit(frame[["slope"]], frame["y"])


def test_rows_to_validate_on_mean_one_model(frame):
    X, y = frame.drop(columns="y"), frame["y"]
    fitted = SoftTreeRegressor(**SHORT).fit(X[:100], y[:100], eval_set=(X[100:], y[100:]))
    assert num_members(fitted.model_) == 1
    with pytest.raises(sw.Error, match="members"):
        SoftTreeRegressor(members=3, **SHORT).fit(X, y, eval_set=(X, y))


def test_there_are_no_more_members_than_groups(frame):
    X, y = frame.drop(columns="y"), frame["y"]
    fitted = SoftTreeRegressor(**SHORT).fit(X, y, groups=frame["city"])
    assert num_members(fitted.model_) == 3


def test_two_rows_are_enough():
    X = np.array([[0.0], [1.0]])
    assert np.isfinite(SoftTreeRegressor(**SHORT).fit(X, [0.0, 1.0]).predict(X)).all()


def test_a_callback_is_told_once_per_epoch_of_all_members(frame):
    heard = []
    trained = sw.train(frame, "y", members=4, epochs=3, verbose=False, callbacks=[heard.append])
    assert [(each.epoch, each.member, each.members) for each in heard] == [
        (epoch, 1, 4) for epoch in (1, 2, 3)
    ]
    assert list(trained.history["epoch"]) == [1, 2, 3]
    assert "member" not in trained.history.names


def test_a_stopped_training_leaves_all_members(frame):
    trained = sw.train(frame, "y", epochs=50, verbose=False, callbacks=[lambda epoch: True])
    assert num_members(trained) == 8
    assert " in 1 epochs (stopped)" in trained.describe()


def test_members_show_their_history_as_one(model):
    figure = plots.learning_curves(model)
    (ax,) = figure.axes
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["training", "validation", "validation, best so far", "best epoch"]
    assert len([line for line in ax.lines if len(line.get_xdata()) == 7]) == 3
    plt.close(figure)


def test_importances_of_a_linear_part_name_the_true_columns(frame, model):
    assert model.describe().count("linear   in 6 of 6 columns") == 1
    shares = explain.importances(model, frame)
    assert max(shares, key=shares.get) == "slope"
    fitted = SoftTreeRegressor(epochs=7).fit(frame.drop(columns="y"), frame["y"])
    assert "linear   in 6 of 6 columns" in fitted.model_.describe()
    found = dict(zip(fitted.feature_names_in_, fitted.feature_importances_, strict=True))
    assert found["slope"] + found["city"] > 0.9


def test_predictions_of_rows_by_the_member_that_has_not_seen_them(frame, model):
    held_out = np.asarray(model.predict_out_of_fold(frame)["mean"])
    assert np.isfinite(held_out).all()
    assert not np.allclose(held_out, model.predict(frame)["mean"])
    assert np.corrcoef(held_out, frame["y"])[0, 1] > 0.95


def test_one_member_has_no_folds(frame):
    alone = sw.train(frame, "y", members=1, **SHORT)
    with pytest.raises(sw.Error, match="several members"):
        alone.predict_out_of_fold(frame)


def test_a_tree_is_one_of_a_member(frame, model):
    first, last = (explain.tree(model, 0, frame, member=member) for member in (0, 7))
    assert (first.member, last.member) == (0, 7)
    assert first.splits[0].bias != last.splits[0].bias
    with pytest.raises(sw.Error, match="no member 8"):
        explain.tree(model, 0, member=8)
    figure = plots.tree(model, 0, frame, member=7)
    plt.close(figure)


def test_a_distribution_is_a_mixture_of_the_members(frame, model):
    distribution = model.distribution(frame)
    np.testing.assert_allclose(
        distribution.mean(), model.predict(frame)["mean"], rtol=1e-3, atol=1e-3
    )
    assert (distribution.quantile(0.9) > distribution.quantile(0.1)).all()


def test_a_file_holds_all_members(tmp_path, frame, model):
    model.save(tmp_path / "m.softwood")
    loaded = sw.load(tmp_path / "m.softwood")
    np.testing.assert_array_equal(loaded.predict(frame)["mean"], model.predict(frame)["mean"])
    assert loaded.describe() == model.describe()
    assert repr(loaded).startswith("<softwood.Model of y (normal): 8 × ")


def test_threads_change_no_bit(frame):
    one, two = (
        sw.train(frame, "y", epochs=2, verbose=False, threads=threads)._core.to_bytes()
        for threads in (1, 2)
    )
    assert one == two


def test_classes_of_few_rows_are_learned_by_members(frame):
    X = frame.drop(columns="y")
    kind = np.where(frame["y"] > 1, "high", "low")
    fitted = SoftTreeClassifier(epochs=5).fit(X, kind)
    assert num_members(fitted.model_) == 8
    chances = fitted.predict_proba(X)
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=1e-9)
    assert fitted.score(X, kind) > 0.85
