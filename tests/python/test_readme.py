"""The README's tour and losses work as written."""

import os
import re
import shutil
import subprocess
from importlib.resources import files

import pytest
from command_line import QUICK, ROOT, SOFTWOOD, succeed, train

README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


def words(line: str) -> list[str]:
    """What a line says apart from its figures, which may differ in the last digits."""
    return re.findall(r"[A-Za-z_]{2,}", line)


def test_the_tour_runs_and_prints_what_it_shows(tmp_path):
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv")
    (tmp_path / "visits.csv").write_text(visits.read_text())
    (tmp_path / "bin").mkdir()
    shutil.copy(SOFTWOOD, tmp_path / "bin/softwood")
    environment = {**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    (tour,) = blocks("console")
    for step in tour.split("$ ")[1:]:
        command, *shown = step.splitlines()
        if command.startswith("cp "):
            continue  # the copy above
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env=environment,
        )
        assert done.returncode in (0, 141), f"{command}\n{done.stderr}"  # 141: head was satisfied
        printed = [words(line) for line in (done.stderr + done.stdout).splitlines()]
        for line in shown:
            if line.strip() not in ("", "…"):
                assert words(line) in printed, f"{command}\n{line}"


def test_the_zip_shown_is_the_zip_built_in():
    assert succeed("losses", "zip") in README


LOSSES = re.findall(r"^--loss ('.*?'|\S+)", "".join(blocks("sh")), flags=re.MULTILINE)


@pytest.mark.parametrize("loss", [loss.strip("'") for loss in LOSSES])
def test_the_losses_shown_train(tmp_path, tables, loss):
    if loss == "@mine.loss":
        loss = f"@{ROOT / 'examples/geometric.loss'}"
    train(tmp_path, tables / "visits.csv", "--target", "y", "--loss", loss, *QUICK)
