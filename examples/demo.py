"""Visits to the doctor, 31 % of them zero: which loss fits best? `./dev demo` runs this.

The data: 20,190 person-years of the RAND Health Insurance Experiment, as shipped in the statsmodels
package. 64 % of the rows train, 16 % stop the training early, 20 % are the test.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
from scipy.special import gammaln
from scipy.stats import rankdata

SOFTWOOD = os.environ.get("SOFTWOOD", "softwood")
TARGET = "mdvis"
# A geometric distribution with mean exp(f): a likelihood of one's own, in one line.
GEOMETRIC = "loss = (y + 1)*softplus(f) - y*f; mean = exp(f)"
LOSSES = ["poisson", "zero_inflated_poisson", "negative_binomial", GEOMETRIC]
PARTS = {"train": 0.64, "valid": 0.16, "test": 0.20}


@dataclass
class Row:
    """One line of the result; lower likelihood and deviance are better, higher AUC is."""

    loss: str
    trees: str
    negative_log_likelihood: float
    poisson_deviance: float
    auc: float
    seconds: float

    def __str__(self) -> str:
        figures = f"{self.negative_log_likelihood:9.4f}{self.poisson_deviance:10.4f}{self.auc:9.4f}"
        return f"{self.loss:<50}{self.trees:>6}{figures}{self.seconds:9.1f}"


HEADER = f"{'loss':<50}{'trees':>6}{'NLL':>9}{'deviance':>10}{'AUC y>0':>9}{'seconds':>9}"


EXPLANATION = """
NLL: negative log-likelihood per test row, of the whole distribution: how likely was what came?
deviance: Poisson deviance of the mean alone. Only the Poisson loss minimises it, so it wins there,
and it says nothing of the zeros and the tail: compare losses by NLL."""


def split_visits(folder: Path, num_rows: int | None) -> None:
    """Writes train.csv, valid.csv and test.csv."""
    text = files("statsmodels").joinpath("datasets/randhie/randhie.csv").read_text()
    header, *rows = text.splitlines()
    order = np.random.default_rng(0).permutation(len(rows))[:num_rows]
    ends = np.rint(np.cumsum(list(PARTS.values())) * len(order)).astype(int)
    for part, chosen in zip(PARTS, np.split(order, ends[:-1]), strict=True):
        (folder / f"{part}.csv").write_text("\n".join([header, *(rows[i] for i in chosen)]) + "\n")


def softwood(*arguments: object) -> str:
    command = [SOFTWOOD, *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def soft_trees(folder: Path, loss: str, options: list[str]) -> Row:
    model, test = folder / "model.softwood", folder / "test.csv"
    began = time.perf_counter()
    data = (folder / "train.csv", "--valid", folder / "valid.csv")
    softwood("train", *data, "--target", TARGET, "--loss", loss, "--quiet", "-o", model, *options)
    seconds = time.perf_counter() - began
    (evaluation,) = json.loads(softwood("evaluate", model, test, "--json"))
    mean = read_columns(softwood("predict", model, test))["mean"]
    y = read_columns(test.read_text())[TARGET]
    trees = trees_of(model)
    # Every loss here is a whole negative log-likelihood, so the mean loss is one too.
    likelihood = evaluation["metrics"]["loss"]
    return Row(loss, trees, likelihood, poisson_deviance(y, mean), auc(y > 0, mean), seconds)


def poisson_regression(folder: Path) -> Row:
    """The yardstick: a generalised linear model, as statistics packages fit it."""
    from statsmodels.api import GLM, add_constant, families

    parts = {part: read_columns((folder / f"{part}.csv").read_text()) for part in PARTS}
    y = {part: columns.pop(TARGET) for part, columns in parts.items()}
    design = {part: add_constant(np.column_stack(list(c.values()))) for part, c in parts.items()}
    known = [np.concatenate([values["train"], values["valid"]]) for values in (y, design)]
    began = time.perf_counter()
    fitted = GLM(*known, family=families.Poisson()).fit()
    seconds = time.perf_counter() - began
    test, mean = y["test"], fitted.predict(design["test"])
    likelihood = float(np.mean(mean - test * np.log(mean) + gammaln(test + 1)))
    deviance = poisson_deviance(test, mean)
    return Row(
        "Poisson regression, no trees", "", likelihood, deviance, auc(test > 0, mean), seconds
    )


def trees_of(model: Path) -> str:
    with model.open("rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    description = json.loads(header["__metadata__"]["model"])
    bundles = description["members"][0]["trees"]["bundles"]
    return str(sum(bundle["trees"] for bundle in bundles))


def read_columns(text: str) -> dict[str, np.ndarray]:
    header, *rows = csv.reader(io.StringIO(text))
    return dict(zip(header, np.array(rows, float).T, strict=True))


def poisson_deviance(y: np.ndarray, mean: np.ndarray) -> float:
    entropy = np.where(y > 0, y * np.log(np.maximum(y, 1) / mean), 0)
    return float(2 * np.mean(entropy - y + mean))


def auc(positive: np.ndarray, score: np.ndarray) -> float:
    """The chance that a positive row has a higher score than another."""
    ranks, n = rankdata(score), positive.sum()
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * (len(positive) - n)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, help="use only so many rows")
    parser.add_argument("options", nargs="*", help="after --: options for softwood train")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        split_visits(folder, arguments.rows)
        print(HEADER, poisson_regression(folder), sep="\n", flush=True)
        for loss in LOSSES:
            print(soft_trees(folder, loss, arguments.options), flush=True)
    print(EXPLANATION)


if __name__ == "__main__":
    main()
