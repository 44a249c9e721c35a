"""Ctrl-C in the middle of training: nothing half-written is left."""

import signal
import subprocess
import time

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
