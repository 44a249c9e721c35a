"""The commands of docs/distributions.md work as written, on a part of the table."""

import re
import shlex
from importlib.resources import files

from command_line import ROOT, succeed

PAGE = (ROOT / "docs/distributions.md").read_text()
COMMANDS = re.findall(r"^(?:\$ )?softwood ((?:compare|train|predict|evaluate) .*)$", PAGE, re.M)
HEADER = re.search(r"^mean,.*above_10$", PAGE, re.M)


def test_the_page_runs_from_top_to_bottom(tmp_path, monkeypatch):
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    (tmp_path / "visits.csv").write_text("".join(visits.splitlines(keepends=True)[:600]))
    monkeypatch.chdir(tmp_path)
    printed = []
    for command in COMMANDS:
        quick = () if command.startswith(("predict", "evaluate")) else ("--epochs", "2", "-q")
        printed.append(succeed(*shlex.split(command), *quick))
    text = "".join(printed)
    assert len(COMMANDS) == 5
    assert HEADER.group() + "\n" in text
    assert "flat = calibrated" in text
    for loss in ("poisson", "zip", "nb", "zinb", "normal"):
        assert re.search(rf"^{loss} +[0-9.]+", text, re.M)


def test_the_columns_of_the_table_are_those_that_predict_makes(tmp_path, monkeypatch):
    options = re.findall(r"^\| `(--[^`]*)` \| `([a-z_]+[0-9.]*)`", PAGE, re.M)
    assert len(options) == 5
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    (tmp_path / "visits.csv").write_text("".join(visits.splitlines(keepends=True)[:200]))
    monkeypatch.chdir(tmp_path)
    train = "train visits.csv --target mdvis --loss normal --epochs 2 -q -o m.softwood"
    succeed(*train.split())
    for option, column in options:
        header = succeed("predict", "m.softwood", "visits.csv", *option.split()).splitlines()[0]
        assert column in header.split(",")
