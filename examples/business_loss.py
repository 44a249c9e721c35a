"""A loss of one's own: hours of care are planned per patient; too few cost more than too many.

    python examples/business_loss.py [--output business_loss.png]

442 patients (scikit-learn's diabetes table); the response is how far the disease has gone after a
year. Suppose that a point planned too high costs 1, a point too low costs 3, and whoever falls
short by more than 60 points becomes an emergency that costs 300 more. That is a few lines of
Python, which are traced into the loss that the trees learn; the cliff is made a slope so that there
is something to descend. Needs matplotlib.
"""

from __future__ import annotations

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import softwood as sw
from sklearn.datasets import load_diabetes
from sklearn.model_selection import KFold, cross_val_predict

EMERGENCY = 300.0
SHORT_BY = 60.0


def true_cost(y: np.ndarray, planned: np.ndarray) -> np.ndarray:
    short = y - planned
    return np.where(short > 0, 3 * short, -short) + EMERGENCY * (short > SHORT_BY)


def care(y, f):
    """The same with a smooth cliff: what the trees learn."""
    short = y - f
    return sw.where(short > 0, 3 * short, -short) + EMERGENCY * sw.sigmoid((short - SHORT_BY) / 10)


LOSSES = {"squared": "squared", "quantile(tau=0.75)": "three to one", care: "the real costs"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trees", type=int, help="number of trees")
    parser.add_argument("--output", default="business_loss.png", help="the picture")
    arguments = parser.parse_args()
    X, y = load_diabetes(return_X_y=True)
    folds = KFold(5, shuffle=True, random_state=0)
    planned = {
        name: cross_val_predict(
            sw.SoftTreeRegressor(loss, trees=arguments.trees), X, y, cv=folds, method="predict"
        )
        for loss, name in LOSSES.items()
    }
    print(sw.Loss(care))
    print(f"\n{'learned':<16}{'cost a patient':>15}{'emergencies':>13}")
    for name, plan in planned.items():
        emergencies = (y - plan > SHORT_BY).mean()
        print(f"{name:<16}{true_cost(y, plan).mean():15.1f}{emergencies:13.1%}")

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4), layout="constrained")
    errors = np.linspace(-150, 150, 601)
    left.plot(errors, true_cost(errors, np.zeros_like(errors)), color="0.6", lw=3, label="true")
    left.plot(errors, sw.Loss(care).value(errors, 0.0), color="C3", lw=1.5, label="learned")
    left.set(xlabel="points short", ylabel="cost", title="What a mistake costs")
    left.legend(frameon=False)
    means = [true_cost(y, plan).mean() for plan in planned.values()]
    errors_of_mean = [true_cost(y, plan).std() / np.sqrt(len(y)) for plan in planned.values()]
    right.bar(list(planned), means, yerr=errors_of_mean, color=["0.75", "0.75", "C3"], capsize=4)
    right.set(ylabel="cost per patient (± standard error)", title="What each loss costs")
    figure.savefig(arguments.output, dpi=120)
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()
