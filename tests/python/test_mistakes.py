"""Bad input: exit 2, one clear message, and no file left behind."""

import os

import pytest
from command_line import QUICK, fail
from synthetic import visits, wave, write_csv


@pytest.fixture
def folder(tmp_path):
    """An empty folder for outputs; whatever the test does must leave it empty."""
    output = tmp_path / "output"
    output.mkdir()
    yield output
    assert list(output.iterdir()) == []


def fail_training(folder, data, *options):
    return fail("train", data, *QUICK, "-o", folder / "model.softwood", *options)


def test_a_wrong_column_gets_a_suggestion(folder, wave_csv):
    assert "city" in fail_training(folder, wave_csv, "--target", "citty")


@pytest.mark.parametrize(
    "option", ["--drop", "--features", "--weight", "--keep-together", "--categorical"]
)
def test_a_wrong_column_in_an_option_is_named(folder, wave_csv, option):
    message = fail_training(folder, wave_csv, "--target", "y", option, "x11")
    assert "x11" in message
    assert "x1" in message.replace("x11", "")


def test_a_wrong_column_in_a_loss_gets_a_suggestion(folder, tables):
    loss = "poisson(exposure=yers)"
    message = fail_training(folder, tables / "visits.csv", "--target", "y", "--loss", loss)
    assert "yers" in message
    assert "years" in message


def test_an_empty_file_is_said_to_be_empty(folder, tmp_path):
    empty = tmp_path / "empty.csv"
    empty.touch()
    message = fail_training(folder, empty, "--target", "y")
    assert "empty.csv" in message
    assert "empty" in message.replace("empty.csv", "")


def test_a_header_alone_is_no_table(folder, tmp_path):
    data = tmp_path / "header.csv"
    data.write_text("x,y\n")
    assert "header.csv" in fail_training(folder, data, "--target", "y")


def test_text_in_a_numeric_response_is_named(folder, tmp_path):
    table = wave(100)
    table["y"] = [*table["y"][:41], *["twelve"] * 20, *table["y"][61:]]
    data = write_csv(tmp_path / "data.csv", table)
    message = fail_training(folder, data, "--target", "y", "--loss", "squared")
    assert "'y'" in message
    assert "twelve" in message


def test_text_in_a_column_said_to_be_numeric_is_named_with_its_line(folder, tmp_path):
    table = wave(100)
    table["x1"] = [*table["x1"][:41], "twelve", *table["x1"][42:]]
    data = write_csv(tmp_path / "data.csv", table)
    message = fail_training(folder, data, "--target", "y", "--numeric", "x1")
    for part in ("data.csv", "43", "x1", "twelve"):
        assert part in message


def test_a_ragged_line_is_named(folder, tmp_path):
    data = tmp_path / "ragged.csv"
    data.write_text("x,y\n1,2\n3,4,5\n6,7\n")
    message = fail_training(folder, data, "--target", "y")
    assert "ragged.csv" in message
    assert "3" in message


def test_a_missing_file_is_named(folder, tmp_path):
    assert "nowhere.csv" in fail_training(folder, tmp_path / "nowhere.csv", "--target", "y")


def test_a_folder_is_no_table(folder, tmp_path):
    assert "directory" in fail_training(folder, tmp_path, "--target", "y")


def test_a_negative_count_names_row_and_value(folder, tmp_path):
    table = visits(200)
    table["y"][122] = -3
    data = write_csv(tmp_path / "data.csv", table)
    message = fail_training(folder, data, "--target", "y", "--loss", "poisson")
    assert "-3" in message
    assert "123" in message or "124" in message


def test_a_loss_that_gives_nan_says_so(folder, wave_csv):
    message = fail_training(
        folder, wave_csv, "--target", "y", "--loss", "(y - f)^2 + sqrt(-1 - f^2)"
    )
    assert "nan" in message.lower() or "finite" in message.lower()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--trees", "0"),
        ("--trees", "many"),
        ("--depth", "0"),
        ("--depth", "13"),
        ("--epochs", "-1"),
        ("--batch-size", "0"),
        ("--learning-rate", "-1"),
        ("--learning-rate", "nan"),
        ("--gamma", "0"),
        ("--bins", "0"),
        ("--valid-fraction", "1.5"),
        ("--threads", "-2"),
        ("--seed", "abc"),
        ("--activation", "relu"),
        ("--recipe", "soup"),
    ],
)
def test_a_bad_value_names_its_option(folder, wave_csv, option, value):
    message = fail_training(folder, wave_csv, "--target", "y", option, value)
    assert option.strip("-") in message.replace("_", "-")


def test_an_unknown_option_is_named(folder, wave_csv):
    message = fail_training(folder, wave_csv, "--target", "y", "--tress", "5")
    assert "--tress" in message
    assert "--trees" in message


def test_more_trees_than_the_machine_can_hold_are_refused(folder, wave_csv):
    million = ("--trees", "1000000", "--depth", "10", "--quiet")
    assert "--trees" in fail("train", wave_csv, "--target", "y", *million, "-o", folder / "m")


def test_an_unknown_verb_is_named():
    assert "trian" in fail("trian", "data.csv")


def test_an_unknown_loss_gets_a_suggestion(folder, wave_csv):
    message = fail_training(folder, wave_csv, "--target", "y", "--loss", "poison")
    assert "poisson" in message


def test_an_unknown_setting_of_a_loss_is_named(folder, wave_csv):
    message = fail_training(folder, wave_csv, "--target", "y", "--loss", "huber(dleta=2)")
    assert "delta" in message


def test_an_unknown_loss_in_losses_gets_a_suggestion():
    assert "poisson" in fail("losses", "poison")


def test_no_target_is_asked_for(folder, wave_csv):
    assert "target" in fail_training(folder, wave_csv)


def test_a_response_that_is_all_missing_is_refused(folder, tmp_path):
    data = write_csv(tmp_path / "data.csv", {"x": range(50), "y": [""] * 50})
    assert "'y'" in fail_training(folder, data, "--target", "y")


def test_no_columns_to_learn_from_is_refused(folder, tmp_path):
    data = write_csv(tmp_path / "data.csv", {"y": range(50)})
    assert "no feature" in fail_training(folder, data, "--target", "y")


def test_a_missing_output_folder_is_said_before_training(wave_csv, tmp_path):
    endless = ("--epochs", 1_000_000, "--quiet")
    path = tmp_path / "no" / "such" / "model.softwood"
    message = fail("train", wave_csv, "--target", "y", *endless, "-o", path, timeout=30)
    assert "such" in message


@pytest.mark.parametrize("kind", ["folder", "system"])
def test_an_unwritable_output_is_said_before_training(wave_csv, tmp_path, kind):
    path = {"folder": tmp_path, "system": "/proc/model.softwood"}[kind]
    endless = ("--epochs", 1_000_000, "--quiet")
    message = fail("train", wave_csv, "--target", "y", *endless, "-o", path, timeout=30)
    assert str(path) in message


def test_a_failed_run_leaves_the_old_model_alone(tmp_path, wave_csv):
    old = tmp_path / "model.softwood"
    old.write_bytes(b"precious")
    fail("train", wave_csv, *QUICK, "--target", "nope", "-o", old)
    assert old.read_bytes() == b"precious"
    assert os.listdir(tmp_path) == ["model.softwood"]


def test_prediction_names_a_column_that_is_gone(wave_model, tmp_path):
    table = wave(20)
    del table["x1"]
    data = write_csv(tmp_path / "data.csv", table)
    assert "x1" in fail("predict", wave_model, data, "-o", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_keeping_an_unknown_column_is_refused(wave_model, wave_csv):
    assert "idd" in fail("predict", wave_model, wave_csv, "--keep", "idd")


def test_evaluation_needs_the_response(wave_model, tmp_path):
    table = wave(20)
    del table["y"]
    data = write_csv(tmp_path / "data.csv", table)
    assert "'y'" in fail("evaluate", wave_model, data)


@pytest.mark.parametrize("content", ["trees = \n", "tress = 5\n", '{"trees": ', '{"tress": 5}'])
def test_a_bad_config_file_is_named(folder, tmp_path, wave_csv, content):
    config = tmp_path / ("config.json" if content.startswith("{") else "config.toml")
    config.write_text(content)
    message = fail_training(folder, wave_csv, "--target", "y", "--config", config)
    assert config.name in message or "tress" in message


@pytest.mark.parametrize("output", ["-o", "--history"])
def test_training_never_replaces_its_own_table(tmp_path, wave_csv, output):
    data = tmp_path / "data.csv"
    data.write_bytes(wave_csv.read_bytes())
    model = () if output == "-o" else ("-o", tmp_path / "model.softwood")
    assert "data.csv" in fail("train", data, "--target", "y", *QUICK, *model, output, data)
    assert data.read_bytes() == wave_csv.read_bytes()


@pytest.mark.parametrize("victim", ["model.softwood", "data.csv"])
def test_prediction_never_replaces_its_own_input(tmp_path, wave_model, wave_csv, victim):
    model, data = tmp_path / "model.softwood", tmp_path / "data.csv"
    model.write_bytes(wave_model.read_bytes())
    data.write_bytes(wave_csv.read_bytes())
    assert victim in fail("predict", model, data, "-o", tmp_path / victim)
    assert model.read_bytes() == wave_model.read_bytes()
    assert data.read_bytes() == wave_csv.read_bytes()


@pytest.mark.parametrize(
    ("option", "value"), [("--valid-column", "city"), ("--keep-together", "city"), ("--gamma", "3")]
)
def test_an_option_that_would_have_no_effect_is_refused(folder, wave_csv, option, value):
    other = () if option == "--gamma" else ("--valid", wave_csv)
    assert option.strip("-") in fail_training(
        folder, wave_csv, "--target", "y", option, value, *other
    )


@pytest.mark.parametrize("seed", ["-1", "18446744073709551616", "1.5", "x"])
def test_seeds_that_would_wrap_around_are_refused(folder, wave_csv, tmp_path, seed):
    message = fail_training(folder, wave_csv, "--target", "y", f"--seed={seed}")
    assert seed in message
    assert "0 to 18446744073709551615" in message
    config = tmp_path / "run.json"
    config.write_text(f'{{"seed": "{seed}"}}')
    assert seed in fail_training(folder, wave_csv, "--target", "y", "--config", config)


def test_all_rows_in_validation_leave_nothing_to_learn(folder, wave_csv):
    message = fail_training(folder, wave_csv, "--target", "y", "--valid-fraction", "0.999999")
    assert "valid-fraction 0.999999 of 400 rows leaves none" in message


def test_a_width_that_floats_do_not_hold_is_refused(folder, wave_csv):
    options = ("--target", "y", "--activation", "smooth_step", "--gamma", "1e39")
    assert "1e-6 to 1e6" in fail_training(folder, wave_csv, *options)


@pytest.mark.parametrize("verb", ["predict", "evaluate"])
def test_negative_threads_are_refused_by_every_verb(wave_csv, wave_model, verb):
    assert "threads is -1" in fail(verb, wave_model, wave_csv, "--threads", "-1")


def test_negative_threads_are_refused_in_training(folder, wave_csv):
    assert "threads is -1" in fail_training(folder, wave_csv, "--target", "y", "--threads", "-1")
