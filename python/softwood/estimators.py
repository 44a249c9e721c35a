"""The scikit-learn face: estimators over `softwood.train`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from softwood._core import Error, Evaluation, Table
from softwood._parameters import DOCUMENTATION, LossParameters, TaskParameters
from softwood.distribution import Distribution
from softwood.explain import importances_by_task
from softwood.features import check_features, features_of_file
from softwood.language.loss import Loss
from softwood.model import Model
from softwood.progress import Callback
from softwood.responses import (
    class_column,
    classes_of_labels,
    free_name,
    name_of_response,
    number_column,
    response_table,
    weight_column,
)
from softwood.training import TasksLike, loss_of_each, task_list, train_until_stopped

__all__ = ["SoftTreeClassifier", "SoftTreeRegressor", "SoftTrees"]

NOT_OPTIONS = {"loss", "tasks", "task_weight", "stop_weight", "verbose"}
IMPORTANCE_PAIRS = 2000  # of rows: shares within about 0.02, in a fraction of the training's time
EvalSet = tuple[Any, ...] | list[tuple[Any, ...]]
Estimator = TypeVar("Estimator", bound="SoftTreesBase")
AnyClass = TypeVar("AnyClass", bound=type)


def documented(cls: AnyClass) -> AnyClass:
    """Puts the parameters, from their one declaration, into the class's docstring."""
    base = "TaskParameters" if issubclass(cls, TaskParameters) else "LossParameters"
    cls.__doc__ = (cls.__doc__ or "").replace("{parameters}", DOCUMENTATION[base].strip())
    return cls


class SoftTreesBase(BaseEstimator):  # type: ignore[misc]
    """What the estimators have in common: a model, its history, its file."""

    model_: Model
    history_: Table
    feature_importances_: NDArray[np.float64]
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def predict_table(self, X: Any, **questions: Any) -> Table:
        """All named predictions of each row, as ``softwood predict`` writes them.

        Parameters
        ----------
        X : table
        **questions
            ``quantiles=[0.1, 0.9]``, ``interval=0.9``, ``prob_above=3``, ``sample=10``,
            ``seed=1``, ``moments=True``: see `Model.predict`.
        """
        table = self._features(X)
        return self.model_.predict(table, threads=self._threads(), **questions)

    def predict_distribution(self, X: Any, task: str | None = None) -> Distribution:
        """Each row's distribution: ``.mean() .var() .quantile(q) .interval(0.9) .cdf(v)
        .sample(n, random_state)``. The loss must have one (poisson, normal, …)."""
        table = self._features(X)
        return self.model_.distribution(table, task, threads=self._threads())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, which C++ and the command line read, too."""
        check_is_fitted(self)
        self.model_.save(path)

    @classmethod
    def load(cls: type[Estimator], path: str | os.PathLike[str]) -> Estimator:
        """A fitted estimator from a model file, wherever it was trained."""
        estimator = cls()
        estimator.model_ = Model.load(path)
        estimator.history_ = estimator.model_.history
        features_of_file(estimator, estimator.model_)
        estimator._adopt()
        return estimator

    def _features(self, X: Any) -> Table:
        check_is_fitted(self)
        return check_features(self, X, reset=False)

    def _threads(self) -> int:
        return int(self.get_params(deep=False)["threads"])

    def _adopt(self) -> None:
        """Checks that a model from a file is of this estimator's kind."""

    def _learn(
        self,
        features: Table,
        responses: Table,
        sample_weight: Any,
        validation: Table | None,
        tasks: list[dict[str, Any]],
        callbacks: Iterable[Callback],
    ) -> None:
        parameters = self.get_params(deep=False)
        options = {name: value for name, value in parameters.items() if name not in NOT_OPTIONS}
        table = features.with_columns(responses)
        if sample_weight is not None:
            if options["weight"] is not None:
                raise Error(
                    f"weights come from sample_weight and from the column {options['weight']!r}; "
                    "give one of them."
                )
            name = free_name("sample_weight", table.names)
            options["weight"] = name
            table = table.with_columns(weight_column(name, sample_weight, table.num_rows))
            if validation is not None:
                ones = weight_column(name, None, validation.num_rows)
                validation = validation.with_columns(ones)
        self.model_, failure = train_until_stopped(
            table, validation, tasks, options, callbacks, parameters["verbose"]
        )
        self.history_ = self.model_.history
        self.feature_importances_ = self._importances(features)
        if failure is not None:  # Ctrl-C, or a callback's: the model stays, the exception goes on
            raise failure

    def _importances(self, features: Table) -> NDArray[np.float64]:
        """In the order of X's columns; of several tasks, their mean."""
        tasks = importances_by_task(
            self.model_, features, max_rows=IMPORTANCE_PAIRS, threads=self._threads()
        )
        table = [[task.get(name, 0.0) for name in features.names] for task in tasks.values()]
        return np.asarray(np.mean(table, axis=0))


class OneResponse(SoftTreesBase, LossParameters):
    """One response, one loss."""

    target_: str

    def _name_target(self, y: Any, features: Table) -> None:
        self.target_ = free_name(name_of_response(y) or "y", features.names)

    def evaluate(self, X: Any, y: Any) -> Evaluation:
        """All figures that fit the response, as ``softwood evaluate``: ``.metrics["loss"]``,
        ``.calibration``, ``.pit_histogram``, …"""
        table = self._features(X)
        table = table.with_columns(self._responses(y, table.num_rows))
        return self.model_.evaluate(table, threads=self._threads())[self.target_]

    def _validation(self, eval_set: EvalSet | None) -> Table | None:
        if eval_set is None:
            return None
        X, y = _pair_of(eval_set)
        features = check_features(self, X, reset=False)
        return features.with_columns(self._responses(y, features.num_rows))

    def _responses(self, y: Any, num_rows: int) -> Table:
        """The column of y, as the model knows it."""
        raise NotImplementedError

    def _adopt(self) -> None:
        tasks = self.model_.tasks
        if len(tasks) != 1:
            raise Error(
                f"the model has {len(tasks)} tasks; load it with SoftTrees.load or softwood.load."
            )
        self.target_ = tasks[0]["target"]


@documented
class SoftTreeRegressor(RegressorMixin, OneResponse):  # type: ignore[misc]
    """Soft decision trees for numbers, counts, amounts and any loss of one's own.

        Parameters
        ----------
    {parameters}

        Attributes
        ----------
        model_ : softwood.Model
        history_ : softwood.Table
            Losses after every epoch.
        target_ : str
            What the model calls the response.
        n_features_in_ : int
        feature_names_in_ : array of str
            If X has column names.

        Examples
        --------
        >>> from sklearn.datasets import load_diabetes
        >>> from softwood import SoftTreeRegressor
        >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
        >>> SoftTreeRegressor(loss="huber(delta=20)").fit(X, y).predict(X).shape
        (442,)
    """

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> SoftTreeRegressor:
        """Learns from a table; rows whose y is missing (NaN) take no part.

        Parameters
        ----------
        X : array, sparse matrix or frame [rows × columns]
            NaN is missing; columns of text or categories are fine in frames.
        y : array [rows]
        sample_weight : array [rows], optional
        eval_set : (X, y), optional
            Rows to stop early on; without it they are split off X.
        callbacks : functions of a `softwood.Epoch`
            Called after each epoch; True stops, exceptions stop and are raised.
        """
        features = check_features(self, X, reset=True)
        self._name_target(y, features)
        self._learn(
            features,
            self._responses(y, features.num_rows),
            sample_weight,
            self._validation(eval_set),
            task_list({self.target_: "squared" if self.loss is None else self.loss}),
            callbacks,
        )
        return self

    def _responses(self, y: Any, num_rows: int) -> Table:
        return number_column(self, self.target_, y, num_rows)

    def predict(self, X: Any) -> NDArray[np.float64]:
        """What the loss predicts first: the mean of most, the median of `absolute`, …; [rows], or
        [rows × k] if it is a vector (`multi_quantile`)."""
        return _first_prediction(self.predict_table(X), self.model_.tasks[0])


@documented
class SoftTreeClassifier(ClassifierMixin, OneResponse):  # type: ignore[misc]
    """Soft decision trees for classes, two or many.

        Parameters
        ----------
    {parameters}

        Attributes
        ----------
        classes_ : array
        model_ : softwood.Model
        history_ : softwood.Table
            Losses after every epoch.
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

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> SoftTreeClassifier:
        """Learns from a table; rows whose y is missing (NaN, None) take no part.

        Parameters
        ----------
        X : array, sparse matrix or frame [rows × columns]
            NaN is missing; columns of text or categories are fine in frames.
        y : array [rows]
            Numbers or texts.
        sample_weight : array [rows], optional
        eval_set : (X, y), optional
            Rows to stop early on; without it they are split off X.
        callbacks : functions of a `softwood.Epoch`
            Called after each epoch; True stops, exceptions stop and are raised.
        """
        if self.loss is not None:
            self._check_probabilities(Loss(self.loss).name, Loss(self.loss).predictions)
        features = check_features(self, X, reset=True)
        self._name_target(y, features)
        self.classes_, responses = class_column(self, self.target_, y, features.num_rows)
        standard = "logistic" if len(self.classes_) == 2 else "softmax"
        self._learn(
            features,
            responses,
            sample_weight,
            self._validation(eval_set),
            task_list({self.target_: standard if self.loss is None else self.loss}),
            callbacks,
        )
        return self

    def _responses(self, y: Any, num_rows: int) -> Table:
        found, responses = class_column(self, self.target_, y, num_rows)
        unknown = set(found.tolist()) - set(self.classes_.tolist())
        if unknown:
            raise Error(
                f"y holds {min(unknown)!r}, which is no class of the rows that were learned: "
                f"{self.classes_.tolist()}."
            )
        return responses

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probability of each class [rows × classes], in the order of `classes_`."""
        return _probabilities(self.predict_table(X), self.model_.tasks[0])

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest class."""
        likeliest = self.predict_proba(X).argmax(axis=1)
        classes: NDArray[Any] = self.classes_[likeliest]
        return classes

    def _adopt(self) -> None:
        super()._adopt()
        task = self.model_.tasks[0]
        self._check_probabilities(task["loss"], ["probability"] if task["is_classifier"] else [])
        self.classes_ = classes_of_labels(task)

    def _check_probabilities(self, loss: str, predictions: Collection[str]) -> None:
        if "probability" not in predictions:
            raise Error(
                f"the loss '{loss}' is no classifier's: it has no line 'probability = …'. Use "
                "SoftTreeRegressor, or add the line."
            )


@documented
class SoftTrees(SoftTreesBase, TaskParameters):
    """Several responses of their own kinds in one model, with holes wherever they are.

        Parameters
        ----------
    {parameters}

        Attributes
        ----------
        targets_ : list of str
        model_ : softwood.Model
        history_ : softwood.Table
            Losses after every epoch.
        n_features_in_ : int
        feature_names_in_ : array of str
            If X has column names.

        Examples
        --------
        >>> import numpy as np
        >>> from softwood import SoftTrees
        >>> X = np.random.default_rng(0).normal(size=(200, 3))
        >>> y = {"count": np.floor(np.exp(X[:, 0])), "sign": np.where(X[:, 1] > 0, "up", "down")}
        >>> SoftTrees({"count": "poisson", "sign": "logistic"}).fit(X, y).predict_table(X).names
        ['count.mean', 'sign.class', 'sign.probability_down', 'sign.probability_up']
    """

    targets_: list[str]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> SoftTrees:
        """Learns all tasks at once; a missing response (NaN, None) adds nothing to its task.

        Parameters
        ----------
        X : array, sparse matrix or frame [rows × columns]
        y : frame or dict with a column per task, or array [rows] or [rows × tasks]; optional
            Without it, the tasks name columns of X.
        sample_weight : array [rows], optional
        eval_set : (X, y), optional
            Rows to stop early on; without it they are split off X.
        callbacks : functions of a `softwood.Epoch`
            Called after each epoch; True stops, exceptions stop and are raised.
        """
        wanted = None if self.tasks is None else list(loss_of_each(self.tasks))
        features, responses = response_table(self, X, y, wanted)
        self.targets_ = wanted or responses.names
        tasks: TasksLike = self.targets_ if self.tasks is None else self.tasks
        self._learn(
            features,
            responses,
            sample_weight,
            self._validation(eval_set),
            task_list(tasks, self.task_weight, self.stop_weight),
            callbacks,
        )
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The first prediction of each task (mean, class, …): [rows] for one, [rows × tasks] for
        several; of type object if some are texts. `predict_table` names them all."""
        table = self.predict_table(X)
        columns = [_first_prediction(table, task, self._prefix(task)) for task in self.model_.tasks]
        if len(columns) == 1:
            return columns[0]
        kind = object if any(column.dtype == object for column in columns) else np.float64
        return np.column_stack([column.astype(kind) for column in columns])

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Minus the mean loss of a row, summed over the tasks by their weights: higher is better;
        for comparing models of the same tasks and losses, as in GridSearchCV."""
        if sample_weight is not None:
            raise Error("score takes no sample_weight.")
        figures = self.evaluate(X, y)
        weights: Mapping[str, float] = self.task_weight or {}
        return -sum(
            weights.get(target, 1.0) * each.metrics["loss"] for target, each in figures.items()
        )

    def evaluate(self, X: Any, y: Any = None) -> dict[str, Evaluation]:
        """All figures that fit each response, by target, as ``softwood evaluate``."""
        check_is_fitted(self)
        features, responses = response_table(self, X, y, self.targets_, reset=False)
        return self.model_.evaluate(features.with_columns(responses), threads=self._threads())

    def _validation(self, eval_set: EvalSet | None) -> Table | None:
        if eval_set is None:
            return None
        X, y = _pair_of(eval_set)
        features, responses = response_table(self, X, y, self.targets_, reset=False)
        return features.with_columns(responses)

    def _features(self, X: Any) -> Table:
        check_is_fitted(self)
        return check_features(self, X, reset=False, leave_out=self.targets_)

    def _prefix(self, task: dict[str, Any]) -> str:
        return "" if len(self.model_.tasks) == 1 else task["target"] + "."

    def _adopt(self) -> None:
        self.targets_ = [task["target"] for task in self.model_.tasks]


def _pair_of(eval_set: EvalSet) -> tuple[Any, Any]:
    """The validation rows; also in a list, as other libraries have it. Without y: among X."""
    pair = eval_set[0] if isinstance(eval_set, list) and len(eval_set) == 1 else eval_set
    if not isinstance(pair, tuple) or len(pair) not in (1, 2):
        raise Error("eval_set must be one pair (X, y) of validation rows.")
    return pair[0], pair[1] if len(pair) == 2 else None


def _probabilities(table: Table, task: dict[str, Any], prefix: str = "") -> NDArray[np.float64]:
    """[rows × classes]"""
    return np.column_stack([table[f"{prefix}probability_{label}"] for label in task["labels"]])


def _first_prediction(table: Table, task: dict[str, Any], prefix: str = "") -> NDArray[Any]:
    """The class; or the first that the loss names, all components of it."""
    if task["is_classifier"]:
        likeliest = _probabilities(table, task, prefix).argmax(axis=1)
        classes: NDArray[Any] = classes_of_labels(task)[likeliest]
        return classes
    columns = [np.array(table[prefix + name]) for name in task["first_prediction"]]
    return columns[0] if len(columns) == 1 else np.column_stack(columns)
