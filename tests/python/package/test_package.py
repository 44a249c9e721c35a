"""The package as people meet it at a prompt."""

from __future__ import annotations

import builtins
import importlib.util
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import softwood as sw
from sklearn.exceptions import NotFittedError
from softwood import SoftTreeRegressor, _core
from synthetic import wave

QUICK = {"trees": 6, "depth": 2, "epochs": 2, "threads": 1}


WITHOUT_TORCH = """
import sys
class NoTorch:
    def find_spec(self, name, *_):
        if name == "torch":
            raise ImportError(name)
sys.meta_path.insert(0, NoTorch())
from softwood import *
print(abs(-1), sum([1, 2]), SoftTrees.__name__)
"""


def test_all_of_it_can_be_imported_without_torch():
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True)
    assert done.stdout == "1 3 SoftTrees\n", done.stderr
    assert not [name for name in sw.__all__ if hasattr(builtins, name)]
    assert {"torch", "plots", "explain", "DataWarning"} <= set(dir(sw))
    assert sw.abs(-1.0) == 1
    assert importlib.util.find_spec("softwood.torch") is not None


@pytest.fixture(scope="module")
def waves() -> pd.DataFrame:
    return pd.DataFrame(wave()).drop(columns="id")


@pytest.fixture(scope="module")
def fitted(waves) -> SoftTreeRegressor:
    return SoftTreeRegressor("normal", **QUICK).fit(waves.drop(columns="y"), waves["y"])


def test_things_show_what_they_are(fitted, waves):
    X, y = waves.drop(columns="y"), waves["y"]
    assert repr(fitted.model_) == "<softwood.Model of y (normal): 6 trees on 3 columns>"
    figures = fitted.evaluate(X, y)
    lines = repr(figures).splitlines()
    assert lines[0] == f"y (normal), {len(y)} rows"
    shown = dict(line.split() for line in lines[1:])
    assert shown == {name: f"{value:.6g}" for name, value in figures.metrics.items()}
    some = fitted.evaluate(X, y.where(y.index > 9))
    assert repr(some).startswith(f"y (normal), {len(y) - 10} rows of {len(y)} have a response\n")
    few = fitted.predict_distribution(X[:2])
    assert repr(few).startswith("<distributions of 'y' (numbers), 2 rows")


def test_a_table_becomes_what_others_expect(waves):
    table = sw.as_table(waves)
    numbers = table[["x1", "x2", "y"]]
    assert np.array_equal(np.asarray(numbers), waves[["x1", "x2", "y"]].to_numpy(), equal_nan=True)
    assert np.asarray(numbers, dtype=np.float32).dtype == np.float32
    pd.testing.assert_frame_equal(
        pd.DataFrame(numbers, columns=numbers.names), waves[["x1", "x2", "y"]]
    )
    mixed = pd.DataFrame(table)
    assert mixed.shape == waves.shape
    assert mixed[waves.columns.get_loc("city")].tolist() == waves["city"].tolist()
    pd.testing.assert_frame_equal(pd.DataFrame(dict(table)), waves, check_dtype=False)
    with pytest.raises(ValueError, match="copy"):
        np.asarray(table, copy=False)


@pytest.fixture
def interrupted(monkeypatch):
    """A training that ends before it has learned anything."""

    def train(*arguments):
        raise KeyboardInterrupt

    return lambda: monkeypatch.setattr(_core, "train", train)


def test_an_interrupt_before_anything_is_learned_changes_nothing(waves, interrupted):
    X, y = waves.drop(columns="y"), waves["y"]
    fresh = SoftTreeRegressor(**QUICK)
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    before, names = fitted.predict(X), fitted.feature_names_in_.tolist()
    interrupted()
    with pytest.raises(KeyboardInterrupt):
        fresh.fit(X, y)
    with pytest.raises(NotFittedError):
        fresh.predict(X)
    assert not hasattr(fresh, "feature_importances_")
    with pytest.raises(KeyboardInterrupt):
        fitted.fit(X[["x1"]], y)
    assert (fitted.predict(X) == before).all()
    assert fitted.feature_names_in_.tolist() == names


def test_a_mistake_leaves_an_estimator_as_it_was(waves):
    X, y = waves.drop(columns="y"), waves["y"]
    fitted = SoftTreeRegressor(**QUICK).fit(X, y)
    before = fitted.predict(X)
    with pytest.raises(sw.Error):
        fitted.fit(X[["x1"]], waves["city"])
    assert (fitted.predict(X) == before).all()
