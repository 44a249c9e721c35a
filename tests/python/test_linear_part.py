"""A linear part in a model file: a second reader predicts what Softwood does."""

import csv
import io

import numpy as np
import pytest
from command_line import QUICK, fail, succeed, train
from linear_part_file import linear_values, read, with_linear_part, write
from safetensors.numpy import load_file

COLUMNS = ["x", "dose", "city"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Numbers, a column with holes and one of levels, with y."""
    random = np.random.default_rng(5)
    path = tmp_path_factory.mktemp("linear") / "table.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*COLUMNS, "y"])
        for _ in range(300):
            x, dose, city = random.normal(), random.uniform(0, 9), random.choice(["Bern", "Oslo"])
            y = x + dose / 3 + (city == "Oslo") + random.normal()
            empty = random.uniform() < 0.1
            rows.writerow([x, "" if empty else dose, "" if random.uniform() < 0.1 else city, y])
    return path


@pytest.fixture(scope="module")
def unseen(tmp_path_factory):
    """Values beyond the training range, levels that were not there, missing cells."""
    path = tmp_path_factory.mktemp("linear") / "unseen.csv"
    path.write_text("x,dose,city\n0.1,3,Bern\n-50,,Oslo\n50,1e6,Rome\n0.5,4,\n,0,Bern\n")
    return path


@pytest.fixture(scope="module")
def model(tmp_path_factory, table):
    return train(tmp_path_factory.mktemp("linear"), table, "--target", "y", *QUICK)


def means(model, table):
    text = succeed("predict", model, table)
    return np.array([float(row["mean"]) for row in csv.DictReader(io.StringIO(text))])


def cells_of(path):
    with path.open() as file:
        rows = list(csv.DictReader(file))
    cells = {name: [row[name] or None for row in rows] for name in COLUMNS}
    for name in ("x", "dose"):
        cells[name] = [None if value is None else float(value) for value in cells[name]]
    return cells


def saved(tmp_path, content):
    path = tmp_path / "linear.softwood"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("which", ["table", "unseen"])
def test_numpy_predicts_the_same(tmp_path, model, which, request):
    rows = request.getfixturevalue(which)
    changed = saved(tmp_path, with_linear_part(model.read_bytes()))
    _, description, _ = read(changed.read_bytes())
    g = linear_values(description, load_file(changed), cells_of(rows))
    unit = description["tasks"][0]["unit"][0]
    added = means(changed, rows) - means(model, rows)
    np.testing.assert_allclose(added, unit * g[:, 0], rtol=1e-4, atol=1e-4 * unit)


def test_a_linear_part_alone_is_a_model(tmp_path, model, table):
    alone = saved(tmp_path, with_linear_part(model.read_bytes(), keep_trees=False))
    _, description, tensors = read(alone.read_bytes())
    g = linear_values(description, tensors, cells_of(table))[:, 0]
    offset, unit = description["members"][0]["offset"][0], description["tasks"][0]["unit"][0]
    np.testing.assert_allclose(means(alone, table), offset + unit * g, rtol=1e-4, atol=1e-4 * unit)
    described = succeed("describe", alone)
    assert "· linear\n" in described
    assert "linear   in 3 of 3 columns" in described


def test_weights_of_other_columns_are_refused(tmp_path, model, table):
    metadata, description, tensors = read(with_linear_part(model.read_bytes()))
    tensors["member.0.linear.weights"] = tensors["member.0.linear.weights"][:-1]
    assert "linear.weights" in fail(
        "predict", saved(tmp_path, write(metadata, description, tensors)), table
    )
