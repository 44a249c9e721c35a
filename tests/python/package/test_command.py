"""The command that the package brings: the native one's twin, which reads more files."""

import signal
import sqlite3
import subprocess
import sys
import time

import pandas as pd
import pytest
from command_line import QUICK, SOFTWOOD, predict
from synthetic import wave

COMMAND = [sys.executable, "-m", "softwood"]


def run(*arguments, **settings):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, **settings
    )


@pytest.fixture(scope="module")
def frame():
    return pd.DataFrame(wave(120))


@pytest.fixture(scope="module")
def parquet(tmp_path_factory, frame):
    path = tmp_path_factory.mktemp("parquet") / "wave.parquet"
    frame.to_parquet(path)
    return path


def test_it_says_what_the_native_one_says(wave_model, wave_csv, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("x1,x2,city\n1,oops,Rome\n")
    for arguments in (
        ["--version"],
        ["--help"],
        ["predict", "--help"],
        [],
        ["prdict"],
        ["losses", "zip"],
        ["describe", wave_model],
        ["predict", wave_model, wave_csv, "--keep", "id"],
        ["predict", wave_model, bad],
        ["predict", wave_model, tmp_path / "gone.csv"],
        ["evaluate", wave_model, wave_csv, "--json"],
    ):
        native = subprocess.run([SOFTWOOD, *arguments], capture_output=True, text=True)
        ours = run(*arguments)
        assert (ours.returncode, ours.stdout, ours.stderr) == (
            native.returncode,
            native.stdout.replace(str(SOFTWOOD), "softwood"),
            native.stderr,
        )


def test_it_trains_the_same_bits_from_parquet_as_from_csv(tmp_path, frame, parquet):
    frame.to_csv(tmp_path / "wave.csv", index=False)
    models = []
    for data in (tmp_path / "wave.csv", parquet):
        model = tmp_path / f"{data.suffix}.softwood"
        options = ("--target", "y", "--drop", "id", *QUICK)
        done = run("train", data, *options, "--valid", data, "-o", model)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        models.append(model)
    assert models[0].read_bytes() == models[1].read_bytes()
    done = run("predict", models[1], parquet, "--keep", "city,id")
    assert done.stdout == run("predict", models[1], tmp_path / "wave.csv", "--keep=city,id").stdout
    done = run("evaluate", models[1], parquet)
    assert done.returncode == 0
    assert "rmse" in done.stdout


def test_a_table_of_a_database_is_named(tmp_path, frame, wave_model):
    path = tmp_path / "study.db"
    connection = sqlite3.connect(path)
    for table in ("first", "second"):
        connection.execute(f"create table {table} (x1 real, x2 real, city text)")
        connection.executemany(
            f"insert into {table} values (?, ?, ?)", frame[["x1", "x2", "city"]].values.tolist()
        )
    connection.commit()
    connection.close()
    done = run("predict", wave_model, path)
    assert done.returncode == 2
    assert "2 tables: 'first', 'second'. Name one" in done.stderr
    named = run("predict", wave_model, path, "--table", "second")
    assert named.returncode == 0
    assert named.stdout == run("predict", wave_model, f"{path}::first").stdout
    assert run("predict", wave_model, f"{path}::first", "-o", path).returncode == 2


def test_bad_cells_of_other_files_go_by_on_error_too(tmp_path, frame, wave_model):
    bad = frame.assign(x1=frame["x1"].astype(str))
    bad.loc[[3, 5], "x1"] = "oops"
    bad.to_parquet(tmp_path / "bad.parquet")
    done = run("predict", wave_model, tmp_path / "bad.parquet")
    assert done.returncode == 2
    assert "row 4, column 'x1': 'oops' is not a number" in done.stderr
    done = run("predict", wave_model, tmp_path / "bad.parquet", "--on-error=skip", "--row-numbers")
    assert done.returncode == 0
    assert "left out 2 rows of 120: row 4, column 'x1': 'oops'" in done.stderr
    rows = [line.split(",")[0] for line in done.stdout.splitlines()[1:]]
    assert rows == [str(row) for row in range(1, 121) if row not in (4, 6)]


def test_what_python_cannot_read_either_is_a_users_mistake(tmp_path, wave_model):
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1\x15\x00")
    done = run("predict", wave_model, broken)
    assert done.returncode == 2
    assert done.stderr.startswith("softwood: cannot read")
    assert "Traceback" not in done.stderr


def test_names_of_files_need_not_be_texts(tmp_path, frame, wave_model):
    path = bytes(tmp_path) + b"/caf\xe9.parquet"
    frame.to_parquet(tmp_path / "t.parquet")
    (tmp_path / "t.parquet").rename(path.decode("utf-8", "surrogateescape"))
    done = subprocess.run([*COMMAND, b"predict", str(wave_model), path], capture_output=True)
    assert done.returncode == 0, done.stderr


def test_ctrl_c_keeps_the_model_so_far(tmp_path, wave_csv):
    model = tmp_path / "model.softwood"
    command = [*COMMAND, "train", wave_csv, "--target", "y", "--epochs", "1000000", "-o", model]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while "epoch" not in process.stderr.readline().lower():
            assert process.poll() is None
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(timeout=30) == 130
    assert "Traceback" not in said
    assert len(predict(model, wave_csv)["mean"]) == 400


def test_a_closed_pipe_ends_it_silently(tmp_path, wave_model):
    data = tmp_path / "long.csv"
    data.write_text("x1,x2,city\n" + "0.5,0.5,Rome\n" * 20_000)
    script = f"set -o pipefail; {sys.executable} -m softwood predict {wave_model} {data} | head -1"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("mean\n", "")
    assert done.returncode == 128 + signal.SIGPIPE


def test_a_full_disk_is_no_success(wave_model, wave_csv):
    script = f"{sys.executable} -m softwood predict {wave_model} {wave_csv} >/dev/full"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert done.returncode == 2
    assert "standard output" in done.stderr
