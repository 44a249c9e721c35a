"""Any number of threads is answered, also where the system starts few or none."""

import resource
import subprocess

import pytest
from command_line import QUICK, SOFTWOOD, succeed, train


def test_a_million_threads_are_a_few(tmp_path, wave_csv):
    options = ("--target", "y", *QUICK)
    many = train(tmp_path, wave_csv, *options, "--threads", "1000000", name="many")
    one = train(tmp_path, wave_csv, *options, "--threads", "1", name="one")
    assert many.read_bytes() == one.read_bytes()
    succeed("predict", many, wave_csv, "--threads", "1000000")


def test_threads_that_cannot_start_leave_the_work_to_those_that_can(tmp_path, wave_csv):
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    vast = 2**46  # a thread's stack: half of all addresses
    if hard != resource.RLIM_INFINITY:
        pytest.skip("the stack's limit cannot be raised")
    one = train(tmp_path, wave_csv, "--target", "y", *QUICK, "--threads", "1", name="one")
    model = tmp_path / "many.softwood"
    command = [SOFTWOOD, "train", wave_csv, "--target", "y", *QUICK, "--threads", "64", "-o", model]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (vast, hard)),
    )
    assert done.returncode == 0, done.stderr
    assert model.read_bytes() == one.read_bytes()
