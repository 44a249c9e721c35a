"""The estimator of several tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from softwood._core import Error, Evaluation, Table
from softwood.estimators.base import EvalSet, SoftTreesBase, documented, pair_of
from softwood.estimators.features import check_features
from softwood.estimators.parameters import TaskParameters
from softwood.estimators.predictions import first_prediction
from softwood.estimators.responses import response_table
from softwood.progress import Callback
from softwood.training import TasksLike, loss_of_each, task_list


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
    feature_importances_ : array [columns]
        Share of the predictions' variance that is lost when a column is not known; the mean over
        the tasks.
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
        columns = [first_prediction(table, task, self._prefix(task)) for task in self.model_.tasks]
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
        X, y = pair_of(eval_set)
        features, responses = response_table(self, X, y, self.targets_, reset=False)
        return features.with_columns(responses)

    def _features(self, X: Any) -> Table:
        check_is_fitted(self)
        return check_features(self, X, reset=False, leave_out=self.targets_)

    def _prefix(self, task: dict[str, Any]) -> str:
        return "" if len(self.model_.tasks) == 1 else task["target"] + "."

    def _adopt(self) -> None:
        self.targets_ = [task["target"] for task in self.model_.tasks]
