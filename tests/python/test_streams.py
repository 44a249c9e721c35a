"""Results on standard output, talk on standard error."""

import gzip
import os
import subprocess

import numpy as np
import pytest
from command_line import QUICK, SOFTWOOD, columns, run, succeed, train
from synthetic import wave, write_csv


def test_training_talks_on_standard_error(tmp_path, wave_csv):
    options = [option for option in QUICK if option != "--quiet"]
    done = run("train", wave_csv, "--target", "y", *options, "-o", tmp_path / "m.softwood")
    assert done.returncode == 0
    assert done.stdout == ""
    assert "\r" not in done.stderr
    assert "\x1b" not in done.stderr
    assert len(done.stderr.splitlines()) > 1


def test_quiet_is_silent(tmp_path, wave_csv):
    done = run("train", wave_csv, "--target", "y", *QUICK, "-o", tmp_path / "m.softwood")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_predictions_are_the_only_thing_on_standard_output(wave_model, wave_csv):
    done = run("predict", wave_model, wave_csv)
    assert set(map(len, columns(done.stdout).values())) == {400}


def test_the_output_file_holds_what_standard_output_would(tmp_path, wave_model, wave_csv):
    out = tmp_path / "out.csv"
    assert succeed("predict", wave_model, wave_csv, "-o", out) == ""
    assert out.read_text() == succeed("predict", wave_model, wave_csv)
    assert out.read_text() == succeed("predict", wave_model, wave_csv, "-o", "-")


def test_a_dash_is_standard_input(tmp_path, wave_model, wave_csv):
    text = wave_csv.read_text()
    assert succeed("predict", wave_model, "-", stdin=text) == succeed(
        "predict", wave_model, wave_csv
    )
    piped = tmp_path / "piped.softwood"
    succeed("train", "-", "--target", "y", "--drop", "id", *QUICK, "-o", piped, stdin=text)
    assert piped.read_bytes() == wave_model.read_bytes()


def test_kept_columns_come_first_and_unchanged(wave_model, tmp_path):
    table = wave(30)
    table["id"] = [f"row, {row}" for row in range(30)]
    data = write_csv(tmp_path / "data.csv", table)
    kept = columns(succeed("predict", wave_model, data, "--keep", "id"))
    assert list(kept)[:2] == ["id", "mean"]
    assert kept["id"] == table["id"]


def test_history_has_a_line_per_epoch(tmp_path, wave_csv):
    history = tmp_path / "history.csv"
    train(tmp_path, wave_csv, "--target", "y", *QUICK, "--history", history)
    table = columns(history.read_text())
    assert table["epoch"] == ["1", "2", "3", "4"]
    assert all(float(cell) >= 0 for name in table if "loss" in name for cell in table[name])


@pytest.fixture(scope="module")
def broad_model(tmp_path_factory):
    """Of 400 columns, so that few rows are many cells."""
    folder = tmp_path_factory.mktemp("broad")
    draw = np.random.default_rng(1)
    table = {f"x{column}": draw.integers(0, 9, 60) for column in range(400)}
    data = write_csv(folder / "data.csv", {**table, "y": table["x0"] + draw.normal(0, 1, 60)})
    return train(folder, data, "--target", "y", *QUICK)


def broad_lines(num_rows):
    lines = [",".join(f"x{column}" for column in range(400))]
    return lines + [
        ",".join(str((row + column) % 9) for column in range(400)) for row in range(num_rows)
    ]


@pytest.mark.parametrize("skipped", [0, 2])
def test_a_mistake_deep_in_a_long_table_is_told_by_its_row(tmp_path, broad_model, skipped):
    header, *rows = broad_lines(9)
    lines = [header, *rows * 1500]
    lines[13001] = "inf" + lines[13001][1:]
    for row in range(skipped):
        lines[5 + row] = "odd" + lines[5 + row][1:]
    data, out = tmp_path / "long.csv", tmp_path / "out.csv"
    data.write_text("\n".join(lines))
    options = ["--on-error", "skip"] if skipped else []
    message = run("predict", broad_model, data, "-o", out, *options)
    assert message.returncode == 2
    assert f"row 13001 of {data}: column 'x0' is infinite" in message.stderr
    assert sorted(tmp_path.iterdir()) == [data]


def test_a_long_stream_is_predicted_like_a_file_and_leaves_nothing(tmp_path, broad_model):
    header, *rows = broad_lines(9)
    text = "\n".join([header, *rows * 2400])
    assert len(text) > 1 << 24
    data, folder = tmp_path / "long.csv", tmp_path / "folder"
    data.write_text(text)
    folder.mkdir()
    expected = succeed("predict", broad_model, data)
    packed = tmp_path / "long.csv.gz"
    packed.write_bytes(gzip.compress(text.encode(), 1))
    for command in (
        f"cat {data} | {SOFTWOOD} predict {broad_model} -",
        f"{SOFTWOOD} predict {broad_model} - < {data}",
        f"cat {packed} | {SOFTWOOD} predict {broad_model} -",
        f"{SOFTWOOD} predict {broad_model} {packed}",
    ):
        done = subprocess.run(
            ["bash", "-c", command],
            capture_output=True,
            text=True,
            env={**os.environ, "TMPDIR": str(folder)},
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == expected
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("verb", ["train", "predict", "evaluate", "losses"])
def test_help_goes_to_standard_output(verb):
    done = run(verb, "--help")
    assert done.returncode == 0
    assert verb in done.stdout
    assert done.stderr == ""


def test_help_shows_examples_and_the_version_is_a_number():
    assert "softwood train" in succeed("--help")
    assert any(character.isdigit() for character in succeed("--version"))


def test_a_model_on_standard_output_is_no_file_called_dash(tmp_path, wave_csv):
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", *QUICK, "-o", "-"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    if done.returncode == 0:
        assert b"__metadata__" in done.stdout[:100]
    else:
        assert done.returncode == 2


@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_training_survives_the_loss_of_its_audience(tmp_path, wave_csv, stderr):
    model = tmp_path / "model.softwood"
    command = f"{SOFTWOOD} train {wave_csv} --target y --trees 3 --epochs 2 -o {model} {stderr}"
    assert subprocess.run(["bash", "-c", command]).returncode == 0
    assert model.exists()


def test_a_full_disk_is_no_success(wave_model, wave_csv):
    command = f"{SOFTWOOD} predict {wave_model} {wave_csv} >/dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode == 2
    assert "standard output" in done.stderr
