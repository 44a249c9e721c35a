"""A split as the boosting libraries take it: codes for labels, categories, offsets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from bench.accuracy.folds import NUM_FOLDS, fold_of_rows
from bench.accuracy.splits import Split
from bench.accuracy.tables import TableSpec

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
    """What a booster is given: rows to learn from, rows to stop by, and how to read them."""

    kind: str
    labels: list[str]
    train: Arrays
    valid: Arrays
    seed: int
    has_exposure: bool

    @property
    def is_classes(self) -> bool:
        return self.kind in ("binary", "multiclass")

    def offset(self, rows: Arrays) -> np.ndarray | None:
        """Log exposure plus the log of the overall rate: boosting starts at the constant model."""
        rate = self.train.y.sum() / self.train.exposure.sum()
        return np.log(rows.exposure * rate) if self.has_exposure else None


def problem_of(split: Split, seed: int) -> tuple[Problem, Arrays]:
    """The split's own train and validation rows, and the test rows."""
    frames = split.frames()
    reader = _Reader(split.spec, frames["train"])
    train, valid, test = (reader.arrays(frame) for frame in frames.values())
    return reader.problem(train, valid, seed), test


def fold_problems(split: Split, seed: int) -> tuple[list[Problem], Arrays]:
    """One problem per fold of the train and validation rows together, stopped by that fold."""
    frames = split.frames()
    known = pd.concat([frames["train"], frames["valid"]], ignore_index=True)
    reader, folds = _Reader(split.spec, known), fold_of_rows(len(known), seed)
    problems = [
        reader.problem(
            reader.arrays(known[folds != fold]), reader.arrays(known[folds == fold]), seed
        )
        for fold in range(NUM_FOLDS)
    ]
    return problems, reader.arrays(frames["test"])


class _Reader:
    """Categories and labels are those of `known`; others become missing."""

    def __init__(self, spec: TableSpec, known: pd.DataFrame):
        self.spec = spec
        self.columns = [name for name in known if name not in (spec.target, spec.exposure)]
        texts = [name for name in self.columns if known[name].dtype == object]
        self.dtypes = {c: pd.CategoricalDtype(sorted(known[c].dropna().unique())) for c in texts}
        self.labels = sorted(known[spec.target].astype(str).unique())

    def problem(self, train: Arrays, valid: Arrays, seed: int) -> Problem:
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
            self._response(frame[self.spec.target]),
            np.asarray(exposure, float),
        )

    def _response(self, y: pd.Series) -> np.ndarray:
        if self.spec.kind not in ("binary", "multiclass"):
            return y.to_numpy(float)
        # A label unseen in training trains nothing; as a validation row it counts as the first.
        codes = {label: code for code, label in enumerate(self.labels)}
        return y.astype(str).map(codes).fillna(0).to_numpy()
