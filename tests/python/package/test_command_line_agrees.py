"""Python and the command line make the same files and the same predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import softwood as sw
from command_line import columns, numbers, predict, succeed, train
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees
from synthetic import petals, visits, write_csv

QUICK = {"trees": 12, "depth": 2, "epochs": 4}
FLAGS = ("--trees", 12, "--depth", 2, "--epochs", 4, "--quiet")


@pytest.fixture
def wave_frame(tables):
    return pd.read_csv(tables / "wave.csv").drop(columns="id")


def bytes_of(estimator, folder):
    estimator.save(folder / "python.softwood")
    return (folder / "python.softwood").read_bytes()


def test_regressors_are_equal_byte_for_byte(tmp_path, tables, wave_frame):
    model = train(
        tmp_path,
        tables / "wave.csv",
        "--target",
        "y",
        "--loss",
        "squared",
        "--features",
        "x1,x2,city",
        *FLAGS,
    )
    X, y = wave_frame.drop(columns="y"), wave_frame["y"]
    fitted = SoftTreeRegressor("squared", features=["x1", "x2", "city"], **QUICK).fit(X, y)
    assert bytes_of(fitted, tmp_path) == model.read_bytes()


def test_classifiers_are_equal_byte_for_byte(tmp_path, tables):
    model = train(tmp_path, tables / "petals.csv", "--target", "kind", "--loss", "softmax", *FLAGS)
    frame = pd.read_csv(tables / "petals.csv")
    fitted = SoftTreeClassifier("softmax", **QUICK).fit(frame.drop(columns="kind"), frame["kind"])
    assert bytes_of(fitted, tmp_path) == model.read_bytes()


def test_several_tasks_are_equal_byte_for_byte(tmp_path):
    frame = pd.DataFrame(visits()).rename(columns={"y": "visits"})
    frame["any"] = (frame["visits"] > 0).astype(int)
    frame.to_csv(tmp_path / "visits.csv", index=False)
    model = train(
        tmp_path,
        tmp_path / "visits.csv",
        "--task",
        "visits=nb",
        "--task",
        "any=logistic",
        "--share",
        "soft",
        "--members",
        2,
        *FLAGS,
    )
    trees = SoftTrees({"visits": "nb", "any": "logistic"}, share="soft", members=2, **QUICK)
    trees.fit(sw.read(tmp_path / "visits.csv"))
    assert bytes_of(trees, tmp_path) == model.read_bytes()


def test_weights_of_tasks_are_those_of_the_command_line(tmp_path):
    frame = pd.DataFrame(visits()).rename(columns={"y": "visits"})
    frame["any"] = (frame["visits"] > 0).astype(int)
    frame.to_csv(tmp_path / "visits.csv", index=False)
    tasks = ("--task", "visits=nb", "--task", "any=logistic")
    weights = ("--task-weight", "visits=3", "--stop-weight", "any=0")
    model = train(tmp_path, tmp_path / "visits.csv", *tasks, *weights, *FLAGS)
    trees = SoftTrees(
        {"visits": "nb", "any": "logistic"},
        task_weight={"visits": 3},
        stop_weight={"any": 0},
        **QUICK,
    ).fit(frame)
    assert bytes_of(trees, tmp_path) == model.read_bytes()
    plain = SoftTrees({"visits": "nb", "any": "logistic"}, **QUICK).fit(frame)
    assert (plain.predict(frame) != trees.predict(frame)).any()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_no_byte(tmp_path, wave_frame, threads):
    X, y = wave_frame.drop(columns="y"), wave_frame["y"]
    one = SoftTreeRegressor(**QUICK, threads=1).fit(X, y)
    several = SoftTreeRegressor(**QUICK, threads=threads).fit(X, y)
    assert bytes_of(one, tmp_path) == bytes_of(several, tmp_path)


def test_a_file_of_the_command_line_predicts_in_python(tmp_path, tables):
    model = train(tmp_path, tables / "visits.csv", "--target", "y", "--loss", "nb", *FLAGS)
    asked = (
        "--quantiles",
        "0.1,0.9",
        "--interval",
        "0.5",
        "--prob-above",
        "2",
        "--sample",
        3,
        "--seed",
        7,
        "--moments",
    )
    texts = predict(model, tables / "visits.csv", *asked)
    frame = pd.read_csv(tables / "visits.csv")
    table = sw.load(model).predict(
        frame, quantiles=[0.1, 0.9], interval=0.5, prob_above=2, sample=3, seed=7, moments=True
    )
    assert table.names == list(texts)
    for name in table.names:
        assert (table[name] == numbers(texts[name])).all(), name
    distribution = sw.load(model).distribution(frame)
    assert (distribution.quantile(0.9) == table["quantile_0.9"]).all()
    assert (distribution.sample(3, random_state=7)[:, 2] == table["sample_3"]).all()
    assert (distribution.interval(0.5)[0] == table["lower_0.5"]).all()
    assert 1 - distribution.cdf(2) == pytest.approx(table["above_2"])


def test_a_file_of_python_predicts_on_the_command_line(tmp_path, wave_frame):
    wave_frame["flag"] = wave_frame["x1"] > 0  # a column of bool
    wave_frame["when"] = pd.date_range("2020-01-01", periods=len(wave_frame), freq="h")
    wave_frame["city"] = wave_frame["city"].astype("category")
    X = wave_frame.drop(columns="y")
    fitted = SoftTreeRegressor(**QUICK).fit(X, wave_frame["y"])
    fitted.save(tmp_path / "m.softwood")
    X.to_csv(tmp_path / "X.csv", index=False)
    texts = predict(tmp_path / "m.softwood", tmp_path / "X.csv")
    assert (fitted.predict(X) == numbers(texts["mean"])).all()


def test_evaluations_agree(tmp_path, tables):
    model = train(tmp_path, tables / "visits.csv", "--target", "y", "--loss", "nb", *FLAGS)
    figures = sw.load(model).evaluate(pd.read_csv(tables / "visits.csv"))["y"]
    text = succeed("evaluate", model, tables / "visits.csv")
    for name, value in figures.metrics.items():
        assert f"{name} " in text
        assert f"{value:.6g}" in text
    assert sum(figures.pit_histogram) == pytest.approx(1)


def test_histories_agree(tmp_path, tables, wave_frame):
    path = tmp_path / "history.csv"
    train(tmp_path, tables / "wave.csv", "--target", "y", "--drop", "id", "--history", path, *FLAGS)
    texts = columns(path.read_text())
    history = SoftTreeRegressor(**QUICK).fit(wave_frame.drop(columns="y"), wave_frame["y"]).history_
    assert history.names == list(texts)
    assert (history["validation_loss"] == numbers(texts["validation_loss"])).all()


def test_the_readers_agree(tmp_path):
    path = write_csv(tmp_path / "petals.csv", petals())
    ours, theirs = sw.read(path), sw.as_table(pd.read_csv(path))
    assert ours.names == theirs.names
    for name in ours.names:
        assert (np.asarray(ours[name]) == np.asarray(theirs[name])).all(), name
