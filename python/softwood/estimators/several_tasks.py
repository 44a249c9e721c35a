"""The estimator of several tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from softwood._core import Error, Evaluation, Table
from softwood.estimators.base import (
    EvalSet,
    SoftTreesBase,
    all_or_nothing,
    documented,
    pair_of,
)
from softwood.estimators.cells import known_cells
from softwood.estimators.features import check_features
from softwood.estimators.parameters import TaskParameters
from softwood.estimators.predictions import first_prediction, probabilities
from softwood.estimators.responses import classes_like, classes_of_labels, text_of_label
from softwood.estimators.several_responses import response_of, response_table
from softwood.estimators.training_columns import training_columns
from softwood.model import Model
from softwood.progress import Callback
from softwood.training import TasksLike, loss_of_each, task_list

# Of one task an array, of several one for each that has it.
ByTarget = NDArray[Any] | dict[str, NDArray[Any]]


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
    best_score_ : float, or dict by target
        Loss per validation row: the lower the better. None without such rows.
    classes_ : array, or dict by target
        If some tasks are of classes.
    feature_importances_ : array [columns]
        Share of the predictions' variance that is lost when a column is not known; the mean over
        the tasks. Computed when first asked for.
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
    ['count.mean', 'count.rate', 'sign.class', 'sign.probability_down', 'sign.probability_up']
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
        groups: Any = None,
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
        groups : array [rows], optional
            Rows of one group are all learned or all validated on.
        eval_set : (X, y), optional
            Rows to stop early on; without it they are split off X.
        callbacks : functions of a `softwood.Epoch`
            Called after each epoch; True stops, exceptions stop and are raised.
        """
        return self._train(X, y, self._warm_model(), sample_weight, groups, eval_set, callbacks)

    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        eval_set: EvalSet | None = None,
        callbacks: Iterable[Callback] = (),
    ) -> SoftTrees:
        """Trains on with more rows, from the model that there is; the first time, as `fit`. For
        batches of hundreds of rows, not of single ones: docs/warm_start.md."""
        start = getattr(self, "model_", None)
        return self._train(X, y, start, sample_weight, groups, eval_set, callbacks)

    def _train(
        self,
        X: Any,
        y: Any,
        start: Model | None,
        sample_weight: Any,
        groups: Any,
        eval_set: EvalSet | None,
        callbacks: Iterable[Callback],
    ) -> SoftTrees:
        """From `start`, or from nothing."""
        losses = {} if self.tasks is None else loss_of_each(self.tasks)
        with all_or_nothing(self):
            columns = training_columns(self.get_params(deep=False), losses.values())
            self._training_columns = columns
            features, responses = response_table(
                self,
                X,
                y,
                (self.targets_ if start is not None else list(losses)) or None,
                reset=start is None,
                leave_out=columns,
            )
            if start is None:
                self.targets_ = list(losses) or responses.names
            tasks: TasksLike = self.targets_ if self.tasks is None else self.tasks
            by_model = start is not None and self.tasks is None
            failure = self._learn(
                self._with_training_columns(X, features).with_columns(responses),
                self._validation(eval_set),
                [] if by_model else task_list(tasks, self.task_weight, self.stop_weight),
                callbacks,
                sample_weight=sample_weight,
                groups=groups,
                start=start,
            )
            if start is None:
                self._classes = self._classes_like(X if y is None else y)
            else:
                self._classes = self._grown_classes(X if y is None else y)
        if failure is not None:
            raise failure
        return self

    @property
    def classes_(self) -> ByTarget:
        """Of a model of one task its classes; of several, those of each that has some, by target.
        They are of the kind that y has."""
        check_is_fitted(self)
        if not self._classes:
            raise AttributeError("no task of this model is one of classes.")
        return self._alone(self._classes)

    def predict(self, X: Any) -> NDArray[Any]:
        """The first prediction of each task (mean, class, …): [rows] for one, [rows × tasks] for
        several; of type object if some are texts. `predict_table` names them all."""
        table = self.predict_table(X)
        columns = [
            first_prediction(table, task, self._prefix(task), self._classes.get(task["target"]))
            for task in self.model_.tasks
        ]
        if len(columns) == 1:
            return columns[0]
        kinds = {column.dtype for column in columns}
        is_mixed = any(kind.kind in "OU" for kind in kinds)
        kind = object if is_mixed else kinds.pop() if len(kinds) == 1 else np.float64
        return np.column_stack([column.astype(kind) for column in columns])

    @available_if(lambda self: self.classes_ is not None)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> ByTarget:
        """Probability of each class [rows × classes], in the order of `classes_`; of a model of
        several tasks, a dict of them by target."""
        table = self.predict_table(X)
        tasks = [task for task in self.model_.tasks if task["is_classifier"]]
        return self._alone(
            {task["target"]: probabilities(table, task, self._prefix(task)) for task in tasks}
        )

    @available_if(lambda self: self.classes_ is not None)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> ByTarget:
        """The logarithm of `predict_proba`."""
        shares: ByTarget = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            if isinstance(shares, dict):
                return {target: np.log(each) for target, each in shares.items()}
            return np.log(shares)

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
        return self.model_.evaluate(self._examples(X, y), threads=self._threads())

    def _examples(self, X: Any, y: Any) -> Table:
        """Features, responses and what else is needed to evaluate."""
        features, responses = response_table(
            self, X, y, self.targets_, reset=False, leave_out=self._training_columns
        )
        return self._with_training_columns(X, features).with_columns(responses)

    def _validation(self, eval_set: EvalSet | None) -> Table | None:
        return None if eval_set is None else self._examples(*pair_of(eval_set))

    def _features(self, X: Any) -> Table:
        check_is_fitted(self)
        leave_out = [*self.targets_, *self._training_columns]
        return check_features(self, X, reset=False, leave_out=leave_out)

    def _classes_like(self, y: Any) -> dict[str, NDArray[Any]]:
        return {
            task["target"]: classes_like(task, response_of(y, self.targets_, task["target"]))
            for task in self.model_.tasks
            if task["is_classifier"]
        }

    def _grown_classes(self, y: Any) -> dict[str, NDArray[Any]]:
        """New classes come after those that there were, as in the model."""
        grown = dict(self._classes)
        for task in self.model_.tasks:
            classes = grown.get(task["target"])
            if classes is None or len(classes) == len(task["labels"]):
                continue
            labels = [str(label) for label in task["labels"][len(classes) :]]
            own = known_cells(response_of(y, self.targets_, task["target"]))[0]
            by_label = {text_of_label(each): each for each in np.unique(own).tolist()}
            fresh = np.array([by_label[label] for label in labels], dtype=classes.dtype)
            grown[task["target"]] = np.concatenate([classes, fresh])
        return grown

    def _alone(self, by_target: dict[str, NDArray[Any]]) -> ByTarget:
        return by_target if len(self.model_.tasks) > 1 else next(iter(by_target.values()))

    def _prefix(self, task: dict[str, Any]) -> str:
        return "" if len(self.model_.tasks) == 1 else task["target"] + "."

    def _adopt(self) -> None:
        tasks = self.model_.tasks
        self.targets_ = [task["target"] for task in tasks]
        self._classes = {
            task["target"]: classes_of_labels(task) for task in tasks if task["is_classifier"]
        }
