"""Counts with many zeros: how often will a person see a doctor, and how sure is that?

    python examples/many_zeros.py [--rows N] [--output many_zeros.png]

20,190 person-years of the RAND Health Insurance Experiment (shipped with statsmodels); 31 % of them
without a single visit. Poisson cannot make that many zeros; other losses can, and it shows in the
frequencies they predict. Needs statsmodels, pandas and matplotlib.
"""

from __future__ import annotations

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import train_test_split
from softwood import SoftTreeRegressor
from statsmodels.datasets import randhie

LOSSES = {"poisson": "Poisson", "zip": "zero-inflated Poisson", "nb": "negative binomial"}
COUNTS = np.arange(16)


def learn(rows: int | None):
    """Fitted models by loss, and the test rows."""
    table = randhie.load_pandas().data.iloc[:rows]
    X, y = table.drop(columns="mdvis"), table["mdvis"]
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    models = {loss: SoftTreeRegressor(loss).fit(X_train, y_train) for loss in LOSSES}
    return models, X_test, y_test


def expected_frequencies(model: SoftTreeRegressor, X) -> np.ndarray:
    """How many rows the model expects to have 0, 1, 2, … visits."""
    distribution = model.predict_distribution(X)
    below = np.array([distribution.cdf(count).sum() for count in COUNTS])
    return np.diff(below, prepend=0)


def draw_frequencies(ax, models, X, y) -> None:
    observed = [(y == count).sum() for count in COUNTS]
    ax.bar(COUNTS, observed, color="0.85", label="observed")
    for (loss, name), marker in zip(LOSSES.items(), "osD", strict=True):
        ax.plot(COUNTS, expected_frequencies(models[loss], X), marker, ms=5, label=name)
    ax.set(xlabel="visits to a doctor in a year", ylabel="test rows", title="Observed and expected")
    ax.legend(frameon=False)


def draw_people(ax, model, X) -> None:
    """The whole distributions of a person who is expected to come rarely, and of one often."""
    order = np.argsort(model.predict(X))
    people = X.iloc[[order[len(X) // 20], order[-len(X) // 20]]]
    distribution = model.predict_distribution(people)
    below = distribution.cdf(np.tile(COUNTS, (2, 1)).astype(float))
    for person, shift in ((0, -0.2), (1, 0.2)):
        ax.bar(
            COUNTS + shift,
            np.diff(below[person], prepend=0),
            width=0.4,
            color=("0.6", "C2")[person],
            label=f"expected {distribution.mean()[person]:.1f}, 90 % of years at most "
            f"{distribution.quantile(0.9)[person]:.0f}",
        )
    ax.set(xlabel="visits to a doctor in a year", ylabel="probability", title="Two people")
    ax.legend(frameon=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, help="learn from the first N rows only")
    parser.add_argument("--output", default="many_zeros.png", help="the picture")
    arguments = parser.parse_args()
    models, X, y = learn(arguments.rows)
    for loss, name in LOSSES.items():
        figures = models[loss].model_.evaluate(X.assign(mdvis=y))["mdvis"].metrics
        zeros = models[loss].predict_distribution(X).cdf(0).mean()
        print(
            f"{name:<22} NLL {figures['loss']:.3f}  CRPS {figures['crps']:.3f}  "
            f"zeros {zeros:.1%} (observed {(y == 0).mean():.1%})"
        )
    figure, axes = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    draw_frequencies(axes[0], models, X, y)
    draw_people(axes[1], models["nb"], X)
    figure.savefig(arguments.output, dpi=120)
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()
