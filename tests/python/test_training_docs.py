"""The commands of docs/training.md work as written, on a part of the table."""

import re
import shlex
from importlib.resources import files

import pytest
from command_line import ROOT, succeed

PAGE = (ROOT / "docs/training.md").read_text()
COMMANDS = re.findall(r"^softwood (train .*)$", PAGE, flags=re.MULTILINE)


def test_the_page_has_commands():
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_trains(tmp_path, monkeypatch, command):
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    (tmp_path / "visits.csv").write_text("".join(visits.splitlines(keepends=True)[:400]))
    monkeypatch.chdir(tmp_path)
    succeed(*shlex.split(command, comments=True), "--epochs", "2")
    assert (tmp_path / "visits.softwood").exists()
    if "--out-of-fold" in command:
        lines = (tmp_path / "honest.csv").read_text().splitlines()
        assert lines[0] == "fold,mean,mu,pi"
        assert len(lines) == 400
