"""The boosting libraries behind one function each: fit a problem, say how to predict.

Learning rate 0.05, up to 5,000 rounds, stopped by the validation rows after 50 without gain, one
thread; otherwise a library's defaults, unless `settings` say more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import lightgbm
import numpy as np
import xgboost
from catboost import CatBoost, Pool
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from bench.accuracy.problem import Arrays, Problem

LEARNING_RATE = 0.05
MAX_ROUNDS = 5000
PATIENCE = 50
Settings = dict[str, float]


@dataclass
class Fitted:
    """`predict` gives means, or a column of probabilities per label; `rounds` are the best's."""

    predict: Callable[[Arrays], np.ndarray]
    rounds: int


def fit_xgboost(problem: Problem, settings: Settings) -> Fitted:
    objectives = {"regression": "reg:squarederror", "count": "count:poisson"}
    objectives |= {"binary": "binary:logistic", "multiclass": "multi:softprob"}
    fixed = {"objective": objectives[problem.kind], "tree_method": "hist"}
    fixed |= {"learning_rate": LEARNING_RATE, "nthread": 1, "seed": problem.seed}
    if problem.kind == "multiclass":
        fixed["num_class"] = len(problem.labels)

    def matrix(rows: Arrays) -> xgboost.DMatrix:
        margin = problem.offset(rows)
        return xgboost.DMatrix(
            rows.features, rows.y, base_margin=margin, enable_categorical=True, nthread=1
        )

    model = xgboost.train(
        fixed | settings,
        matrix(problem.train),
        MAX_ROUNDS,
        evals=[(matrix(problem.valid), "valid")],
        early_stopping_rounds=PATIENCE,
        verbose_eval=False,
    )
    rounds = model.best_iteration + 1

    def predict(rows: Arrays) -> np.ndarray:
        return _both_classes(problem.kind, model.predict(matrix(rows), iteration_range=(0, rounds)))

    return Fitted(predict, rounds)


def fit_lightgbm(problem: Problem, settings: Settings) -> Fitted:
    objectives = {"regression": "regression", "count": "poisson"}
    objectives |= {"binary": "binary", "multiclass": "multiclass"}
    fixed = {"objective": objectives[problem.kind], "learning_rate": LEARNING_RATE}
    fixed |= {"num_threads": 1, "seed": problem.seed, "verbosity": -1}
    if problem.kind == "multiclass":
        fixed["num_class"] = len(problem.labels)

    fixed |= settings

    def dataset(rows: Arrays, **options: object) -> lightgbm.Dataset:
        return lightgbm.Dataset(
            rows.features, rows.y, init_score=problem.offset(rows), params=fixed, **options
        )

    train = dataset(problem.train)
    model = lightgbm.train(
        fixed,
        train,
        MAX_ROUNDS,
        valid_sets=[dataset(problem.valid, reference=train)],
        callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)],
    )

    def predict(rows: Arrays) -> np.ndarray:
        offset = problem.offset(rows)
        if offset is None:
            return _both_classes(problem.kind, model.predict(rows.features))
        # LightGBM's predictions leave the initial score out.
        return np.exp(model.predict(rows.features, raw_score=True) + offset)

    return Fitted(predict, model.best_iteration)


def fit_catboost(problem: Problem, settings: Settings) -> Fitted:
    """Without validation rows `settings` must say the `iterations`."""
    losses = {"regression": "RMSE", "count": "Poisson"}
    losses |= {"binary": "Logloss", "multiclass": "MultiClass"}
    fixed = {"loss_function": losses[problem.kind], "learning_rate": LEARNING_RATE}
    fixed |= {"iterations": MAX_ROUNDS, "early_stopping_rounds": PATIENCE, "thread_count": 1}
    fixed |= {"random_seed": problem.seed, "verbose": False, "allow_writing_files": False}
    # missing responses of several tasks look constant to its check
    fixed["allow_const_label"] = True
    if problem.kind == "multiclass":
        fixed["classes_count"] = len(problem.labels)
    is_category = [str(dtype) == "category" for dtype in problem.train.features.dtypes]
    categories = [column for column, is_one in enumerate(is_category) if is_one]

    def pool(rows: Arrays, baseline: np.ndarray | None) -> Pool:
        return Pool(rows.texts, rows.y, cat_features=categories, baseline=baseline, thread_count=1)

    def known(rows: Arrays | None) -> Pool | None:
        return None if rows is None else pool(rows, problem.offset(rows))

    model = CatBoost(fixed | settings)
    model.fit(known(problem.train), eval_set=known(problem.valid))

    def predict(rows: Arrays) -> np.ndarray:
        if problem.is_classes:
            return model.predict(pool(rows, None), "Probability", thread_count=1)
        raw = model.predict(pool(rows, None), "RawFormulaVal", thread_count=1)
        if problem.kind == "regression":
            return raw
        return np.exp(raw + problem.offset(rows) if problem.has_exposure else raw)

    return Fitted(predict, model.tree_count_)


def fit_hist_gradient_boosting(problem: Problem, settings: Settings) -> Fitted:
    """scikit-learn's; it has no offset, so exposure becomes a rate with weights."""
    fixed = {"learning_rate": LEARNING_RATE, "max_iter": MAX_ROUNDS, "early_stopping": True}
    fixed |= {"n_iter_no_change": PATIENCE, "random_state": problem.seed}
    if problem.is_classes:
        model = HistGradientBoostingClassifier(**fixed | settings)
    else:
        loss = "poisson" if problem.kind == "count" else "squared_error"
        model = HistGradientBoostingRegressor(loss=loss, **fixed | settings)
    train, valid = problem.train, problem.valid
    with threadpool_limits(1):
        model.fit(
            train.features,
            train.y / train.exposure,
            sample_weight=train.exposure,
            X_val=valid.features,
            y_val=valid.y / valid.exposure,
            sample_weight_val=valid.exposure,
        )

    def predict(rows: Arrays) -> np.ndarray:
        if problem.is_classes:
            return model.predict_proba(rows.features)
        return model.predict(rows.features) * rows.exposure

    return Fitted(predict, model.n_iter_)


def _both_classes(kind: str, predicted: np.ndarray) -> np.ndarray:
    """Several binary responses at once stay a column of probabilities each."""
    one = kind == "binary" and predicted.ndim == 1
    return np.column_stack([1 - predicted, predicted]) if one else predicted
