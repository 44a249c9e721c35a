"""Progress, history, the last line and `describe` agree on what is kept."""

import re

import numpy as np
import pytest
from command_line import columns, numbers, run, succeed
from synthetic import wave, write_csv

EPOCH = re.compile(r"(?:(\d+) members, )?epoch (\d+)/(\d+)  train (\S+)  (.*)")
VALID = re.compile(r"valid (\S+)  best (\S+) at (\d+)  ")


@pytest.fixture(scope="module")
def three_csv(tmp_path_factory):
    """Three responses of very different sizes; the third is nearly noise."""
    table = wave(300)
    draw = np.random.default_rng(8)
    table["y"] = 1000 * table["y"]
    table["near"] = (np.exp(table["x1"]) + table["x2"] + draw.normal(0, 0.05, 300)).round(6)
    table["noise"] = (0.3 * table["x2"] + draw.normal(size=300)).round(6)
    return write_csv(tmp_path_factory.mktemp("three") / "three.csv", table)


def told(tmp_path, data, *options):
    """A training: its lines, its history, and what is said of the model."""
    model, history = tmp_path / "m.softwood", tmp_path / "history.csv"
    done = run("train", data, "--drop", "id", *options, "-o", model, "--history", history)
    assert done.returncode == 0, done.stderr
    epochs = [match.groups() for match in map(EPOCH.match, done.stderr.splitlines()) if match]
    return epochs, columns(history.read_text()), done.stderr, succeed("describe", model)


@pytest.mark.parametrize(
    "options",
    [
        ("--target", "y"),
        ("--target", "y", "--members", 1),
        ("--target", "y", "--trees", 10),  # one of two groups is kept
        ("--target", "y", "--loss", "normal", "--trees", 20, "--epochs", 30),
        ("--target", "y,near,noise"),
        ("--target", "y,near,noise", "--trees", 20, "--epochs", 20),
    ],
)
def test_the_best_epoch_is_one_and_its_loss_is_that_of_the_model(tmp_path, three_csv, options):
    epochs, history, talk, description = told(tmp_path, three_csv, *options)
    valid, best, at = VALID.match(epochs[-1][4]).groups()
    targets = options[1].split(",")
    suffixes = [""] if len(targets) == 1 else [f".{target}" for target in targets]
    kept = [numbers(history[f"best_validation_loss{suffix}"])[-1] for suffix in suffixes]
    now = [numbers(history[f"validation_loss{suffix}"])[-1] for suffix in suffixes]
    assert numbers(best.split("/")) == pytest.approx(kept, rel=1e-4)
    assert numbers(valid.split("/")) == pytest.approx(now, rel=1e-4)
    final = [float(re.search(rf"^{t}: validation loss (\S+)", talk, re.M)[1]) for t in targets]
    assert final == pytest.approx(kept, rel=1e-2), "what follows the blend changes it little"
    assert f"best epoch {at}\n" in description
    assert history["best_epoch"][-1] == at
    assert np.flatnonzero(numbers(history["best"]))[-1] + 1 == int(at)


def test_every_line_says_what_the_history_says(tmp_path, three_csv):
    epochs, history, _, _ = told(tmp_path, three_csv, "--target", "y", "--trees", 20)
    assert len(epochs) == len(history["epoch"])
    for row, (_, epoch, _, training, rest) in enumerate(epochs[:-1]):
        valid, best, at = VALID.match(rest).groups()
        said = numbers([epoch, training, valid, best, at])
        names = ["epoch", "training_loss", "validation_loss", "best_validation_loss", "best_epoch"]
        assert said == pytest.approx([float(history[name][row]) for name in names], rel=1e-4)


def test_members_have_one_best_epoch(tmp_path, three_csv):
    options = ("--target", "y", "--members", 2, "--trees", 20, "--epochs", 8)
    epochs, history, _, description = told(tmp_path, three_csv, *options)
    assert {epoch[0] for epoch in epochs} == {"2"}
    assert re.findall(r"best epoch (\d+)", description) == [history["best_epoch"][-1]]
    assert f" in {len(epochs)} epochs" in description


def test_the_epochs_asked_for_are_shown_from_the_first_on(tmp_path, three_csv):
    epochs, *_ = told(tmp_path, three_csv, "--target", "y", "--epochs", 2)
    assert [epoch[1:3] for epoch in epochs] == [("1", "2"), ("2", "2")]


def test_without_validation_rows_it_says_so(tmp_path, three_csv):
    options = ("--target", "y", "--valid-fraction", 0, "--trees", 8)
    epochs, history, talk, description = told(tmp_path, three_csv, *options)
    assert all(rest.startswith("no validation rows") for *_, rest in epochs)
    assert len({epoch[2] for epoch in epochs}) == 1, "the number of epochs is known"
    assert "no validation rows: the last epoch is kept" in talk
    assert f"best epoch {len(epochs)}\n" in description
    assert history["best_epoch"] == history["epoch"]
    assert set(history["best_validation_loss"]) == {""}


def test_many_tasks_are_shown_as_shares_not_as_a_mean_of_unlike_units(tmp_path):
    table = wave(200)
    table |= {f"y{k}": (10.0**k * table["y"]).round(6) for k in range(4)}
    data = write_csv(tmp_path / "four.csv", table)
    options = ("--target", "y0,y1,y2,y3", "--drop", "y", "--epochs", 2, "--ensemble", "wide=4")
    epochs, *_ = told(tmp_path, data, *options)
    rest = epochs[-1][-1]
    assert "of the constants' losses" in rest
    assert 0 < float(VALID.match(rest)[1]) < 1.5


@pytest.mark.parametrize("share", [None, "hard", "soft", "none", "partly"])
@pytest.mark.parametrize("targets", ["y,near", "y,near,noise"])
def test_no_more_trees_are_stored_than_were_asked_for(tmp_path, three_csv, targets, share):
    options = ("--target", targets, "--trees", 20, "--epochs", 15)
    chosen = () if share is None else ("--share", share)
    _, _, talk, description = told(tmp_path, three_csv, *options, *chosen)
    (count,) = re.findall(r"^trees +(\d+) of depth", description, re.M)
    assert 1 <= int(count) <= 20
    assert f"\n{count} trees of depth" in talk


def test_outputs_with_trees_of_their_own_share_the_number(tmp_path, three_csv):
    options = ("--target", "y", "--loss", "normal", "--components", "separate", "--epochs", 3)
    *_, description = told(tmp_path, three_csv, *options, "--trees", 11)
    assert int(re.search(r"^trees +(\d+) of", description, re.M)[1]) == 10
    done = run("train", three_csv, *options, "--trees", 1, "-o", tmp_path / "m")
    assert done.returncode == 2
    assert "--components separate" in done.stderr


@pytest.mark.parametrize("columns", ["x1,x2", "x1,city", "city,sex"])
@pytest.mark.parametrize(
    ("groups", "count"),
    [
        ("narrow=6", "0 wide, 6 narrow"),
        ("wide=6", "6 wide, 0 narrow"),
        ("wide=4,narrow=6", "4 wide, 6 narrow"),
    ],
)
def test_describe_counts_wide_trees(tmp_path, columns, groups, count):
    """Two narrow trees share a list of columns, which of two columns is all of them."""
    table = wave(300) | {"sex": np.random.default_rng(1).choice(["f", "m"], 300)}
    data = write_csv(tmp_path / "two.csv", table)
    options = ("--target", "y", "--features", columns, "--ensemble", groups, "--valid-fraction", 0)
    *_, description = told(tmp_path, data, *options, "--epochs", 2)
    assert f" of depth 3 ({count})" in description
