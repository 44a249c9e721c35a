"""Writes what follows from the one declaration of the training options (src/options/option_list.h):
python/softwood/estimators/parameters.py, the constructors of the estimators; docs/parameters.md.

    ./dev parameters
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path
from typing import Any

from softwood import _core

ROOT = Path(__file__).resolve().parents[2]
LOSS = (
    "loss",
    "LossLike",
    "None",
    "A name of the catalogue, a formula in y and f, a function of y and f, or a softwood.Loss.",
)
OWN = {
    "LossParameters": [LOSS],
    "ClassParameters": [
        LOSS,
        (
            "class_weight",
            "ClassWeight",
            "None",
            "How much the rows of a class count: {label: weight}, others 1; 'balanced': every "
            "class as much as any other. Multiplies sample_weight.",
        ),
    ],
    "TaskParameters": [
        (
            "tasks",
            "TasksLike | None",
            "None",
            "Responses and their losses: {'casual': 'poisson', "
            "'holiday': 'logistic'}; or their names alone: losses as fit; None: every column of y.",
        ),
        (
            "task_weight",
            "Mapping[str, float] | None",
            "None",
            "How much a task counts in the splits that it shares with others [1].",
        ),
        (
            "stop_weight",
            "Mapping[str, float] | None",
            "None",
            "How much its validation loss "
            "counts when shared trees stop; 0 = not at all [its weight].",
        ),
    ],
}
# How a training outlives its process.
CHECKPOINTS = [
    (
        "checkpoint",
        "str | PathLike[str] | None",
        "None",
        "File for where training stands, written as it goes.",
    ),
    ("checkpoint_every", "int | None", "None", "Write it every so many epochs."),
    ("checkpoint_minutes", "float | None", "None", "Write it every so many minutes [5]."),
    (
        "resume",
        "bool",
        "False",
        "Go on from the checkpoint, to the same model as without a break; from the start if there "
        "is none.",
    ),
]
# By the names that scikit-learn's own tools set.
CUSTOMARY = [
    (
        "warm_start",
        "bool",
        "False",
        "fit trains on from the model of the last fit, with the rows that it is given now: "
        "docs/warm_start.md.",
    ),
    (
        "random_state",
        "RandomState",
        "None",
        "The seed by scikit-learn's name: a whole number, or a NumPy generator to draw it from.",
    ),
    (
        "n_jobs",
        "int | None",
        "None",
        "The threads by scikit-learn's name; -1: as many as the machine has.",
    ),
    (
        "verbose",
        "bool | None",
        "None",
        "A progress bar; None: if there is a terminal or notebook to show it.",
    ),
]
TYPES = {
    "list of str": "Sequence[str]",
    "str": "str",
    "int": "int",
    "bool": "bool",
    "float": "float",
}
HEADER = '''"""Written by ./dev parameters from src/options/option_list.h; change that instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal

from sklearn.base import BaseEstimator

from softwood.estimators.customary import ClassWeight, RandomState
from softwood.training import LossLike, TasksLike
'''

Parameter = tuple[str, str, str, str]


def parameters_of(class_name: str) -> list[Parameter]:
    """One loss has nobody to share with."""
    options = [
        option
        for option in _core.options()
        if class_name == "TaskParameters" or not option["name"].startswith("share")
    ]
    return [*OWN[class_name], *map(parameter_of, options), *CHECKPOINTS, *CUSTOMARY]


def parameter_of(option: dict[str, Any]) -> Parameter:
    kind = TYPES[option["type"]]
    if option["knows_auto"] and kind != "str":
        kind = 'Literal["auto"] | ' + kind
    if option["default"] is None:
        kind += " | None"
    return option["name"], kind, repr(option["default"]).replace("'", '"'), option["help"] + "."


def constructor(class_name: str) -> str:
    parameters = parameters_of(class_name)
    first = parameters[0]
    lines = [f"class {class_name}(BaseEstimator):  # type: ignore[misc]", "    def __init__("]
    lines += ["        self,", f"        {first[0]}: {first[1]} = {first[2]},", "        *,"]
    lines += [f"        {name}: {kind} = {default}," for name, kind, default, _ in parameters[1:]]
    lines += ["    ) -> None:"]
    lines += [f"        self.{name} = {name}" for name, *_ in parameters]
    return "\n".join(lines) + "\n"


def documentation() -> str:
    """The entry of every parameter in the docstrings of the estimators."""
    lines = ["DOCUMENTATION = {"]
    for name, kind, default, text in dict.fromkeys(
        each for class_name in OWN for each in parameters_of(class_name)
    ):
        head = f"{name} : {described(kind)}, default={default.replace(chr(34), chr(39))}"
        body = textwrap.fill(text, 92, initial_indent=" " * 8, subsequent_indent=" " * 8)
        lines.append(f'    "{name}": """{head}\n{body}""",')
    return "\n".join([*lines, "}"])


def described(kind: str) -> str:
    words = {
        "LossLike": "str, function or Loss",
        "TasksLike | None": "dict, list of str or str",
        "ClassWeight": "dict or 'balanced'",
        "RandomState": "int, RandomState or Generator",
        "str | PathLike[str] | None": "path",
    }
    plain = kind.replace(" | None", "").replace("Sequence[str]", "list of str")
    plain = re.sub(r'Literal\["auto"\] \| (.*)', r"\1 or 'auto'", plain)
    return words.get(kind, "dict" if plain.startswith("Mapping") else plain)


def python_file() -> str:
    return "\n\n".join([HEADER, *map(constructor, OWN), documentation()]) + "\n"


def markdown_file() -> str:
    lines = [
        "# Training options",
        "",
        "One declaration feeds the command line, Python and this page (`./dev parameters` writes",
        "it). In Python, dashes are underscores: `--learning-rate 0.02` is `learning_rate=0.02`.",
        "[…] is what holds without it.",
    ]
    section = ""
    for option in _core.options():
        if option["section"] != section:
            section = option["section"]
            lines += ["", f"## {section}", "", "| option | value | what it does |", "|---|---|---|"]
        flag = "--" + option["name"].replace("_", "-")
        lines.append(f"| `{flag}` | {option['value_name']} | {option['help'].replace('|', '/')} |")
    return "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    return {
        ROOT / "python/softwood/estimators/parameters.py": python_file(),
        ROOT / "docs/parameters.md": markdown_file(),
    }


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text)
