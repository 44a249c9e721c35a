"""Several members on folds of the rows, and out-of-fold predictions."""

import re
import signal
import subprocess
import time

import numpy as np
import pytest
from command_line import SOFTWOOD, columns, fail, numbers, predict, run, succeed, train
from safetensors.numpy import load_file
from synthetic import petals, visits, wave, write_csv

TARGET = ("--target", "y", "--drop", "id", "--quiet")
SHORT = (*TARGET, "--trees", 10, "--depth", 2, "--epochs", 4)
SOLID = (*TARGET, "--trees", 20, "--epochs", 30, "--batch-size", 32)


def out_of_fold(tmp_path, data, *options):
    """Columns of the out-of-fold predictions; the model is at tmp_path/model.softwood."""
    path = tmp_path / "out_of_fold.csv"
    train(tmp_path, data, *options, "--out-of-fold", path)
    return columns(path.read_text())


def r_squared(predicted, truth):
    return 1 - np.mean((np.asarray(predicted) - truth) ** 2) / np.var(truth)


def test_five_members_learn_on_folds(tmp_path):
    table = wave(601)
    data = write_csv(tmp_path / "data.csv", table)
    predicted = out_of_fold(tmp_path, data, "--members", 5, *SOLID)
    assert list(predicted) == ["fold", "mean"]
    sizes = np.bincount(np.array(predicted["fold"], int))
    assert sorted(sizes) == [120, 120, 120, 120, 121]
    assert r_squared(numbers(predicted["mean"]), table["y"]) > 0.9
    names = load_file(tmp_path / "model.softwood")
    assert {name.split(".")[1] for name in names} == {"0", "1", "2", "3", "4"}


def test_the_average_is_better_than_out_of_fold_on_fresh_rows_or_nearly(tmp_path):
    data = write_csv(tmp_path / "data.csv", wave(400))
    fresh = wave(400, seed=8)
    test = write_csv(tmp_path / "test.csv", fresh)
    folds = out_of_fold(tmp_path, data, "--members", 4, *SOLID)
    honest = r_squared(numbers(folds["mean"]), wave(400)["y"])
    mean = numbers(predict(tmp_path / "model.softwood", test)["mean"])
    assert r_squared(mean, fresh["y"]) > honest - 0.02


def test_members_of_a_classifier_average_probabilities(tmp_path):
    data = write_csv(tmp_path / "data.csv", petals())
    options = ("--target", "kind", "--members", 3, "--trees", 10, "--epochs", 5, "--quiet")
    predicted = out_of_fold(tmp_path, data, *options)
    for table in (predicted, predict(tmp_path / "model.softwood", data)):
        chances = [numbers(cells) for name, cells in table.items() if "probability" in name]
        np.testing.assert_allclose(np.sum(chances, axis=0), 1, atol=1e-9)
    assert np.mean(np.array(predicted["class"]) == petals()["kind"]) > 0.9


def test_a_loss_that_reads_a_column_predicts_out_of_fold_too(tmp_path):
    data = write_csv(tmp_path / "data.csv", visits())
    options = ("--loss", "poisson(exposure=years)", "--members", 3, "--target", "y", "--quiet")
    predicted = out_of_fold(tmp_path, data, *options, "--trees", 8, "--epochs", 4)
    assert min(numbers(predicted["mean"])) > 0


def test_rows_without_a_response_have_no_fold(tmp_path):
    table = wave(200)
    table["y"] = [y if row % 4 else "" for row, y in enumerate(table["y"])]
    data = write_csv(tmp_path / "data.csv", table)
    predicted = out_of_fold(tmp_path, data, "--members", 3, *SHORT)
    assert [fold == "" for fold in predicted["fold"]] == [row % 4 == 0 for row in range(200)]
    assert np.isfinite(numbers(predicted["mean"])).all()


def test_a_row_is_predicted_by_a_member_that_never_saw_its_response(tmp_path):
    # Swapped responses leave the offset and unit of y as they were. A single group needs no blend,
    # and of one epoch the validation rows cannot choose a better: they have no say at all. Offsets
    # that are fitted once more, to all rows of all members, would have, and spared knots too.
    table = {**wave(200), "fold": np.arange(200) % 4}
    table["y"][[2, 6]] = [-20, 20]  # both of fold 2
    blind = (*TARGET, "--fold-column", "fold", "--ensemble", "wide=10", "--epochs", 1)
    blind = (*blind, "--balance", "false", "--keep-loss", 0)
    before = out_of_fold(tmp_path, write_csv(tmp_path / "data.csv", table), *blind)
    table["y"][[2, 6]] = [20, -20]
    after = out_of_fold(tmp_path, write_csv(tmp_path / "data.csv", table), *blind)
    change = np.abs(np.subtract(numbers(before["mean"]), numbers(after["mean"])))
    own = table["fold"] == 2
    assert change[own].max() < 1e-5
    assert change[~own].max() > 1e-3


def test_out_of_fold_is_honest_where_nothing_can_be_learned(tmp_path):
    # Not quite: each fold chooses its member's epoch and weights.
    found = []
    for seed in (1, 2, 3):
        draw = np.random.default_rng(seed)
        table = {f"x{i}": draw.normal(size=1000) for i in range(5)}
        table |= {"id": range(1000), "y": draw.normal(size=1000)}
        data = write_csv(tmp_path / "data.csv", table)
        predicted = out_of_fold(tmp_path, data, "--members", 5, *SOLID)
        found.append(r_squared(numbers(predicted["mean"]), table["y"]))
    assert np.mean(found) < 0.02


def test_a_column_can_name_the_folds(tmp_path):
    table = {**wave(300), "part": np.array(["b", "c", "a"])[np.arange(300) % 3]}
    data = write_csv(tmp_path / "data.csv", table)
    predicted = out_of_fold(tmp_path, data, "--fold-column", "part", *SHORT)
    assert [{"a": 0, "b": 1, "c": 2}[part] for part in table["part"]] == numbers(predicted["fold"])
    bare = {name: column for name, column in table.items() if name in ("x1", "x2", "city")}
    succeed("predict", tmp_path / "model.softwood", write_csv(tmp_path / "bare.csv", bare))


def test_numbered_folds_keep_their_numbers(tmp_path):
    table = {**wave(360), "part": np.arange(360) % 12}
    data = write_csv(tmp_path / "data.csv", table)
    predicted = out_of_fold(tmp_path, data, "--fold-column", "part", *SHORT)
    assert numbers(predicted["fold"]) == list(table["part"])


@pytest.mark.parametrize("share", [0.03, 0.5, 0.97])
def test_folds_may_differ_in_size(tmp_path, share):
    table = {**wave(400), "part": np.where(np.arange(400) < 400 * share, "a", "b")}
    data = write_csv(tmp_path / "data.csv", table)
    predicted = out_of_fold(tmp_path, data, "--fold-column", "part", *SHORT)
    assert np.isfinite(numbers(predicted["mean"])).all()


@pytest.mark.parametrize("num_rows", [11, 33, 166, 401, 402, 403, 404])
def test_any_number_of_rows_can_be_dealt_into_folds(tmp_path, num_rows):
    data = write_csv(tmp_path / "data.csv", wave(num_rows))
    predicted = out_of_fold(tmp_path, data, "--members", 5, *SHORT)
    assert len(predicted["mean"]) == num_rows


def test_groups_stay_together(tmp_path):
    patient = np.random.default_rng(3).integers(0, 40, 300)
    data = write_csv(tmp_path / "data.csv", {**wave(300), "patient": patient})
    folds = numbers(
        out_of_fold(tmp_path, data, "--members", 5, "--keep-together", "patient", *SHORT)["fold"]
    )
    assert len(set(folds)) == 5
    assert len(set(zip(patient, folds, strict=True))) == len(set(patient))


def test_members_that_keep_step_have_one_history(tmp_path, wave_csv):
    history = tmp_path / "history.csv"
    train(tmp_path, wave_csv, "--members", 3, *SHORT, "--history", history)
    table = columns(history.read_text())
    assert "member" not in table
    assert table["epoch"] == ["1", "2", "3", "4"]


def test_the_best_loss_of_the_history_is_that_of_the_out_of_fold_predictions(tmp_path):
    table = wave(203)  # folds of unequal size
    data, history = write_csv(tmp_path / "data.csv", table), tmp_path / "history.csv"
    options = ("--members", 3, *SHORT, "--balance", "false", "--history", history)
    options += ("--keep-loss", 0)  # what is done after the last epoch changes it a little
    predicted = out_of_fold(tmp_path, data, *options)
    loss = np.mean((numbers(predicted["mean"]) - table["y"]) ** 2)
    last = numbers(columns(history.read_text())["best_validation_loss"])[-1]
    np.testing.assert_allclose(last, loss, rtol=1e-4)
    (told,) = re.findall(
        r"validation loss (\S+) on 203", succeed("describe", data.with_name("model.softwood"))
    )
    np.testing.assert_allclose(float(told), loss, rtol=1e-4)


def test_the_same_seed_gives_the_same_folds_and_bytes(tmp_path, wave_csv):
    one, two, other = (
        (
            out_of_fold(tmp_path, wave_csv, "--members", 3, "--seed", seed, *SHORT),
            (tmp_path / "model.softwood").read_bytes(),
        )
        for seed in (5, 5, 6)
    )
    assert one == two
    assert one[0]["fold"] != other[0]["fold"]


def test_ctrl_c_keeps_a_usable_model(tmp_path, wave_csv):
    files = {name: tmp_path / name for name in ("model.softwood", "folds.csv")}
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", "--epochs", "1000000"]
    command += ["--members", "5", "--threads", "1", "-o", files["model.softwood"]]
    command += ["--out-of-fold", files["folds.csv"]]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while "epoch" not in process.stderr.readline().lower():
            assert process.poll() is None
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(timeout=30) == 130
    assert np.isfinite(numbers(predict(files["model.softwood"], wave_csv)["mean"])).all()
    assert "interrupted" in said
    # All members have got as far.
    folds = columns(files["folds.csv"].read_text())
    assert set(folds["fold"]) == {"0", "1", "2", "3", "4"}
    assert np.isfinite(numbers(folds["mean"])).all()


@pytest.fixture
def refused(tmp_path, wave_csv):
    """The message of a training that must be refused and leave nothing behind."""

    def attempt(*options, data=wave_csv):
        output = tmp_path / "output"
        output.mkdir(exist_ok=True)
        message = fail("train", data, *SHORT, "-o", output / "model.softwood", *options)
        assert list(output.iterdir()) == []
        return message

    return attempt


def test_members_and_a_validation_table_are_refused(refused, wave_csv):
    for folds in (("--members", 3), ("--fold-column", "city")):
        message = refused(*folds, "--valid", wave_csv)
        assert folds[0].strip("-") in message


@pytest.mark.parametrize(
    ("folds", "other"),
    [
        (("--members", 3), ("--valid-fraction", 0.4)),
        (("--members", 3), ("--valid-fraction", 0)),
        (("--members", 3), ("--valid-column", "city")),
        (("--fold-column", "city"), ("--valid-fraction", 0.3)),
        (("--fold-column", "city"), ("--valid-column", "city")),
    ],
)
def test_members_and_another_split_are_refused(refused, folds, other):
    assert other[0].strip("-") in refused(*folds, *other)


def test_the_share_of_rows_that_a_member_validates_on_can_be_said(tmp_path):
    data = write_csv(tmp_path / "data.csv", wave(200))
    options = ("--members", 3, "--valid-fraction", 0.1)
    folds = out_of_fold(tmp_path, data, *options, *SHORT)["fold"]
    assert [folds.count(fold) for fold in ("0", "1", "2", "")] == [20, 20, 20, 140]


@pytest.mark.parametrize("other", [("--members", 3), ("--keep-together", "x1")])
def test_a_column_of_folds_and_other_folds_are_refused(refused, other):
    assert "fold-column" in refused("--fold-column", "city", *other)


@pytest.mark.parametrize("members", [0, -1, 101, "many", 2.5, ""])
def test_a_bad_number_of_members_is_named(refused, members):
    assert "members" in refused("--members", members)


def test_out_of_fold_needs_folds(refused, tmp_path):
    assert "--members" in refused("--out-of-fold", tmp_path / "output" / "folds.csv")


def test_out_of_fold_never_replaces_the_table(refused, tmp_path, wave_csv):
    data = tmp_path / "data.csv"
    data.write_bytes(wave_csv.read_bytes())
    assert "data.csv" in refused("--members", 3, "--out-of-fold", data, data=data)
    assert data.read_bytes() == wave_csv.read_bytes()


def test_an_unknown_column_of_folds_gets_a_suggestion(refused):
    assert "city" in refused("--fold-column", "citi")


def test_a_column_with_one_fold_is_refused(refused, tmp_path):
    data = write_csv(tmp_path / "data.csv", {**wave(50), "part": ["a"] * 50})
    assert "'part' names fewer than two folds" in refused("--fold-column", "part", data=data)


def test_a_missing_fold_is_named_with_its_row(refused, tmp_path):
    parts = ["a" if row % 2 else "b" for row in range(50)]
    parts[16] = ""
    data = write_csv(tmp_path / "data.csv", {**wave(50), "part": parts})
    message = refused("--fold-column", "part", data=data)
    assert "row 17" in message
    assert "'part'" in message


def test_a_column_with_a_fold_per_row_is_refused(refused):
    assert "2 to 100" in refused("--fold-column", "id")


def test_fewer_rows_than_members_are_refused(refused, tmp_path):
    data = write_csv(tmp_path / "data.csv", wave(4))
    assert "4 rows" in refused("--members", 5, data=data)


def test_fewer_groups_than_members_are_refused(refused):
    assert "3 groups" in refused("--members", 5, "--keep-together", "city")


def test_the_summary_counts_the_members(tmp_path, wave_csv):
    noisy = [option for option in SHORT if option != "--quiet"]
    done = run("train", wave_csv, "-o", tmp_path / "m", "--members", 3, *noisy)
    assert done.returncode == 0
    assert "3 members of 10 trees of depth 2" in done.stderr
