"""Groups of wide and narrow trees, from the command line."""

import json
import re

import numpy as np
import pytest
from command_line import QUICK, fail, numbers, predict, run, train
from safetensors import safe_open
from synthetic import wave, write_csv
from tree_tensors import tree_tensors

TARGET = ("--target", "y", "--drop", "id")
SHORT = (*TARGET, "--depth", 3, "--epochs", 4, "--quiet")


def described(model, member=0):
    """What the file says of a member's trees: a list of bundles."""
    with safe_open(model, framework="numpy") as file:
        return json.loads(file.metadata()["model"])["members"][member]["trees"]["bundles"]


def num_trees(model):
    return sum(bundle["trees"] for bundle in described(model))


def test_groups_are_trained_and_added(tmp_path, wave_csv):
    model = train(tmp_path, wave_csv, "--ensemble", "wide=3,narrow=4x2", *SHORT)
    # A group without weight is left out.
    assert num_trees(model) in (3, 4, 7, 8, 11)
    with safe_open(model, framework="numpy") as file:
        assert file.get_tensor("member.0.leaves").shape == (num_trees(model) * 8,)


@pytest.mark.parametrize(("groups", "total"), [("wide=5", 5), ("narrow=7", 7)])
def test_a_group_alone_is_kept_whole(tmp_path, wave_csv, groups, total):
    assert num_trees(train(tmp_path, wave_csv, "--ensemble", groups, *SHORT)) == total


def test_wide_trees_see_all_columns(tmp_path, wave_csv):
    model = train(tmp_path, wave_csv, "--ensemble", "wide=20", *SHORT)
    assert all(len(bundle["columns"]) == 3 for bundle in described(model))


@pytest.mark.parametrize("kind", ["wide", "narrow"])
def test_two_groups_of_a_kind_are_different_trees(tmp_path, wave_csv, kind):
    model = train(tmp_path, wave_csv, "--ensemble", f"{kind}=2x2", *SHORT, "--valid-fraction", 0)
    first, second = tree_tensors(model)
    assert num_trees(model) == 4
    assert not np.allclose(first["biases"], second["biases"])


def test_columns_per_tree_bounds_what_a_narrow_tree_sees(tmp_path, wave_csv):
    options = ("--ensemble", "narrow=12", "--columns-per-tree", 1)
    bundles = described(train(tmp_path, wave_csv, *options, *SHORT))
    # Two trees of depth 3 share a list.
    assert all(len(bundle["columns"]) <= 2 for bundle in bundles)
    assert len({tuple(bundle["columns"]) for bundle in bundles}) > 1


@pytest.mark.parametrize("trees", [1, 2, 5, 15])
def test_few_trees_are_all_of_one_kind(tmp_path, wave_csv, trees):
    assert num_trees(train(tmp_path, wave_csv, "--trees", trees, *SHORT)) == trees


@pytest.mark.parametrize("trees", [16, 17, 30])
def test_many_trees_are_shared_out(tmp_path, wave_csv, trees):
    done = run("train", wave_csv, "-o", tmp_path / "m", "--trees", trees, *SHORT[:-1])
    assert done.returncode == 0
    groups = re.findall(r"(\d+) (wide|narrow)", groups_note(done))
    assert sum(int(count) for count, _ in groups) == trees
    assert {kind for _, kind in groups} == {"wide", "narrow"}


def groups_note(done):
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("note: trees: "))
    return line


def test_a_note_tells_what_became_of_every_group(tmp_path, wave_csv):
    groups = ("--ensemble", "wide=3,narrow=4x2")
    done = run("train", wave_csv, "-o", tmp_path / "m", *groups, *SHORT[:-1])
    assert done.returncode == 0, done.stderr
    group = r"{} {} \(best epoch ([1-4]), weight (\d+\.\d\d)\)"
    kinds = (group.format(3, "wide"), group.format(4, "narrow"), group.format(4, "narrow"))
    note = re.fullmatch("note: trees: " + ", ".join(kinds), groups_note(done))
    assert note, done.stderr
    assert sum(float(weight) for weight in note.groups()[1::2]) > 0


def test_a_group_alone_needs_no_note(tmp_path, wave_csv):
    done = run("train", wave_csv, "-o", tmp_path / "m", "--ensemble", "wide=3", *SHORT[:-1])
    assert "note: trees:" not in done.stderr


def test_the_blend_validates_no_worse_than_equal_weights(tmp_path):
    data = write_csv(tmp_path / "train.csv", wave(600, seed=1))
    table = wave(300, seed=2)
    valid = write_csv(tmp_path / "valid.csv", table)
    options = ("--valid", valid, "--epochs", 20, *TARGET, "--quiet")
    wide, narrow, both = (
        np.array(
            numbers(predict(train(tmp_path, data, "--ensemble", groups, *options), valid)["mean"])
        )
        for groups in ("wide=10", "narrow=10", "narrow=10,wide=10")
    )
    equal = np.mean(((wide + narrow) / 2 - table["y"]) ** 2)
    assert np.mean((both - table["y"]) ** 2) <= equal * (1 + 1e-6)


def test_groups_learn(tmp_path):
    data = write_csv(tmp_path / "train.csv", wave(1000, seed=1))
    fresh = wave(300, seed=9)
    test = write_csv(tmp_path / "test.csv", fresh)
    for groups in ("wide=10", "narrow=10", "narrow=10,wide=10"):
        options = ("--ensemble", groups, *TARGET, "--epochs", 60, "--batch-size", 32, "--quiet")
        mean = numbers(predict(train(tmp_path, data, *options), test)["mean"])
        assert np.mean((mean - fresh["y"]) ** 2) < 0.1 * np.var(fresh["y"]), groups


@pytest.mark.parametrize(
    "options",
    [
        ("--ensemble", "wide=5,narrow=6x2"),
        ("--ensemble", "narrow=9", "--columns-per-tree", 1),
        ("--trees", 3),
        ("--trees", 40),
        ("--members", 3, "--trees", 20),
    ],
)
def test_threads_change_no_bit(tmp_path, wave_csv, options):
    models = {
        train(tmp_path, wave_csv, *SHORT, *options, "--threads", threads).read_bytes()
        for threads in (1, 2, 3, 5)
    }
    assert len(models) == 1


@pytest.mark.parametrize(
    "groups", ["wide", "48", "wide=0", "wide=4x", "deep=4", "wide=4,", "wide=a"]
)
def test_groups_that_are_not_understood_show_how_to_write_them(tmp_path, wave_csv, groups):
    message = fail("train", wave_csv, *SHORT, "--ensemble", groups, "-o", tmp_path / "m")
    assert groups in message
    assert "wide=48,narrow=48x2" in message


def test_groups_and_trees_together_are_refused(tmp_path, wave_csv):
    both = ("--ensemble", "wide=4", "--trees", 4)
    message = fail("train", wave_csv, *SHORT, *both, "-o", tmp_path / "m")
    assert "leave out trees" in message


def test_negative_columns_per_tree_are_refused(tmp_path, wave_csv):
    wrong = ("--columns-per-tree", -1)
    assert "columns-per-tree" in fail("train", wave_csv, *SHORT, *wrong, "-o", tmp_path / "m")


@pytest.mark.parametrize("groups", ["wide=1000000", "narrow=1000000", "wide=1000000x100"])
def test_more_trees_than_the_machine_can_hold_are_refused(tmp_path, wave_csv, groups):
    options = (*TARGET, "--depth", 10, "--quiet", "--ensemble", groups)
    message = fail("train", wave_csv, *options, "-o", tmp_path / "m", timeout=30)
    assert "GB to train, and the machine has" in message


def test_a_group_of_any_kind_handles_categories_alone(tmp_path):
    table = {"city": wave(200)["city"], "y": wave(200)["y"]}
    data = write_csv(tmp_path / "data.csv", table)
    for groups in ("wide=4", "narrow=4", "wide=4,narrow=4"):
        model = train(tmp_path, data, "--target", "y", *QUICK[2:], "--ensemble", groups)
        assert np.isfinite(numbers(predict(model, data)["mean"])).all()
