"""What the estimators have in common."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from softwood._core import Error, Table
from softwood.distribution import Distribution
from softwood.estimators.features import check_features, features_of_file
from softwood.estimators.parameters import DOCUMENTATION
from softwood.estimators.responses import free_name, weight_column
from softwood.explain import importances_by_task
from softwood.model import Model
from softwood.progress import Callback
from softwood.training import train_until_stopped

NOT_OPTIONS = {"loss", "tasks", "task_weight", "stop_weight", "verbose"}
# Of rows, in a fraction of the time that training takes. The largest error of a share was mostly
# below 0.02 when measured, 0.04 at worst.
IMPORTANCE_PAIRS = 2000
EvalSet = tuple[Any, ...] | list[tuple[Any, ...]]
Estimator = TypeVar("Estimator", bound="SoftTreesBase")
AnyClass = TypeVar("AnyClass", bound=type)


def documented(cls: AnyClass) -> AnyClass:
    """Puts the parameters, from their one declaration, into the class's docstring."""
    entries = [DOCUMENTATION[name] for name in inspect.signature(cls).parameters]
    cls.__doc__ = (cls.__doc__ or "").replace("{parameters}", "\n    ".join(entries))
    return cls


def pair_of(eval_set: EvalSet) -> tuple[Any, Any]:
    """The validation rows; also in a list, as other libraries have it. Without y: among X."""
    pair = eval_set[0] if isinstance(eval_set, list) and len(eval_set) == 1 else eval_set
    if not isinstance(pair, tuple) or len(pair) not in (1, 2):
        raise Error("eval_set must be one pair (X, y) of validation rows.")
    return pair[0], pair[1] if len(pair) == 2 else None


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

    def __sklearn_is_fitted__(self) -> bool:
        """Not by other attributes: an interrupt may come before there is a model."""
        return hasattr(self, "model_")

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
        self.__dict__.pop("model_", None)  # of an earlier fit, with other classes or columns
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
