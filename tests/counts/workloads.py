"""What is counted: two small trainings and a prediction, on tables that come with packages."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

_DIABETES_ROWS, _TRAINING_ROWS, _PREDICTED_ROWS = 442, 1000, 8000


def write_tables(folder: Path) -> None:
    """visits.csv: person-years, many of them without a visit; some.csv: the first of them;
    diabetes.csv: ten numbers about each patient."""
    visits = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    lines = visits.splitlines(keepends=True)
    (folder / "visits.csv").write_text("".join(lines[: 1 + _PREDICTED_ROWS]))
    (folder / "some.csv").write_text("".join(lines[: 1 + _TRAINING_ROWS]))
    from sklearn.datasets import load_diabetes

    data = load_diabetes(scaled=False)
    header = ",".join([*data.feature_names, "progress"])
    rows = [
        ",".join(repr(float(cell)) for cell in (*row, response))
        for row, response in zip(data.data, data.target, strict=True)
    ]
    assert len(rows) == _DIABETES_ROWS
    (folder / "diabetes.csv").write_text("\n".join([header, *rows, ""]))


_TRAINING = ["--epochs", "1", "--seed", "1", "--threads", "1", "-q"]
# In this order: the prediction takes the model of the second.
WORKLOADS: dict[str, list[str]] = {
    "train_squared": [
        *("train", "diabetes.csv", "--target", "progress", "-o", "diabetes.softwood"),
        *_TRAINING,
    ],
    "train_zip": [
        *("train", "some.csv", "--target", "mdvis", "--loss", "zip", "-o", "visits.softwood"),
        *("--members", "1"),
        *_TRAINING,
    ],
    "predict_zip": [
        *("predict", "visits.softwood", "visits.csv", "-o", "predicted.csv"),
        *("--threads", "1"),
    ],
}
