"""A table with every kind of column, and small models of it."""

from __future__ import annotations

from functools import cache

import numpy as np
import softwood
from softwood._core import Column

QUICK = {"trees": 16, "epochs": 3, "verbose": False}
FEATURES = ["x", "holes", "city", "day"]
NUM_ROWS = 400


def make_table(num_rows: int = NUM_ROWS, seed: int = 0) -> softwood.Table:
    """y = 3x + 1 in city b; `holes` and `city` have missing cells."""
    random = np.random.default_rng(seed)
    x = random.uniform(-1, 1, num_rows)
    city = random.integers(-1, 3, num_rows).astype(np.int32)
    holes = np.where(random.random(num_rows) < 0.2, np.nan, random.normal(size=num_rows))
    y = 3 * x + (city == 1) + 0.1 * random.normal(size=num_rows)
    thirds = np.digitize(y, [-1, 1]).astype(np.int32)
    return softwood.Table(
        [
            Column.numeric("x", x),
            Column.numeric("holes", holes),
            Column.categorical("city", city, ["a", "b", "c"]),
            Column.datetime("day", 86400.0 * np.arange(num_rows)),
            Column.numeric("y", y),
            Column.numeric("count", random.poisson(np.exp(x)).astype(float)),
            Column.categorical("two", (y > 0).astype(np.int32), ["no", "yes"]),
            Column.categorical("three", thirds, ["low", "middle", "high"]),
        ]
    )


TASKS: dict[str, dict[str, str | None]] = {
    "regression": {"y": "normal"},
    "two classes": {"two": None},
    "three classes": {"three": None},
    "counts": {"count": "poisson"},
    "two tasks": {"y": "normal", "two": None},
    "members": {"y": "normal"},
}


def make_model(tasks: dict[str, str | None], **options: object) -> softwood.Model:
    return softwood.train(make_table(), tasks, features=FEATURES, **{**QUICK, **options})


@cache
def model_of(kind: str) -> softwood.Model:
    """One of TASKS, trained once."""
    return make_model(TASKS[kind], members=2 if kind == "members" else 1)
