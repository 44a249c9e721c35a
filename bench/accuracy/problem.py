"""A split as the boosting libraries take it: codes for labels, categories, offsets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.accuracy.folds import NUM_FOLDS, fold_of_rows
from bench.accuracy.splits import Split

MISSING = "(missing)"


@dataclass
class Arrays:
    """Some rows. `features` hold categories of the training rows (others are missing); `texts` are
    the same columns with every category as its text, as CatBoost wants them."""

    features: pd.DataFrame
    texts: pd.DataFrame
    y: np.ndarray
    exposure: np.ndarray


@dataclass
class Problem:
    """What a booster is given: rows to learn from, rows to stop by (if any), how to read them."""

    kind: str
    labels: list[str]
    train: Arrays
    valid: Arrays | None
    seed: int
    has_exposure: bool

    @property
    def is_classes(self) -> bool:
        return self.kind in ("binary", "multiclass")

    def offset(self, rows: Arrays) -> np.ndarray | None:
        """Log exposure plus the log of the overall rate: boosting starts at the constant model."""
        rate = self.train.y.sum() / self.train.exposure.sum()
        return np.log(rows.exposure * rate) if self.has_exposure else None


class Reader:
    """Categories and labels are those of `known`; others become missing."""

    def __init__(self, split: Split, known: pd.DataFrame):
        self.spec = spec = split.spec
        self.columns = [name for name in known if name not in (spec.target, spec.exposure)]
        texts = [name for name in self.columns if known[name].dtype == object]
        self.dtypes = {c: pd.CategoricalDtype(sorted(known[c].dropna().unique())) for c in texts}
        self.labels = sorted(known[spec.target].dropna().astype(str).unique())

    def problem(self, train: Arrays, valid: Arrays | None, seed: int) -> Problem:
        has_exposure = self.spec.exposure is not None
        return Problem(self.spec.kind, self.labels, train, valid, seed, has_exposure)

    def arrays(self, frame: pd.DataFrame) -> Arrays:
        features = frame[self.columns]
        texts = features.fillna(dict.fromkeys(self.dtypes, MISSING))
        exposure = frame[self.spec.exposure] if self.spec.exposure else np.ones(len(frame))
        # XGBoost refuses some characters in names, so columns go by number.
        numbers = [f"x{i}" for i in range(len(self.columns))]
        return Arrays(
            features.astype(self.dtypes).set_axis(numbers, axis=1),
            texts.astype(dict.fromkeys(self.dtypes, str)).set_axis(numbers, axis=1),
            self.response(frame),
            np.asarray(exposure, float),
        )

    def response(self, frame: pd.DataFrame) -> np.ndarray:
        y = frame[self.spec.target]
        if self.spec.kind not in ("binary", "multiclass"):
            return y.to_numpy(float)
        # A label unseen in training trains nothing; as a validation row it counts as the first.
        codes = {label: code for code, label in enumerate(self.labels)}
        return y.astype(str).map(codes).fillna(0).to_numpy()


def problem_of(split: Split, seed: int, reader: type[Reader] = Reader) -> tuple[Problem, Arrays]:
    """The split's own train and validation rows, and the test rows."""
    frames = split.frames()
    read = reader(split, frames["train"])
    train, valid, test = (read.arrays(frame) for frame in frames.values())
    return read.problem(train, valid, seed), test


def fold_problems(
    split: Split, seed: int, reader: type[Reader] = Reader
) -> tuple[list[Problem], Arrays]:
    """One problem per fold of the train and validation rows together, stopped by that fold."""
    known, test = _known_and_test(split)
    read, folds = reader(split, known), fold_of_rows(len(known), seed)
    problems = [
        read.problem(read.arrays(known[folds != fold]), read.arrays(known[folds == fold]), seed)
        for fold in range(NUM_FOLDS)
    ]
    return problems, read.arrays(test)


def whole_problem(split: Split, seed: int, reader: type[Reader] = Reader) -> tuple[Problem, Arrays]:
    """The train and validation rows together, with nothing to stop by."""
    known, test = _known_and_test(split)
    read = reader(split, known)
    return read.problem(read.arrays(known), None, seed), read.arrays(test)


def _known_and_test(split: Split) -> tuple[pd.DataFrame, pd.DataFrame]:
    frames = split.frames()
    return pd.concat([frames["train"], frames["valid"]], ignore_index=True), frames["test"]
