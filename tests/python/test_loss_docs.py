"""Every loss in docs/losses.md compiles, and the facts the page states about the catalogue hold."""

import os
import re

import pytest
from loss_reference import LossEval, catalogue_text

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "losses.md")
with open(PAGE, encoding="utf-8") as file:
    TEXT = file.read()
SNIPPETS = re.findall(r"```loss\n(.*?)```", TEXT, re.S)
# name, also, settings, predictions, cdf of each line of the catalogue's tables
CELLS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in TEXT.splitlines()
    if line.startswith("| `")
]
ROWS = [(cells[0].strip("`"), cells[1], *cells[3:]) for cells in CELLS if len(cells) == 6]


@pytest.fixture(scope="module")
def library():
    process = LossEval()
    yield process
    process.close()


SIZES = {"": 1, "classes": 3, "classes - 1": 2, "k": 2, "size(levels)": 3}


def num_outputs(loss):
    if loss.startswith("logsumexp"):
        return 3
    line = re.search(r"^outputs (.*)$", loss, re.M)
    sizes = re.findall(r"\w+(?:\[([^\]]+)\])?(?:,|$)", line.group(1)) if line else [""]
    return sum(SIZES[size] if size in SIZES else int(size) for size in sizes)


@pytest.mark.parametrize("loss", SNIPPETS)
def test_every_snippet_compiles_and_is_finite(library, loss):
    f = [[0.3]] * num_outputs(loss)
    value, gradient, predictions = library(loss, [1], f, {"event": [1]}, 3)
    assert abs(value[0]) < 100
    assert all(abs(row[0]) < 100 for row in gradient)
    assert predictions


@pytest.mark.parametrize(("name", "also", "settings", "predictions", "cdf"), ROWS)
def test_the_catalogue_table_is_right(library, name, also, settings, predictions, cdf):
    text = catalogue_text(name)
    f = [[0.3]] * num_outputs(text)
    distribution = "cdf(q) =" in text
    assert (cdf == "yes") == distribution
    assert ("variance =" in text) == (distribution and name != "ordinal")
    hidden = ["variance"] if "variance =" in text else []
    for spelling in [name, *re.findall(r"`(\w+)`", also)]:
        _, _, named = library(spelling, [0.5], f, {}, 3)
        assert sorted(named) == sorted(re.findall(r"`(\w+)`", predictions) + hidden), spelling
    stated = re.findall(r"`(\w+)=([^`]+)`", settings)
    assert stated == re.findall(r"^param (\w+) = (.+)$", text, re.M)


@pytest.mark.parametrize("loss", [loss for loss in SNIPPETS if "cdf(q)" in loss])
def test_every_distribution_shown_runs_from_zero_to_one(library, loss):
    q = [-1e9, 0.5, 3.5, 1e9]
    f = [[0.3] * len(q)] * num_outputs(loss)
    probability = library.ask(loss=loss, y=q, f=f, q=q, columns={"event": [1] * len(q)})["cdf"]
    assert probability[0] == 0 < probability[1] < probability[2] < probability[3] == 1


def test_every_function_is_on_the_page():
    folder = os.path.join(os.path.dirname(PAGE), "..", "src", "loss", "language")
    with open(os.path.join(folder, "functions.cpp")) as file:
        names = re.findall(r'^      \{"(\w+)",', file.read(), re.M)
    assert len(names) > 30
    assert [name for name in names if not re.search(rf"`{name}\b", TEXT)] == []


def test_the_table_lists_the_whole_catalogue():
    folder = os.path.join(os.path.dirname(PAGE), "..", "src", "loss", "catalogue")
    assert sorted(row[0] for row in ROWS) == sorted(
        name[: -len(".loss")] for name in os.listdir(folder) if name.endswith(".loss")
    )


def test_a_branch_not_taken_never_matters(library):
    _, gradient, _ = library("if(y == 0, f, log(y)*sqrt(f))", [0], [[0]])
    assert gradient == [[1]]
