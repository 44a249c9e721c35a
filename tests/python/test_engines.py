"""Whole trainings by the plain double code of the reference engine and by the SIMD kernels."""

import os

import numpy as np
import pytest
from command_line import columns, fail, numbers, train
from sklearn import datasets
from synthetic import write_csv

COMMON = ("--batch-size", 32, "--quiet", "--threads", 1)
SMALL = ("--trees", 36, "--epochs", 15)


def table_of(bunch, target="y", rows=450):
    """At most so many rows, in an order of their own."""
    names = [name.replace(" ", "_").replace("/", "_") for name in bunch.feature_names]
    chosen = np.random.default_rng(1).permutation(len(bunch.data))[:rows]
    table = {name: bunch.data[chosen, column] for column, name in enumerate(names)}
    responses = bunch.target.reshape(len(bunch.data), -1)[chosen]
    for column in range(responses.shape[1]):
        table[f"{target}{column or ''}"] = responses[:, column]
    return table


TABLES = {
    "diabetes": (datasets.load_diabetes, ("--target", "y", "--loss", "normal", *SMALL)),
    "wine": (datasets.load_wine, ("--target", "y", "--loss", "softmax", *SMALL)),
    "breast_cancer": (
        datasets.load_breast_cancer,
        ("--target", "y", "--recipe", "paper", "--trees", 12, "--epochs", 15),
    ),
    "iris": (
        datasets.load_iris,
        ("--target", "y", "--loss", "ordinal", "--trees", 36, "--epochs", 30, "--clip", 0.5),
    ),
    "linnerud": (
        datasets.load_linnerud,
        ("--target", "y,y1,y2", "--share", "soft", "--trees", 36, "--epochs", 30),
    ),
}


def final_losses(tmp_path, data, options, engine, monkeypatch):
    monkeypatch.setitem(os.environ, "SOFTWOOD_ENGINE", engine)
    history = tmp_path / f"{engine}.csv"
    train(tmp_path, data, *options, *COMMON, "--history", history, name=engine)
    table = columns(history.read_text())
    names = [name for name in table if name.startswith("best_validation_loss")]
    return [numbers(table[name])[-1] for name in names]


@pytest.mark.parametrize("name", TABLES)
def test_both_engines_end_with_the_same_validation_loss(tmp_path, monkeypatch, name):
    load, options = TABLES[name]
    data = write_csv(tmp_path / "data.csv", table_of(load()))
    simd = final_losses(tmp_path, data, options, "simd", monkeypatch)
    reference = final_losses(tmp_path, data, options, "reference", monkeypatch)
    assert len(simd) == options[1].count(",") + 1
    np.testing.assert_allclose(simd, reference, rtol=0.005)
    # Two ways, not one: the last bits differ.
    model = {
        engine: (tmp_path / f"{engine}.softwood").read_bytes() for engine in ("simd", "reference")
    }
    assert model["simd"] != model["reference"]


def test_an_unknown_engine_is_named(tmp_path, wave_csv, monkeypatch):
    monkeypatch.setitem(os.environ, "SOFTWOOD_ENGINE", "abacus")
    message = fail("train", wave_csv, "--target", "y", *COMMON, "-o", tmp_path / "model")
    assert "abacus" in message
    assert "reference" in message
