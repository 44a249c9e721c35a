"""Tables for plots: rows, grids over columns, predictions by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from softwood import _core
from softwood._core import Column, ColumnKind, ColumnsFor, Table
from softwood.data import as_table
from softwood.explain import Floats
from softwood.model import Model
from softwood.plots.style import shorten

FEW_VALUES = 12
MOST_LEVELS = 20


@dataclass(frozen=True)
class Axis:
    """A column and the values of it that a plot goes through: numbers (dates as seconds since 1970)
    or levels."""

    name: str
    kind: ColumnKind
    numbers: Floats
    levels: tuple[str, ...] = ()
    is_missing: bool = False  # the table has missing cells: the last place stands for them

    @property
    def is_categorical(self) -> bool:
        return self.kind == ColumnKind.categorical

    def __len__(self) -> int:
        return len(self.levels) + self.is_missing if self.is_categorical else len(self.numbers)

    def column(self, places: NDArray[np.int64]) -> Column:
        """A column with the values at these places."""
        if self.is_categorical:
            codes = np.where(places < len(self.levels), places, -1).astype(np.int32)
            return Column.categorical(self.name, codes, list(self.levels))
        make = Column.datetime if self.kind == ColumnKind.datetime else Column.numeric
        return make(self.name, np.ascontiguousarray(self.numbers[places]))

    @property
    def grid(self) -> Floats:
        """The numbers without the place of missing cells."""
        return self.numbers[: len(self.numbers) - self.is_missing]

    @property
    def names(self) -> list[str]:
        """The levels, short, and "missing"."""
        return [shorten(level) for level in self.levels] + ["missing"] * self.is_missing

    def shown(self, numbers: Floats) -> Any:
        """Numbers of this column as matplotlib draws them: dates as dates."""
        return as_dates(numbers) if self.kind == ColumnKind.datetime else numbers


def with_response(model: Model, data: Any, y: Any, task: str) -> Table:
    """The table with its responses as the model knows them; `y`, if given, is that of `task`."""
    table = model._table(data, ColumnsFor.evaluation)
    if y is None:
        return table
    return table.with_columns(
        as_table({task: y}, read_as=model._core.read_as(ColumnsFor.evaluation))
    )


def cells(table: Table, name: str) -> Any:
    """A column as a NumPy array."""
    return table[name]


def as_dates(seconds: Floats) -> NDArray[np.datetime64]:
    """Seconds since 1970 as datetime64; NaN becomes NaT."""
    return np.asarray(seconds * 1e6).astype("datetime64[us]")


def numbers_of(table: Table, name: str) -> Floats:
    """A number or date column as floats (dates as seconds since 1970); NaN is missing."""
    values = cells(table, name)
    if table.kind(name) == ColumnKind.datetime:
        seconds = values.astype("datetime64[us]").astype(np.float64) / 1e6
        return np.where(np.isnat(values), np.nan, seconds)
    return np.asarray(values, dtype=np.float64)


def axis_of(table: Table, name: str, places: int) -> Axis:
    """Where a plot over a column goes: its levels, its few values, or `places` even steps over the
    range that all but one percent of the rows lie in."""
    kind = table.kind(name)
    if kind == ColumnKind.categorical:
        return _levels_axis(name, table[name])
    values = numbers_of(table, name)
    present = values[~np.isnan(values)]
    if len(present) == 0:
        raise _core.Error(f"column {name!r} has nothing but missing cells; choose another.")
    distinct = np.unique(present)
    low, high = np.quantile(present, [0.005, 0.995])
    if len(distinct) > FEW_VALUES and high > low:
        distinct = np.linspace(low, high, places)
    missing = bool(len(present) < len(values))
    numbers = np.append(distinct, np.nan) if missing else distinct
    return Axis(name, kind, numbers, is_missing=missing)


def _levels_axis(name: str, texts: Any) -> Axis:
    present = np.array([text for text in texts if text is not None], dtype=object)
    levels, counts = np.unique(present, return_counts=True)
    common = levels[np.argsort(-counts, kind="stable")[:MOST_LEVELS]]
    missing = bool(len(present) < len(texts))
    return Axis(name, ColumnKind.categorical, np.empty(0), tuple(map(str, common)), missing)


def sample_rows(table: Table, most: int) -> Table:
    """At most so many rows, always the same."""
    if table.num_rows <= most:
        return table
    rows = np.random.default_rng(0).choice(table.num_rows, most, replace=False)
    return table[np.sort(rows).astype(np.int64)]


def predict_over(model: Model, table: Table, axes: list[Axis], prediction: str) -> Floats:
    """The prediction of every row at every combination of the axes' values.

    Returns
    -------
    array [places of the first axis × … × rows]
    """
    shape = [len(axis) for axis in axes] + [table.num_rows]
    places = np.indices(shape).reshape(len(shape), -1)
    rows = table[places[-1].astype(np.int64)]
    changed = Table([axis.column(places[i]) for i, axis in enumerate(axes)])
    predicted = model.predict(rows.with_columns(changed))
    return np.asarray(predicted[prediction], dtype=np.float64).reshape(shape)


def chosen_predictions(
    model: Model, table: Table, prediction: str | None, task: str | None
) -> list[str]:
    """The one that is asked for, or what the task is about: its mean, the probability of the second
    of two classes, those of all of several."""
    prefix = _prefix(model, task)
    names = _numeric_predictions(model, table, prefix)
    if prediction is None:
        probabilities = [name for name in names if name.startswith(f"{prefix}probability_")]
        if len(probabilities) > 2:
            return probabilities
        return [probabilities[1] if probabilities else names[0]]
    for name in names:
        if prediction in (name, name.removeprefix(prefix)):
            return [name]
    raise _core.Error(f"there is no prediction {prediction!r}; there are {', '.join(names)}.")


def _prefix(model: Model, task: str | None) -> str:
    """Of the names of a task's predictions: none if there is one task only."""
    targets = [each["target"] for each in model.tasks]
    if task is not None and task not in targets:
        raise _core.Error(f"there is no task {task!r}; there are {', '.join(targets)}.")
    return f"{task or targets[0]}." if len(targets) > 1 else ""


def _numeric_predictions(model: Model, table: Table, prefix: str) -> list[str]:
    if table.num_rows == 0:
        raise _core.Error("the table has no rows to predict.")
    predicted = model.predict(table[np.zeros(1, dtype=np.int64)])
    own = [name for name in predicted.names if name.startswith(prefix)]
    return [name for name in own if predicted.kind(name) == ColumnKind.numeric]


def prediction_label(model: Model, name: str) -> str:
    """For an axis: "predicted mean of price", "P(bought = yes)"."""
    targets = [each["target"] for each in model.tasks]
    target = next((each for each in targets if name.startswith(f"{each}.")), targets[0])
    plain = name.removeprefix(f"{target}.") if len(targets) > 1 else name
    if plain.startswith("probability_"):
        return f"P({target} = {plain.removeprefix('probability_')})"
    return f"predicted {plain} of {target}"
