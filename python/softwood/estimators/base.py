"""What the estimators have in common."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from softwood._core import Error, Table
from softwood.data import as_table
from softwood.distribution import Distribution
from softwood.estimators.customary import core_options, names_explained, threads
from softwood.estimators.features import check_features, columns_of, features_of_file
from softwood.estimators.importances import rows_to_keep, shares_of
from softwood.estimators.parameters import DOCUMENTATION
from softwood.estimators.responses import free_name
from softwood.estimators.weights import row_weights, weight_column
from softwood.foreign_names import hint
from softwood.model import Model
from softwood.old_names import with_names_of_today
from softwood.progress import Callback
from softwood.training import checkpoint_options, train_until_stopped

EvalSet = tuple[Any, ...] | list[tuple[Any, ...]]
Estimator = TypeVar("Estimator", bound="SoftTreesBase")
AnyClass = TypeVar("AnyClass", bound=type)
# For each row of training and of validation.
Factors = tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]


def documented(cls: AnyClass) -> AnyClass:
    """Puts the parameters, from their one declaration, into the class's docstring, and into what
    its constructor says of wrong ones."""
    entries = [DOCUMENTATION[name] for name in inspect.signature(cls).parameters]
    cls.__doc__ = (cls.__doc__ or "").replace("{parameters}", "\n    ".join(entries))
    return names_explained(cls)


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
    best_score_: float | dict[str, float] | None
    n_features_in_: int
    _training_columns: list[str]
    _column_names: list[str]
    _importance_rows: Table | None
    _importances: NDArray[np.float64] | None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def set_params(self: Estimator, **params: Any) -> Estimator:
        """As in scikit-learn; other libraries' names are answered with ours."""
        known = self.get_params(deep=False)
        params = with_names_of_today(params)
        for name in params:
            found = "" if name.partition("__")[0] in known else hint(name, list(known))
            if found:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; {found}")
        changed: Estimator = super().set_params(**params)
        return changed

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of the predictions' variance that is lost when a column is not known, in the order
        of X's columns; of several tasks, their mean. Computed when first asked for, over some of
        the rows of training."""
        check_is_fitted(self)
        if self._importance_rows is None:
            raise AttributeError(
                "a model from a file has no rows to compute feature_importances_ from; give some: "
                "softwood.explain.importances(estimator, X)."
            )
        if self._importances is None:
            self._importances = shares_of(
                self.model_, self._importance_rows, self._column_names, self._threads()
            )
        return self._importances

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
        estimator.best_score_ = _best_score(estimator.model_)
        estimator._training_columns = []
        estimator._importance_rows = estimator._importances = None
        features_of_file(estimator, estimator.model_)
        estimator._adopt()
        return estimator

    def _features(self, X: Any) -> Table:
        if not hasattr(self, "model_"):
            check_is_fitted(self)  # takes longer than a prediction
        return check_features(self, X, reset=False, leave_out=self._training_columns)

    def _warm_model(self) -> Model | None:
        """What `fit` starts from."""
        return getattr(self, "model_", None) if self.get_params(deep=False)["warm_start"] else None

    def _threads(self) -> int:
        return int(threads(vars(self)))

    def _adopt(self) -> None:
        """Checks that a model from a file is of this estimator's kind."""

    def _with_training_columns(self, X: Any, table: Table) -> Table:
        """With those columns of X that only training and evaluation read."""
        others = columns_of(X, self._training_columns)
        return table if others is None else table.with_columns(others)

    def _factors(self, table: Table, validation: Table | None) -> Factors:
        """What the rows' weights are multiplied with."""
        return None, None

    def _learn(
        self,
        table: Table,
        validation: Table | None,
        tasks: list[dict[str, Any]],
        callbacks: Iterable[Callback],
        *,
        sample_weight: Any,
        groups: Any,
        start: Model | None = None,
    ) -> BaseException | None:
        """`table`: features, columns that only training reads, responses. `start`: the model to
        train on. Returns what is to be
        raised afterwards: Ctrl-C, or a callback's exception; the model stays."""
        parameters = self.get_params(deep=False)
        options = core_options(parameters)
        factors, validation_factors = self._factors(table, validation)
        weights = row_weights(table, sample_weight, options["weight"], factors)
        if weights is not None:
            name = options["weight"] or free_name("sample_weight", table.names)
            table = table.with_columns(weight_column(name, weights, table.num_rows))
            if validation is not None:
                own = row_weights(validation, None, options["weight"], validation_factors)
                added = weight_column(name, own, validation.num_rows)
                validation = validation.with_columns(added)
            options["weight"] = name
        if groups is not None:
            if validation is not None:
                raise Error("eval_set gives the validation rows: leave out groups, or eval_set.")
            table, options["keep_together"] = _with_groups(table, groups, options["keep_together"])
        model, failure = train_until_stopped(
            table,
            validation,
            tasks,
            options,
            callbacks,
            parameters["verbose"],
            checkpoint_options(
                parameters["checkpoint"],
                parameters["checkpoint_every"],
                parameters["checkpoint_minutes"],
                parameters["resume"],
            ),
            start,
        )
        self.model_ = model
        self.history_ = model.history
        self.best_score_ = _best_score(model)
        self._importance_rows = rows_to_keep(table, model.features)
        self._importances = None
        return failure


def _with_groups(table: Table, groups: Any, column: str | None) -> tuple[Table, str]:
    if column is not None:
        raise Error(f"groups come from fit and from the column {column!r}; give one of them.")
    name = free_name("groups", table.names)
    added = as_table({name: groups}, looks_at_texts=False)
    if added.num_rows != table.num_rows:
        raise Error(
            "Found input variables with inconsistent numbers of samples: "
            f"[{table.num_rows}, {added.num_rows}]; groups needs one for each row."
        )
    return table.with_columns(added), name


def _best_score(model: Model) -> float | dict[str, float] | None:
    losses = model._core.validation_losses
    if not losses:
        return None
    targets = [task["target"] for task in model.tasks]
    return losses[0] if len(losses) == 1 else dict(zip(targets, losses, strict=True))


@contextmanager
def all_or_nothing(estimator: SoftTreesBase) -> Iterator[None]:
    """A fit that leaves no new model, by a mistake or by Ctrl-C, leaves the estimator as it was."""
    before = dict(estimator.__dict__)
    try:
        yield
    except BaseException:
        if estimator.__dict__.get("model_") is before.get("model_"):
            estimator.__dict__ = before
        raise
