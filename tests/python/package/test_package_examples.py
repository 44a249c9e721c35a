"""The examples run and end in a picture."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("many_zeros", ["--rows", "2000"], "negative binomial"),
        ("survey_with_holes", ["--seeds", "1", "--trees", "8"], "TVnews"),
        ("business_loss", ["--trees", "8"], "the real costs"),
    ],
)
def test_an_example_ends_in_a_picture(tmp_path, name, arguments, said):
    picture = tmp_path / "picture.png"
    done = subprocess.run(
        [sys.executable, EXAMPLES / f"{name}.py", *arguments, "--output", picture],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 10_000
