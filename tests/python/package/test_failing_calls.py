"""What Python writes goes wrong once at every call, in a process of its own."""

import subprocess
import sys

import pytest
from failing_calls import REASONS, environment, skip_without_module

# Counts the calls of one sound writing, then lets each of the next ones fail at another call. The
# counter of the module goes on through all of them.
PROGRAM = """
import os, pathlib, sys
import softwood as sw

folder = pathlib.Path(sys.argv[1])
log, path = folder / "log", folder / "model"
x = [[float(n % 7), float(n % 5)] for n in range(60)]
options = dict(trees=2, depth=1, epochs=2, members=1, threads=1)
model = sw.train({"a": [r[0] for r in x], "b": [r[1] for r in x], "y": [r[0] - r[1] for r in x]},
                 "y", **options)

def calls():
    return len(log.read_text().splitlines()) if log.exists() else 0

os.environ["FAULT_LOG"] = str(log)
path.write_bytes(b"precious")
before = calls()
model.save(path)
whole, number = path.read_bytes(), calls() - before
assert number >= 8, number
for at in range(1, number + 1):
    path.unlink()  # a new file: writing what was there before is a call, too
    path.write_bytes(b"precious")
    os.environ["FAULT_AT"] = str(calls() + at)
    try:
        model.save(path)
        said = ""
    except sw.Error as error:
        said = str(error)
    os.environ["FAULT_AT"] = "0"
    assert path.read_bytes() == (b"precious" if said else whole), at
    assert not list(folder.glob(".*.part")), at
    print(said)
"""


@pytest.mark.parametrize("fault", ["EINTR", "SHORT", "EIO", "ENOSPC"])
def test_a_model_is_saved_whole_or_not_at_all(fault, tmp_path):
    skip_without_module()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path],
        env=environment(FAULT=fault, FAULT_AT=0),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if line]
    if fault in ("EINTR", "SHORT"):
        assert said == []
    else:
        assert len(said) >= 3
        assert all(REASONS[fault] in line and str(tmp_path / "model") in line for line in said)
