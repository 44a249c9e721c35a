"""Several tasks with missing responses: a survey in which not everybody answered everything.

    python examples/survey_with_holes.py [--output survey_with_holes.png]

944 voters of the American National Election Study of 1996 (shipped with statsmodels). Four answers
of different kinds are learned together: the vote (two classes), the party one feels near to (seven
ordered steps), days a week with TV news (a count of 7), how liberal or conservative one is. Of
each, 60 % are hidden; the hidden ones are the test. One model for all is set beside a model per
answer. Needs statsmodels, pandas and matplotlib.
"""

from __future__ import annotations

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import softwood as sw
from softwood import SoftTrees
from statsmodels.datasets import anes96


def days_of_seven(y, f):
    """A binomial count, in Python."""
    return {"loss": 7 * sw.softplus(f) - y * f, "mean": 7 * sw.sigmoid(f)}


TASKS = {"vote": "logistic", "PID": "ordinal", "TVnews": days_of_seven, "selfLR": "ordinal"}
NAMES = {
    "vote": "vote",
    "PID": "party (7 steps)",
    "TVnews": "days with TV news",
    "selfLR": "liberal – conservative",
}
HIDDEN = 0.6


def survey() -> tuple[pd.DataFrame, pd.DataFrame]:
    """What is known of everybody, and the answers."""
    table = anes96.load_pandas().data
    return table[["popul", "age", "educ", "income"]], table[list(TASKS)]


def losses(trees: SoftTrees, X: pd.DataFrame, answers: pd.DataFrame) -> dict[str, float]:
    """Mean loss of each task where there is an answer."""
    figures = trees.model_.evaluate(X.join(answers))
    return {task: figures[task].metrics["loss"] for task in answers}


def compare(seed: int, options: dict[str, int]) -> pd.DataFrame:
    X, answers = survey()
    hidden = np.random.default_rng(seed).uniform(size=answers.shape) < HIDDEN
    asked, unasked = answers.mask(hidden), answers.mask(~hidden)
    together = losses(SoftTrees(TASKS, seed=seed, **options).fit(X, asked), X, unasked)
    alone = {
        task: losses(
            SoftTrees({task: loss}, seed=seed, **options).fit(X, asked[[task]]), X, unasked[[task]]
        )[task]
        for task, loss in TASKS.items()
    }
    return pd.DataFrame({"together": together, "alone": alone})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="how often other answers are hidden")
    parser.add_argument("--trees", type=int, help="number of trees")
    parser.add_argument("--output", default="survey_with_holes.png", help="the picture")
    arguments = parser.parse_args()
    options = {} if arguments.trees is None else {"trees": arguments.trees}
    results = [compare(seed, options) for seed in range(arguments.seeds)]
    ratios = pd.DataFrame([each["together"] / each["alone"] for each in results])
    print("loss of the hidden answers, one model for all ÷ a model for each:")
    print(ratios.agg(["mean", "min", "max"]).T.round(3).to_string())

    figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
    for place, task in enumerate(TASKS):
        ax.plot(ratios[task], np.full(len(ratios), place), "o", color="0.6", ms=5)
        ax.plot(ratios[task].mean(), place, "D", color="C0", ms=8)
    ax.axvline(1, color="0.3", lw=1)
    ax.set(
        yticks=range(len(TASKS)),
        yticklabels=[NAMES[task] for task in TASKS],
        xlabel="loss together ÷ loss alone (left of 1: the other answers help)",
        title=f"{HIDDEN:.0%} of the answers are missing",
    )
    figure.savefig(arguments.output, dpi=120)
    print(f"wrote {arguments.output}")


if __name__ == "__main__":
    main()
