"""One declaration of the options: what is written from it is up to date."""

from __future__ import annotations

import importlib.util
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import succeed
from softwood import SoftTreeClassifier, SoftTreeRegressor, SoftTrees, _core

ROOT = Path(__file__).resolve().parents[3]


def generated() -> dict[Path, str]:
    path = ROOT / "python/tools/generate_parameters.py"
    spec = importlib.util.spec_from_file_location("generate_parameters", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.files()


def test_written_files_are_up_to_date():
    for path, text in generated().items():
        if path.suffix == ".py":
            text = subprocess.run(
                [sys.executable, "-m", "ruff", "format", "-", "--stdin-filename", path],
                input=text,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        assert path.read_text() == text, f"{path.name} is old: ./dev parameters"


def test_hints_know_auto_where_it_is_understood():
    """`members="auto"` is no mistake to a type checker."""
    hints = {
        name: str(parameter.annotation)
        for name, parameter in inspect.signature(SoftTrees).parameters.items()
    }
    for option in _core.options():
        hint = hints[option["name"]]
        assert ("auto" in hint or hint == "str | None") >= option["knows_auto"], hint
        assert ("auto" in hint) <= option["knows_auto"], hint
    assert hints["members"].replace("'", '"') == 'Literal["auto"] | int | None'
    assert hints["share"] == "str | None"
    assert hints["seed"] == "int"


@pytest.mark.parametrize("estimator", [SoftTreeRegressor, SoftTreeClassifier, SoftTrees])
def test_parameters_are_called_as_on_the_command_line(estimator):
    names = set(inspect.signature(estimator).parameters)
    help_text = succeed("train", "--help")
    of_python = {"verbose", "tasks", "class_weight", "random_state", "n_jobs", "warm_start"}
    for name in names - of_python:
        assert f"--{name.replace('_', '-')} " in help_text, name
    options = {option["name"] for option in _core.options()}
    missing = options - names
    assert missing == (
        set() if estimator is SoftTrees else {"share", "share_strength", "share_decay"}
    )
