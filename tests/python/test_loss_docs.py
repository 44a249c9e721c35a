"""Every loss in docs/losses.md compiles, and the facts the page states about the catalogue hold."""

import os
import re

import pytest
from loss_reference import LossEval, catalogue_text

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "losses.md")
with open(PAGE, encoding="utf-8") as file:
    TEXT = file.read()
SNIPPETS = re.findall(r"```loss\n(.*?)```", TEXT, re.S)
# name, also, settings, predictions of each line of the catalogue's table
CELLS = [
    [cell.strip() for cell in line.split("|")[1:-1]]
    for line in TEXT.splitlines()
    if line.startswith("| `")
]
ROWS = [(cells[0].strip("`"), cells[1], cells[3], cells[4]) for cells in CELLS if len(cells) == 5]


@pytest.fixture(scope="module")
def library():
    process = LossEval()
    yield process
    process.close()


def num_outputs(loss):
    if loss.startswith("logsumexp"):
        return 3
    line = re.search(r"^outputs (.*)$", loss, re.M)
    sizes = re.findall(r"\w+(?:\[(\w+)\])?(?:,|$)", line.group(1)) if line else [""]
    return sum(3 if size == "classes" else int(size or 1) for size in sizes)


@pytest.mark.parametrize("loss", SNIPPETS)
def test_every_snippet_compiles_and_is_finite(library, loss):
    f = [[0.3]] * num_outputs(loss)
    value, gradient, predictions = library(loss, [1], f, {"event": [1]}, 3)
    assert abs(value[0]) < 100
    assert all(abs(row[0]) < 100 for row in gradient)
    assert predictions


@pytest.mark.parametrize(("name", "also", "settings", "predictions"), ROWS)
def test_the_catalogue_table_is_right(library, name, also, settings, predictions):
    text = catalogue_text(name)
    f = [[0.3]] * num_outputs(text)
    for spelling in [name, *re.findall(r"`(\w+)`", also)]:
        _, _, named = library(spelling, [1], f, {}, 3)
        assert sorted(named) == sorted(re.findall(r"`(\w+)`", predictions)), spelling
    stated = re.findall(r"`(\w+)=([\d.]+)`", settings)
    assert stated == re.findall(r"^param (\w+) = ([\d.]+)$", text, re.M)


def test_the_table_lists_the_whole_catalogue():
    folder = os.path.join(os.path.dirname(PAGE), "..", "src", "loss", "catalogue")
    assert sorted(row[0] for row in ROWS) == sorted(
        name[: -len(".loss")] for name in os.listdir(folder)
    )


def test_a_branch_not_taken_never_matters(library):
    _, gradient, _ = library("if(y == 0, f, log(y)*sqrt(f))", [0], [[0]])
    assert gradient == [[1]]
