"""How many members there are where nobody says it, and the linear part that they may have."""

import json
import re

import numpy as np
import pytest
from command_line import columns, fail, numbers, predict, run, succeed, train
from safetensors import safe_open
from synthetic import wave, write_csv

SHORT = ("--target", "y", "--drop", "id", "--depth", 1, "--epochs", 1, "--quiet")


def members_of(model):
    with safe_open(model, framework="numpy") as file:
        return json.loads(file.metadata()["model"])["members"]


def linear_table(num_rows, seed=1, num_columns=10):
    """y is linear in x0 and x1, with some noise; the other columns tell nothing."""
    draw = np.random.default_rng(seed)
    table = {f"x{i}": draw.normal(size=num_rows) for i in range(num_columns)}
    noise = 0.3 * draw.normal(size=num_rows)
    return table | {"y": 3 * table["x0"] - 2 * table["x1"] + noise}


@pytest.fixture(scope="module")
def small_csv(tmp_path_factory):
    return write_csv(tmp_path_factory.mktemp("small") / "small.csv", wave(120))


@pytest.mark.parametrize(
    ("num_rows", "num_members", "has_linear"),
    [(5, 2, True), (120, 8, True), (1000, 8, True), (1001, 5, False), (10001, 1, False)],
)
def test_rows_say_how_many_members_there_are(tmp_path, num_rows, num_members, has_linear):
    data = write_csv(tmp_path / "data.csv", wave(num_rows))
    model = train(tmp_path, data, *SHORT)
    assert len(members_of(model)) == num_members
    groups = {group["kind"] for group in members_of(model)[0]["training"]["groups"]}
    assert ("linear" in groups) == has_linear


def test_rows_without_a_response_do_not_count(tmp_path):
    table = wave(1100)
    table["y"] = [y if row % 10 else "" for row, y in enumerate(table["y"])]
    data = write_csv(tmp_path / "data.csv", table)
    assert len(members_of(train(tmp_path, data, *SHORT))) == 8


@pytest.mark.parametrize(
    "options",
    [
        ("--members", 1),
        ("--valid-fraction", 0.3),
        ("--valid-fraction", 0),
        ("--valid-column", "is_valid"),
        ("--trees", 4),
        ("--ensemble", "wide=4"),
        ("--recipe", "paper"),
    ],
)
def test_who_says_what_validates_or_how_large_it_is_gets_one_model(tmp_path, options):
    table = wave(120) | {"is_valid": np.arange(120) % 3 == 0}
    data = write_csv(tmp_path / "data.csv", table)
    assert len(members_of(train(tmp_path, data, *SHORT, *options))) == 1


def test_a_validation_table_means_one_model(tmp_path, small_csv):
    valid = write_csv(tmp_path / "valid.csv", wave(50, seed=9))
    (member,) = members_of(train(tmp_path, small_csv, *SHORT, "--valid", valid))
    assert member["training"]["validation_rows"] == 50
    assert member["training"]["training_rows"] == 120


def test_members_that_are_counted_are_as_small_as_those_that_are_not(tmp_path, small_csv):
    by_itself, counted = (
        members_of(train(tmp_path, small_csv, *SHORT, *options))[0]["training"]["groups"]
        for options in ((), ("--members", 3))
    )
    assert [group["trees"] for group in by_itself] == [group["trees"] for group in counted]


def test_auto_may_be_said(tmp_path, small_csv):
    silent, said = (
        train(tmp_path, small_csv, *SHORT, *options).read_bytes()
        for options in ((), ("--members", "auto"))
    )
    assert silent == said


def test_there_are_no_more_members_than_groups_that_stay_together(tmp_path, small_csv):
    model = train(tmp_path, small_csv, *SHORT, "--keep-together", "city")
    assert len(members_of(model)) == 3


def test_threads_change_no_bit_of_several_members(tmp_path, small_csv):
    one, two = (
        train(tmp_path, small_csv, "--target", "y", "--epochs", 3, "--quiet", "--threads", threads)
        for threads in (1, 2)
    )
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize("members", [0, 101, "many"])
def test_a_bad_number_of_members_is_told_what_it_may_be(tmp_path, small_csv, members):
    output = tmp_path / "m.softwood"
    message = fail("train", small_csv, *SHORT, "-o", output, "--members", members)
    assert "members" in message
    assert str(members) in message
    assert not output.exists()


def test_the_command_says_what_it_made(tmp_path, small_csv):
    model = tmp_path / "m.softwood"
    done = run("train", small_csv, *SHORT[:-1], "-o", model, "--ensemble", "linear,wide=4")
    assert done.returncode == 0
    assert "4 trees of depth 1 and a linear part on 3 columns in" in done.stderr
    done = run("train", small_csv, *SHORT[:-1], "-o", model, "--members", 3)
    assert "3 members, epoch 1/1  train" in done.stderr
    assert "\n3 members of " in done.stderr
    assert re.search(r"^note: trees: 16 wide .*, linear \(weight", done.stderr, re.M)


def test_describe_says_once_what_members_have_in_common(tmp_path, small_csv):
    options = ("--members", 5, "--ensemble", "wide=4")
    text = succeed("describe", train(tmp_path, small_csv, *SHORT, *options))
    assert "members  5, each:\ntrees    4 of depth 1 (4 wide, 0 narrow), " in text
    assert "\n         from 96 rows in 1 epochs, validation loss " in text
    assert " on 120 of all members\n" in text
    assert text.count("trees    ") == 1


def test_describe_tells_the_range_of_the_members_rows(tmp_path):
    data = write_csv(tmp_path / "data.csv", wave(100))
    options = ("--members", 3, "--ensemble", "wide=4")
    text = succeed("describe", train(tmp_path, data, *SHORT, *options))
    assert "\n         from 66 to 67 rows in 1 epochs" in text


def test_describe_knows_the_linear_part_of_all_members(tmp_path):
    data = write_csv(tmp_path / "data.csv", linear_table(200))
    options = ("--target", "y", "--members", 3, "--ensemble", "linear,wide=4", "--epochs", 2)
    text = succeed("describe", train(tmp_path, data, *options, "--quiet"))
    assert text.count("linear   in 10 of 10 columns\n") == 1
    assert "· (trees + linear)\n" in text


def test_out_of_fold_predictions_are_written_by_members_with_a_linear_part(tmp_path):
    table = linear_table(150)
    data, folds = write_csv(tmp_path / "data.csv", table), tmp_path / "folds.csv"
    options = ("--target", "y", "--members", 5, "--epochs", 3, "--quiet")
    train(tmp_path, data, *options, "--out-of-fold", folds)
    told = columns(folds.read_text())
    assert set(told["fold"]) == {"0", "1", "2", "3", "4"}
    error = np.mean((numbers(told["mean"]) - table["y"]) ** 2)
    assert error < 0.15 * np.var(table["y"])


def squared_error(folder, groups, training, test):
    data = write_csv(folder / "data.csv", training)
    fresh = write_csv(folder / "fresh.csv", test)
    options = ("--target", "y", "--ensemble", groups, "--epochs", 20, "--quiet")
    told = predict(train(folder, data, *options), fresh)
    return np.mean((numbers(told["mean"]) - test["y"]) ** 2)


def test_a_linear_part_is_better_where_the_truth_is_linear(tmp_path):
    sides = (linear_table(200), linear_table(1000, seed=2))
    trees_alone = squared_error(tmp_path, "wide=8", *sides)
    assert squared_error(tmp_path, "linear,wide=8", *sides) < 0.7 * trees_alone
    assert squared_error(tmp_path, "linear,rest_wide=8", *sides) < 0.7 * trees_alone


def test_trees_learn_what_the_linear_part_leaves(tmp_path):
    def bent(table):
        return table | {"y": table["y"] + 4 * np.abs(table["x2"])}

    sides = (bent(linear_table(400)), bent(linear_table(1000, seed=2)))
    error = squared_error(tmp_path, "linear,rest_wide=16", *sides)
    # What no linear function can explain: 16 · (1 − 2 / π) = 5.8, and 0.09 of noise.
    assert error < 2


def test_groups_on_top_of_no_linear_part_are_refused(tmp_path, small_csv):
    message = fail(
        "train", small_csv, *SHORT, "-o", tmp_path / "m", "--ensemble", "wide=4,rest_wide=4"
    )
    assert "add 'linear'" in message


def test_a_linear_part_without_trees_is_refused(tmp_path, small_csv):
    message = fail("train", small_csv, *SHORT, "-o", tmp_path / "m", "--ensemble", "linear")
    assert "no trees" in message
