"""Which rows train, which validate, and how much each counts."""

import numpy as np
from command_line import columns, numbers, predict, train
from synthetic import wave, write_csv

SOLID = ("--target", "y", "--trees", 20, "--epochs", 40, "--batch-size", 32, "--quiet")


def validation_losses(history):
    table = columns(history.read_text())
    return numbers(table[next(name for name in table if "valid" in name)])


def test_weights_shift_the_mean(tmp_path):
    # Two answers to the same question, one nine times as weighty.
    draw = np.random.default_rng(2)
    y = np.tile([0.0, 1.0], 400)
    table = {"x": draw.normal(size=800), "w": np.tile([1.0, 9.0], 400), "y": y}
    data = write_csv(tmp_path / "data.csv", table)
    options = (*SOLID, "--loss", "squared")
    weighted = train(tmp_path, data, *options, "--weight", "w", name="weighted")
    plain = train(tmp_path, data, *options, "--drop", "w", name="plain")
    assert abs(np.mean(numbers(predict(weighted, data)["mean"])) - 0.9) < 0.05
    assert abs(np.mean(numbers(predict(plain, data)["mean"])) - 0.5) < 0.05


def test_weight_two_equals_the_row_twice(tmp_path):
    # At every x there are responses of 0 and of 3: their mean is 2 where the threes count twice.
    x = np.repeat(np.linspace(-1, 1, 300), 2)
    y = np.tile([0.0, 3.0], 300)
    weighted = {"x": x, "y": y, "w": np.tile([1.0, 2.0], 300)}
    copies = np.repeat(np.arange(600), np.tile([1, 2], 300))
    doubled = {"x": x[copies], "y": y[copies], "w": np.ones(900)}
    equal = {**weighted, "w": np.ones(600)}
    means = []
    for name, table in {"weighted": weighted, "doubled": doubled, "equal": equal}.items():
        data = write_csv(tmp_path / f"{name}.csv", table)
        options = (*SOLID, "--loss", "squared", "--weight", "w")
        model = train(tmp_path, data, *options, name=name)
        means.append(np.mean(numbers(predict(model, data)["mean"])))
    np.testing.assert_allclose(means[:2], 2, atol=0.1)
    np.testing.assert_allclose(means[2], 1.5, atol=0.1)


def test_a_row_of_weight_zero_teaches_nothing(tmp_path):
    table = wave(400)
    table["w"] = np.where(table["id"] < 200, 1.0, 0.0)
    table["y"] = np.where(table["id"] < 200, table["y"], 1e6)
    data = write_csv(tmp_path / "data.csv", table)
    model = train(tmp_path, data, *SOLID, "--drop", "id", "--weight", "w")
    assert np.abs(numbers(predict(model, data)["mean"])).max() < 100


def test_the_validation_file_is_scored(tmp_path, wave_csv):
    far = wave(100)
    far["y"] += 1000
    valid = write_csv(tmp_path / "far.csv", far)
    history = tmp_path / "history.csv"
    train(tmp_path, wave_csv, *SOLID, "--valid", valid, "--history", history)
    assert all(900**2 < loss < 1100**2 for loss in validation_losses(history))


def test_marked_rows_validate_and_do_not_train(tmp_path):
    table = wave(400)
    table["fold"] = np.where(table["id"] % 4 == 0, "valid", "train")
    table["y"] = np.where(table["id"] % 4 == 0, table["y"] + 1000, table["y"])
    data = write_csv(tmp_path / "data.csv", table)
    history = tmp_path / "history.csv"
    options = ("--drop", "id", "--valid-column", "fold", "--history", history)
    options += ("--balance", "false")  # offsets are fitted to all rows
    model = train(tmp_path, data, *SOLID, *options)
    assert min(validation_losses(history)) > 900**2
    assert max(numbers(predict(model, data)["mean"])) < 100


def test_groups_stay_on_one_side(tmp_path):
    # The response is the group's own number: known groups are easy, unknown ones hopeless.
    draw = np.random.default_rng(3)
    group = np.repeat(np.arange(30), 30)
    y = draw.permutation(np.tile([-1.0, 1.0], 15))[group]
    table = {"patient": [f"p{g}" for g in group], "hint": group, "y": y}
    data = write_csv(tmp_path / "data.csv", table)
    options = ("--bins", 32, "--history", tmp_path / "history.csv")
    train(tmp_path, data, *SOLID, *options, "--keep-together", "patient")
    apart = validation_losses(tmp_path / "history.csv")
    train(tmp_path, data, *SOLID, *options, "--drop", "patient")
    mixed = validation_losses(tmp_path / "history.csv")
    assert mixed[-1] < 0.3
    assert min(apart) > 0.5


def test_early_stopping_ends_before_the_last_epoch(tmp_path):
    draw = np.random.default_rng(8)
    noise = {"x": draw.normal(size=300), "y": draw.normal(size=300)}
    data = write_csv(tmp_path / "noise.csv", noise)
    history = tmp_path / "history.csv"
    options = ("--target", "y", "--epochs", 2000, "--patience", 3, "--quiet", "--history", history)
    train(tmp_path, data, *options)
    losses = validation_losses(history)
    assert len(losses) < 2000
    assert len(losses) - 1 - int(np.argmin(losses)) <= 3
