"""Importances and trees as Python shows them."""

from __future__ import annotations

import numpy as np
import pytest
import softwood
from plotted_models import FEATURES, make_model, make_table
from softwood import explain


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(scope="module")
def model():
    return make_model({"y": "squared"})


def added_by(curve: explain.Curve, cell: object) -> float:
    """What a cell adds to z, by the view alone."""
    if cell is None or cell != cell:
        return curve.missing
    if curve.kind == "levels":
        return dict(zip(curve.levels, curve.values, strict=True)).get(cell, curve.other)
    if curve.kind == "linear":
        return curve.slope * (cell - curve.centre)
    return float(np.interp(cell, curve.edges, curve.values))


def output_of(tree: explain.Tree, cells: dict[str, object]) -> float:
    reach = [1.0]
    for i, split in enumerate(tree.splits):
        z = split.bias + sum(added_by(curve, cells[curve.name]) for curve in split.columns)
        if tree.activation == "logistic":
            left = 1 / (1 + np.exp(-z))
        else:
            t = np.clip(z / tree.gamma, -0.5, 0.5)
            left = -2 * t**3 + 1.5 * t + 0.5
        reach += [reach[i] * left, reach[i] * (1 - left)]
    leaves = reach[len(tree.splits) :]
    return sum(p * leaf.values[0] for p, leaf in zip(leaves, tree.leaves, strict=True))


def cells_of(table, row: int) -> dict[str, object]:
    day = table["day"][row].astype("datetime64[D]")
    number = day.astype(int)
    return {
        "x": table["x"][row],
        "holes": table["holes"][row],
        "city": table["city"][row],
        "day.time": number,
        "day.year": day.astype("datetime64[Y]").astype(int) + 1970,
        "day.month": day.astype("datetime64[M]").astype(int) % 12 + 1,
        "day.day": (day - day.astype("datetime64[M]")).astype(int) + 1,
        "day.weekday": (number + 3) % 7 + 1,
    }


@pytest.mark.parametrize("options", [{}, {"recipe": "paper", "activation": "smooth_step"}])
def test_trees_alone_reproduce_the_predictions(table, options):
    model = make_model({"y": "squared"}, **options)
    trees = [explain.tree(model, i) for i in range(model._core.num_trees)]
    predicted = model.predict(table)["mean"]
    for row in (0, 57, 311):
        total = sum(output_of(tree, cells_of(table, row)) for tree in trees)
        assert trees[0].outputs[0].offset + total == pytest.approx(predicted[row], abs=1e-4)


def test_rows_that_come_to_a_node_go_left_or_right(model, table):
    tree = explain.tree(model, 3, table)
    shares = [each.share for each in (*tree.splits, *tree.leaves)]
    assert shares[0] == pytest.approx(1)
    for node in range(len(tree.splits)):
        assert shares[2 * node + 1] + shares[2 * node + 2] == pytest.approx(shares[node])


def test_without_rows_nobody_passes(model):
    tree = explain.tree(model, 0)
    assert {each.share for each in (*tree.splits, *tree.leaves)} == {None}


def test_a_tree_has_its_outputs_and_the_strongest_column_first(table):
    model = make_model({"three": None, "count": "poisson"})
    tree = explain.tree(model, 0, table)
    assert [(each.task, each.name, each.label) for each in tree.outputs] == [
        ("three", "f[0]", "high"),
        ("three", "f[1]", "low"),
        ("three", "f[2]", "middle"),
        ("count", "log_rate", ""),
    ]
    assert tree.leaves[0].values.shape == (4,)
    for split in tree.splits:
        strengths = [curve.strength for curve in split.columns]
        assert strengths == sorted(strengths, reverse=True)


def test_importances_find_what_matters_and_sum_to_one(model, table):
    shares = explain.importances(model, table)
    assert list(shares) == FEATURES
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["x"] > 0.8
    assert shares["city"] > shares["holes"]


def test_importances_of_several_tasks_come_by_target(table):
    shares = explain.importances(make_model({"y": None, "two": None}), table)
    assert list(shares) == ["y", "two"]
    assert all(sum(each.values()) == pytest.approx(1) for each in shares.values())


def test_importances_depend_on_the_seed_and_not_on_threads(model, table):
    one = explain.importances(model, table, max_rows=100, threads=1)
    assert explain.importances(model, table, max_rows=100, threads=3) == one
    assert explain.importances(model, table, max_rows=100, seed=1) != one


def test_an_estimator_is_explained_by_its_model(table):
    from softwood.estimators import SoftTreeRegressor

    estimator = SoftTreeRegressor(trees=8, epochs=2)
    random = np.random.default_rng(0)
    X = random.normal(size=(200, 2))
    estimator.fit(X, X[:, 1])
    shares = explain.importances(estimator, X)
    assert list(shares) == estimator.model_.features
    assert shares == explain.importances(estimator.model_, X)
    assert explain.tree(estimator, 0, X).splits[0].share == pytest.approx(1)


def test_a_tree_that_is_not_there_is_an_error(model):
    with pytest.raises(softwood.Error, match=r"there is no tree 16: the model has 16"):
        explain.tree(model, 16)
    with pytest.raises(softwood.Error, match="no member 1"):
        explain.tree(model, 0, member=1)
    with pytest.raises(softwood.Error, match="counted from 0"):
        explain.tree(model, -1)


def test_what_is_no_model_is_an_error(table):
    with pytest.raises(softwood.Error, match="list is no fitted model"):
        explain.importances([], table)
