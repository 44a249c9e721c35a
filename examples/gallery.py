"""The pictures of docs/plots.md, from tables that scikit-learn and statsmodels bring along.

`python examples/gallery.py [DIRECTORY]` writes them (default: docs/pictures).
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import softwood
from PIL import Image
from sklearn.datasets import load_diabetes, load_wine
from softwood import plots
from statsmodels.datasets import randhie

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
DOTS_PER_INCH = 100


def read_visits() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Visits to the doctor (RAND Health Insurance Experiment), to learn from and to test on."""
    visits = randhie.load_pandas().data
    is_test = np.random.default_rng(0).random(len(visits)) < 0.2
    return visits[~is_test], visits[is_test]


def read_diabetes() -> pd.DataFrame:
    names = {"target": "progression", "s5": "log_triglycerides", "s3": "hdl", "s6": "glucose"}
    return load_diabetes(as_frame=True, scaled=False).frame.rename(columns=names)


def read_wine() -> pd.DataFrame:
    wine = load_wine(as_frame=True)
    return wine.frame.assign(target=wine.target_names[wine.target]).rename(
        columns={"target": "cultivar"}
    )


def pictures() -> dict[str, Callable[[], Any]]:
    """What draws each picture, by the picture's name."""
    train, test = read_visits()
    visits = softwood.train(train, {"mdvis": "zero_inflated_negative_binomial"})
    diabetes = read_diabetes()
    progression = softwood.train(diabetes, {"progression": "normal"}, members=5)
    wine = read_wine()
    cultivar = softwood.train(wine, ["cultivar"])
    two = softwood.train(wine[["flavanoids", "color_intensity", "cultivar"]], ["cultivar"])
    some = test.iloc[[100, 2000, 3000]]
    return {
        "learning_curves": lambda: plots.learning_curves(visits),
        "importances": lambda: plots.importances(progression, diabetes),
        "tree": lambda: plots.tree(cultivar, 2, wine),
        "partial_dependence": lambda: plots.partial_dependence(progression, diabetes, "bmi"),
        "partial_dependence_of_two": lambda: plots.partial_dependence(
            progression, diabetes, ["bmi", "log_triglycerides"]
        ),
        "calibration": lambda: plots.calibration(visits, test),
        "distribution": lambda: plots.distribution(visits, some, actual=some["mdvis"]),
        "decision_boundary": lambda: plots.decision_boundary(two, wine),
    }


def save(drawn: Any, path: Path) -> None:
    """As a small file: few colours are enough for a plot."""
    figure = drawn if hasattr(drawn, "savefig") else drawn.figure
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=DOTS_PER_INCH, metadata={"Software": None})
    plt.close(figure)
    image = Image.open(buffer).convert("RGB")
    image.quantize(200, method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)


def main() -> None:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    directory.mkdir(parents=True, exist_ok=True)
    for name, draw in pictures().items():
        save(draw(), directory / f"{name}.png")
        print(directory / f"{name}.png")


if __name__ == "__main__":
    main()
