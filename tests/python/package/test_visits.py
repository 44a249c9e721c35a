"""How much of its trees a row passes through: told by the model, kept in its file, drawn."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
import softwood
from softwood import plots

DEPTH = 7


def make_table(num_rows=300):
    rng = np.random.default_rng(1)
    x, z = rng.normal(size=(2, num_rows))
    return {"x": x, "z": z, "y": np.sin(2 * x) + z**2 + 0.1 * rng.normal(size=num_rows)}


def train(**options):
    few = {"epochs": 5, "members": 1, "seed": 1, "depth": DEPTH, "ensemble": "wide=3"}
    return softwood.train(make_table(), ["y"], **{**few, **options})


@pytest.fixture(scope="module")
def model():
    return train(activation="smooth_step", gamma=0.5)


def test_visits_are_between_a_path_and_everything(model):
    visits = np.array(model.nodes_visited)
    assert len(visits) == DEPTH
    assert visits[0] == 1
    assert (visits >= 1).all()
    assert (visits <= 2.0 ** np.arange(DEPTH)).all()
    assert (np.diff(visits) >= 0).all()


def test_a_narrower_step_reaches_less(model):
    hard = train(activation="smooth_step", gamma=1e-4)
    assert sum(hard.nodes_visited) < sum(model.nodes_visited)
    assert sum(hard.nodes_visited) < 1.1 * DEPTH


def test_describe_tells_the_share_and_a_file_keeps_it(model, tmp_path):
    share = 100 * sum(model.nodes_visited) / (2**DEPTH - 1)
    (line,) = [each for each in model.describe().splitlines() if each.startswith("visits")]
    assert f"of a tree's 127 splits ({share:.3g} %)" in line
    model.save(tmp_path / "y.softwood")
    loaded = softwood.load(tmp_path / "y.softwood")
    assert loaded.nodes_visited == model.nodes_visited
    assert line in loaded.describe()


def test_without_validation_rows_training_rows_tell():
    assert len(train(activation="smooth_step", valid_fraction=0).nodes_visited) == DEPTH


def test_logistic_trees_have_nothing_to_tell():
    model = train(activation="logistic")
    assert model.nodes_visited == []
    assert "visits" not in model.describe()
    with pytest.raises(softwood.Error, match="smooth_step"):
        plots.nodes_visited(model)


def test_bars_are_the_visits(model):
    ax = plots.nodes_visited(model)
    everything, reached = ax.containers
    np.testing.assert_allclose([bar.get_height() for bar in everything], 2.0 ** np.arange(DEPTH))
    np.testing.assert_allclose([bar.get_height() for bar in reached], model.nodes_visited)
    assert "of a tree's splits" in ax.get_title()
    _, given = plt.subplots()
    assert plots.nodes_visited(model, ax=given) is given
    plt.close("all")
