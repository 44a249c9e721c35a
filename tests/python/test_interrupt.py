"""Ctrl-C in the middle of training: nothing half-written is left."""

import signal
import subprocess
import time
from pathlib import Path

import pytest
from command_line import SOFTWOOD, predict


def interrupt_training(wave_csv, output, *options):
    """Starts an endless training, sends Ctrl-C after the first epochs, returns the exit code."""
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", "--epochs", "1000000"]
    command += ["-o", output / "model.softwood", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while "epoch" not in process.stderr.readline().lower():
            assert process.poll() is None
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        return process.wait(timeout=30)


@pytest.fixture
def output(tmp_path):
    folder = tmp_path / "output"
    folder.mkdir()
    return folder


def test_ctrl_c_ends_with_130_and_whole_files(wave_csv, output):
    assert interrupt_training(wave_csv, output, "--history", output / "history.csv") == 130
    left = {path.name for path in output.iterdir()}
    assert left <= {"model.softwood", "history.csv"}
    if "model.softwood" in left:
        assert len(predict(output / "model.softwood", wave_csv)["mean"]) == 400
    if "history.csv" in left:
        assert (output / "history.csv").read_text().endswith("\n")


def test_a_killed_run_leaves_the_old_model_alone(wave_csv, output):
    old = output / "model.softwood"
    old.write_bytes(b"precious")
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", "--epochs", "1000000", "-o", old]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        process.stderr.readline()
        process.kill()
    assert old.read_bytes() == b"precious"


def wait_until_watching(process):
    """Until Ctrl-C is caught, not left to the system."""
    while True:
        status = Path(f"/proc/{process.pid}/status").read_text()
        caught = int(status.split("SigCgt:")[1].split()[0], 16)
        if caught >> (signal.SIGINT - 1) & 1:
            return
        assert process.poll() is None
        time.sleep(0.01)


@pytest.fixture(scope="module")
def slow_csv(tmp_path_factory):
    """Long to prepare: many rows and 300 classes; its constant column makes a note."""
    path = tmp_path_factory.mktemp("slow") / "slow.csv"
    lines = ["constant,a,b,c,y"]
    lines += [f"1,{i * 37 % 1009},{i * 91 % 997},{i * 13 % 991},c{i % 300}" for i in range(30000)]
    path.write_text("\n".join(lines) + "\n")
    return path


def start(verb, data, output, *options):
    command = [SOFTWOOD, verb, data, "--target", "y", "-o", output, *options]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("verb", ["train", "compare"])
def test_ctrl_c_while_the_table_is_read_ends_at_once(verb, output):
    options = ["--losses", "squared,absolute"] if verb == "compare" else []
    with start(verb, "-", output / "model", *options) as process:
        process.stdin.write("a,b,y\n")
        process.stdin.flush()
        wait_until_watching(process)
        process.send_signal(signal.SIGINT)
        assert "interrupted before the first epoch" in process.stderr.read()
        assert process.wait(timeout=30) == 130
    assert [path for path in output.rglob("*") if path.is_file()] == []


def test_ctrl_c_while_trees_are_prepared_leaves_nothing_half_written(slow_csv, output):
    with start("train", slow_csv, output / "model.softwood") as process:
        assert "note" in process.stderr.readline()  # the encoder is done; constants come next
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        assert process.wait(timeout=60) == 130
    left = list(output.iterdir())
    assert left == [] or len(predict(left[0], slow_csv)["class"]) == 30000
