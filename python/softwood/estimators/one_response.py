"""Estimators of one response."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score

from softwood._core import Error, Evaluation, Table
from softwood.estimators.base import (
    EvalSet,
    Factors,
    SoftTreesBase,
    all_or_nothing,
    documented,
    pair_of,
)
from softwood.estimators.cells import known_cells
from softwood.estimators.features import check_features
from softwood.estimators.parameters import ClassParameters, LossParameters
from softwood.estimators.predictions import first_prediction, probabilities
from softwood.estimators.responses import (
    class_codes,
    class_column,
    classes_of_labels,
    free_name,
    name_of_response,
    number_column,
)
from softwood.estimators.training_columns import training_columns
from softwood.estimators.weights import weights_of_classes
from softwood.language.loss import Loss
from softwood.model import Model
from softwood.progress import Callback
from softwood.training import LossLike, task_list

Estimator = TypeVar("Estimator", bound="OneResponse")


class OneResponse(SoftTreesBase):
    """One response, one loss."""

    loss: LossLike
    target_: str

    def fit(
        self: Estimator,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> Estimator:
        """Learns from a table; rows whose y is missing (NaN, None, NA) take no part.

        Parameters
        ----------
        X : array, sparse matrix or frame [rows × columns]
            NaN is missing; columns of text or categories are fine in frames.
        y : array [rows]
            Of a classifier numbers, truths, texts or categories: predictions are of that kind.
        sample_weight : array [rows], optional
        groups : array [rows], optional
            Rows of one group are all learned or all validated on.
        eval_set : (X, y), optional
            Rows to stop early on; without it they are split off X.
        callbacks : functions of a `softwood.Epoch`
            Called after each epoch; True stops, exceptions stop and are raised.
        """
        return self._train(X, y, self._warm_model(), sample_weight, groups, eval_set, callbacks)

    def _train(
        self: Estimator,
        X: Any,
        y: Any,
        start: Model | None,
        sample_weight: Any,
        groups: Any,
        eval_set: EvalSet | None,
        callbacks: Iterable[Callback],
    ) -> Estimator:
        """From `start`, or from nothing."""
        with all_or_nothing(self):
            self._check_loss()
            columns = training_columns(self.get_params(deep=False), [self.loss])
            self._training_columns = columns
            features = check_features(self, X, reset=start is None, leave_out=columns)
            if start is None:
                self.target_ = free_name(name_of_response(y) or "y", [*features.names, *columns])
                responses = self._first_responses(y, features.num_rows)
            else:
                responses = self._later_responses(y, features.num_rows)
            failure = self._learn(
                self._with_training_columns(X, features).with_columns(responses),
                self._validation(eval_set),
                self._task(start),
                callbacks,
                sample_weight=sample_weight,
                groups=groups,
                start=start,
            )
        if failure is not None:
            raise failure
        return self

    def _task(self, start: Model | None) -> list[dict[str, Any]]:
        if self.loss is not None:
            return task_list({self.target_: self.loss})
        return [] if start is not None else task_list({self.target_: self._standard_loss()})

    def evaluate(self, X: Any, y: Any) -> Evaluation:
        """All figures that fit the response, as ``softwood evaluate``: ``.metrics["loss"]``,
        ``.calibration``, ``.pit_histogram``, …"""
        table = self._examples(X, y, self._features(X))
        return self.model_.evaluate(table, threads=self._threads())[self.target_]

    def _examples(self, X: Any, y: Any, features: Table) -> Table:
        """Features, responses and what else is needed to evaluate."""
        table = self._with_training_columns(X, features)
        return table.with_columns(self._responses(y, table.num_rows))

    def _validation(self, eval_set: EvalSet | None) -> Table | None:
        if eval_set is None:
            return None
        X, y = pair_of(eval_set)
        features = check_features(self, X, reset=False, leave_out=self._training_columns)
        return self._examples(X, y, features)

    def _check_loss(self) -> None:
        if isinstance(self.loss, Mapping):
            raise Error(
                f"loss is a dict; {type(self).__name__} has one response and one loss. Several "
                "responses, each with its loss, are learned by softwood.SoftTrees."
            )

    def _standard_loss(self) -> str:
        raise NotImplementedError

    def _responses(self, y: Any, num_rows: int) -> Table:
        """The column of y, as the model knows it."""
        raise NotImplementedError

    def _first_responses(self, y: Any, num_rows: int) -> Table:
        """The same, of the rows that are learned."""
        return self._responses(y, num_rows)

    def _later_responses(self, y: Any, num_rows: int) -> Table:
        """The same, of rows that a model which is there is trained on."""
        return self._responses(y, num_rows)

    def _adopt(self) -> None:
        tasks = self.model_.tasks
        if len(tasks) != 1:
            raise Error(
                f"the model has {len(tasks)} tasks; load it with SoftTrees.load or softwood.load."
            )
        self.target_ = tasks[0]["target"]


@documented
class SoftTreeRegressor(RegressorMixin, OneResponse, LossParameters):  # type: ignore[misc]
    """Soft decision trees for numbers, counts, amounts and any loss of one's own.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    model_ : softwood.Model
    history_ : softwood.Table
        Losses after every epoch.
    best_score_ : float
        Loss per validation row: the lower the better. None without such rows.
    feature_importances_ : array [columns]
        Share of the predictions' variance that is lost when a column is not known; computed when
        first asked for.
    target_ : str
        What the model calls the response.
    n_features_in_ : int
    feature_names_in_ : array of str
        If X has column names.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from softwood import SoftTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> SoftTreeRegressor(loss="huber(delta=20)").fit(X, y).predict(X).shape
    (442,)
    """

    def partial_fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> SoftTreeRegressor:
        """Trains on with more rows, from the model that there is; the first time, as `fit`. For
        batches of hundreds of rows, not of single ones: docs/warm_start.md."""
        start = getattr(self, "model_", None)
        return self._train(X, y, start, sample_weight, groups, eval_set, callbacks)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """What the loss predicts first: the mean of most, the median of `absolute`, …; [rows], or
        [rows × k] if it is a vector (`multi_quantile`)."""
        return first_prediction(self.predict_table(X), self.model_.tasks[0])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """R² of the predictions; rows whose y is missing take no part."""
        values = self._responses(y, len(predicted := self.predict(X)))[self.target_]
        is_known = ~np.isnan(values)
        weights = None if sample_weight is None else np.asarray(sample_weight)[is_known]
        return float(r2_score(values[is_known], predicted[is_known], sample_weight=weights))

    def _standard_loss(self) -> str:
        return "squared"

    def _responses(self, y: Any, num_rows: int) -> Table:
        return number_column(self, self.target_, y, num_rows)


@documented
class SoftTreeClassifier(ClassifierMixin, OneResponse, ClassParameters):  # type: ignore[misc]
    """Soft decision trees for classes, two or many.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    classes_ : array
        In order, of the kind that y has: bool, int, float, or str in an array of objects.
    model_ : softwood.Model
    history_ : softwood.Table
        Losses after every epoch.
    best_score_ : float
        Loss per validation row: the lower the better. None without such rows.
    feature_importances_ : array [columns]
        Share of the predictions' variance that is lost when a column is not known; computed when
        first asked for.
    target_ : str
        What the model calls the response.
    n_features_in_ : int
    feature_names_in_ : array of str
        If X has column names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import SoftTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SoftTreeClassifier().fit(X, y).predict_proba(X).shape
    (150, 3)
    """

    classes_: NDArray[Any]

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> SoftTreeClassifier:
        """Trains on with more rows, from the model that there is; the first time, as `fit`. For
        batches of hundreds of rows, not of single ones: docs/warm_start.md.

        `classes`: all that will come. If they are three or more, the loss is softmax from the
        start, which takes up new classes when they come.
        """
        start = getattr(self, "model_", None)
        self._classes_to_come = None if classes is None else np.unique(np.asarray(classes))
        try:
            return self._train(X, y, start, sample_weight, groups, eval_set, callbacks)
        finally:
            del self._classes_to_come

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class [rows × classes], in the order of `classes_`."""
        return probabilities(self.predict_table(X), self.model_.tasks[0])

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class, of the kind of `classes_`."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        classes: NDArray[Any] = self.classes_[likeliest]
        return classes

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of right predictions; rows whose y is missing take no part."""
        known, is_known = known_cells(y)
        weights = None if sample_weight is None else np.asarray(sample_weight)[is_known]
        return float(accuracy_score(known, self.predict(X)[is_known], sample_weight=weights))

    def _standard_loss(self) -> str:
        to_come = getattr(self, "_classes_to_come", None)
        classes = self.classes_ if to_come is None else to_come
        return "logistic" if len(classes) == 2 else "softmax"

    def _check_loss(self) -> None:
        super()._check_loss()
        if self.loss is not None:
            loss = Loss(self.loss)
            _check_probabilities(loss.name, loss.predictions)

    def _factors(self, table: Table, validation: Table | None) -> Factors:
        if self.class_weight is None:
            return None, None
        codes = class_codes(table.column(self.target_), self.classes_)
        weights = weights_of_classes(self.class_weight, self.classes_, codes[codes >= 0])
        weights = np.append(weights, 1.0)  # of rows without a class, at place -1
        if validation is None:
            return weights[codes], None
        return weights[codes], weights[class_codes(validation.column(self.target_), self.classes_)]

    def _first_responses(self, y: Any, num_rows: int) -> Table:
        self.classes_, responses = class_column(self, self.target_, y, num_rows)
        self._check_classes_to_come(self.classes_)
        return responses

    def _later_responses(self, y: Any, num_rows: int) -> Table:
        """New classes come after those that there are, as in the model."""
        found, responses = class_column(self, self.target_, y, num_rows)
        self._check_classes_to_come(found)
        fresh = found[~np.isin(found, self.classes_)]
        if len(fresh):
            self.classes_ = np.concatenate([self.classes_, fresh])
        return responses

    def _check_classes_to_come(self, found: NDArray[Any]) -> None:
        to_come = getattr(self, "_classes_to_come", None)
        if to_come is None:
            return
        unknown = set(found.tolist()) - set(to_come.tolist())
        if unknown:
            raise Error(f"y holds {min(unknown)!r}, which is none of classes={to_come.tolist()}.")

    def _responses(self, y: Any, num_rows: int) -> Table:
        found, responses = class_column(self, self.target_, y, num_rows)
        unknown = set(found.tolist()) - set(self.classes_.tolist())
        if unknown:
            raise Error(
                f"y holds {min(unknown)!r}, which is no class of the rows that were learned: "
                f"{self.classes_.tolist()}."
            )
        return responses

    def _adopt(self) -> None:
        super()._adopt()
        task = self.model_.tasks[0]
        _check_probabilities(task["loss"], ["probability"] if task["is_classifier"] else [])
        self.classes_ = classes_of_labels(task)


def _check_probabilities(loss: str, predictions: Collection[str]) -> None:
    if "probability" not in predictions:
        raise Error(
            f"the loss '{loss}' is no classifier's: it has no line 'probability = …'. Use "
            "SoftTreeRegressor, or add the line."
        )
