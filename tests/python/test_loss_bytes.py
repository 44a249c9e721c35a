"""Loss texts in other encodings: no training is lost to them."""

import json
import os
import subprocess

import pytest
from command_line import QUICK, SOFTWOOD, fail, succeed, train

PROGRAM = "# für\noutputs f\nloss = (y - f)^2\nmean = f\n"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-8", "utf-8-sig"])
def test_loss_files_are_read_in_any_common_encoding(tmp_path, wave_csv, encoding):
    file = tmp_path / "mine.loss"
    file.write_bytes(PROGRAM.encode(encoding))
    model = train(tmp_path, wave_csv, "--target", "y", "--loss", f"@{file}", *QUICK)
    succeed("predict", model, wave_csv)
    succeed("losses", "--check", file)
    told = succeed(
        "compare",
        wave_csv,
        "--target",
        "y",
        "--losses",
        f"@{file},squared",
        *QUICK,
        "-o",
        tmp_path / "models",
        "--json",
    )
    assert [each.get("failure") for each in json.loads(told)] == [None, None]


def test_bytes_on_the_command_line_are_read_as_latin_1(tmp_path):
    table = tmp_path / "t.csv"
    rows = "".join(f"{i % 7},{1 + i % 3},{i % 5}\n" for i in range(60))
    table.write_bytes(b"a,h\xf6he,f\xfcr\n" + rows.encode())
    model = tmp_path / "m\udcfc.softwood"
    command = [os.fsencode(SOFTWOOD), b"train", os.fsencode(table), b"--target", b"f\xfcr"]
    command += [b"--loss", b"(y - f)^2*h\xf6he # f\xfcr", b"-o", os.fsencode(model)]
    done = subprocess.run(command + [os.fsencode(each) for each in QUICK], capture_output=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [os.fsencode(SOFTWOOD), b"predict", os.fsencode(model), os.fsencode(table)]
    )
    assert done.returncode == 0


def test_a_nul_byte_is_pointed_at(tmp_path, wave_csv):
    file = tmp_path / "nul.loss"
    file.write_bytes(b"outputs f\nloss = (y - f)^2\0 + f\n")
    message = fail("train", wave_csv, "--target", "y", "--loss", f"@{file}", "-o", tmp_path / "m")
    assert "nul.loss:2:17: a NUL byte" in message
    assert "a NUL byte" in fail("losses", "--check", file)
