"""Where the tuned rivals look: the settings their own guides name first, in usual ranges."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Draw = Callable[[np.random.Generator], float]


def uniform(low: float, high: float) -> Draw:
    return lambda generator: float(generator.uniform(low, high))


def log_uniform(low: float, high: float) -> Draw:
    return lambda generator: math.exp(generator.uniform(math.log(low), math.log(high)))


def integer(low: int, high: int) -> Draw:
    return lambda generator: int(generator.integers(low, high, endpoint=True))


def log_integer(low: int, high: int) -> Draw:
    return lambda generator: round(log_uniform(low, high)(generator))


def always(value: float) -> Draw:
    return lambda _: value


SPACES: dict[str, dict[str, Draw]] = {
    "xgboost": {
        "learning_rate": log_uniform(0.01, 0.3),
        "max_depth": integer(3, 10),
        "min_child_weight": log_uniform(1, 100),
        "subsample": uniform(0.5, 1),
        "colsample_bytree": uniform(0.5, 1),
        "lambda": log_uniform(0.1, 10),
    },
    "lightgbm": {
        "learning_rate": log_uniform(0.01, 0.3),
        "num_leaves": log_integer(8, 256),
        "min_data_in_leaf": log_integer(3, 100),
        "bagging_fraction": uniform(0.5, 1),
        "bagging_freq": always(1),
        "feature_fraction": uniform(0.5, 1),
        "lambda_l2": log_uniform(0.1, 10),
    },
    # Depth 8 is where CatBoost's symmetric trees become slow; its guide says 4 to 10, 6 at best.
    "catboost": {
        "learning_rate": log_uniform(0.01, 0.3),
        "depth": integer(3, 8),
        "l2_leaf_reg": log_uniform(0.5, 20),
        "random_strength": log_uniform(0.1, 10),
        "bagging_temperature": uniform(0, 2),
    },
}


def draw(space: dict[str, Draw], generator: np.random.Generator) -> dict[str, float]:
    return {name: draw_one(generator) for name, draw_one in space.items()}
