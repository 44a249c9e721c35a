"""Options by the names that they had before: they work, with a word."""

import pytest
from command_line import QUICK, fail, run, train

LOUD = QUICK[:-1]
TODAY = {"--group": "--keep-together", "--groups": "--ensemble"}
VALUES = {"--group": "id", "--groups": "wide=3"}
TREES = {"--group": ("--trees", 4), "--groups": ()}


def options(old):
    return ("--target", "y", "--depth", 2, "--epochs", 2, *TREES[old])


@pytest.mark.parametrize("old", TODAY)
def test_an_old_option_is_that_of_today_with_a_warning(tmp_path, wave_csv, old):
    model = tmp_path / "old.softwood"
    done = run("train", wave_csv, *options(old), old, VALUES[old], "-o", model)
    assert done.returncode == 0
    assert f"warning: {old} is called {TODAY[old]} now" in done.stderr
    today = train(tmp_path, wave_csv, *options(old), TODAY[old], VALUES[old], "-q", name="new")
    assert model.read_bytes() == today.read_bytes()
    quiet = run("train", wave_csv, *options(old), old, VALUES[old], "-q", "-o", model)
    assert quiet.stderr == ""


@pytest.mark.parametrize("old", TODAY)
def test_both_names_are_one_too_many(tmp_path, wave_csv, old):
    both = (old, VALUES[old], TODAY[old], VALUES[old])
    message = fail("train", wave_csv, *options(old), *both, "-o", tmp_path / "m")
    assert f"{old} is the old name of {TODAY[old]}: give one of them" in message


@pytest.mark.parametrize("old", TODAY)
def test_a_config_file_may_have_an_old_name(tmp_path, wave_csv, old):
    config, model = tmp_path / "c.toml", tmp_path / "old.softwood"
    config.write_text(f'{old[2:]} = "{VALUES[old]}"\n')
    done = run("train", wave_csv, *options(old), "--config", config, "-o", model)
    assert done.returncode == 0
    assert f"c.toml: {old[2:]} is called {TODAY[old][2:]} now" in done.stderr
    today = train(tmp_path, wave_csv, *options(old), TODAY[old], VALUES[old], "-q", name="new")
    assert model.read_bytes() == today.read_bytes()
    config.write_text(f'{old[2:]} = "a"\n{TODAY[old][2:].replace("-", "_")} = "b"\n')
    message = fail("train", wave_csv, *options(old), "--config", config, "-o", model)
    assert "give one of them" in message


def test_the_command_line_wins_over_a_file_by_either_name(tmp_path, wave_csv):
    config = tmp_path / "c.toml"
    common = (*options("--groups"), "-q")
    expected = train(tmp_path, wave_csv, *common, "--ensemble", "wide=3", name="expected")
    for in_file, on_line in (("groups", "--ensemble"), ("ensemble", "--groups")):
        config.write_text(f'{in_file} = "narrow=9"\n')
        model = train(tmp_path, wave_csv, *common, "--config", config, on_line, "wide=3")
        assert model.read_bytes() == expected.read_bytes()


def test_the_help_shows_no_old_name():
    text = run("train", "--help").stdout
    assert "--keep-together COLUMN" in text
    assert not any(f"{old} " in text for old in TODAY)


def test_a_schedule_that_was_called_otherwise(tmp_path, wave_csv):
    model = tmp_path / "old.softwood"
    common = ("train", wave_csv, "--target", "y", *LOUD, "-o", model, "--schedule")
    done = run(*common, "coslog4")
    assert done.returncode == 0
    assert "warning: schedule 'coslog4' is called 'four_cycles' now" in done.stderr
    written = model.read_bytes()
    assert run(*common, "four_cycles").returncode == 0
    assert model.read_bytes() == written


def test_an_old_name_is_strictly_wrong(tmp_path, wave_csv):
    old = ("--groups", "wide=3", "--strict")
    message = fail("train", wave_csv, *options("--groups"), *old, "-o", tmp_path / "m")
    assert "--ensemble" in message
