"""What a traced loss function returned, as lines of the loss language in a good order."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from softwood._core import Error
from softwood.language.arguments import LossArguments
from softwood.language.text import RESERVED, TextWriter, in_order
from softwood.language.traced import Traced, as_number, as_traced, call, name

_STATEMENTS = ("require", "censored", "cdf", "unit", "label")
# Predictions by their names; one that read the response would silently be none.
_PREDICTIONS = ("mean", "variance", "median", "probability", "quantile")


class LossLines:
    """The lines of a loss: definitions by name (`loss` is one), and statements with their value."""

    def __init__(self, returned: Any, arguments: LossArguments) -> None:
        self._arguments = arguments
        self._definitions: dict[str, Traced] = {}
        self._statements: list[tuple[str, Traced]] = []
        self._order: list[str | int] = []  # a definition's name or a statement's position
        self._inner: str | None = None
        if returned is None:
            raise Error("the function returns nothing; end it with: return the loss")
        for key, value in (
            returned if isinstance(returned, Mapping) else {"loss": returned}
        ).items():
            self._add(key, value)
        self._check_loss()
        self._check_predictions()

    def complete(self) -> None:
        """Adds the prediction of a bare formula in f, if the function names none."""
        if any(self._is_prediction(key) for key in self._definitions):
            return
        f = self._arguments.values["f"]
        self._define(*(("probability", call("softmax", f)) if f.is_vector else ("mean", f)))

    def written(self) -> list[str]:
        """The text's lines after `outputs` and `param`."""
        values = [*self._definitions.values(), *(value for _, value in self._statements)]
        taken = set(self._definitions).union(self._arguments.values, *(v.reads for v in values))
        writer = TextWriter(values, taken, self._inner)
        waiting = dict(self._definitions)
        for each in self._order:
            if isinstance(each, str):
                self._write_definition(writer, each, waiting)
            else:
                words, value = self._statements[each]
                self._write_needed(writer, value, waiting)
                writer.state(words, value)
        return writer.lines

    def _write_definition(self, writer: TextWriter, key: str, waiting: dict[str, Traced]) -> None:
        value = waiting.pop(key, None)
        if value is None:
            return
        self._write_needed(writer, value, waiting)
        writer.define(key, value)

    def _write_needed(self, writer: TextWriter, value: Traced, waiting: dict[str, Traced]) -> None:
        """First the definitions that the value is made of: it will call them by their names."""
        inside = {id(each) for each in in_order(value) if each.operands and each is not value}
        needed: dict[int, str] = {}
        for key, each in waiting.items():
            if id(each) in inside:
                needed.setdefault(id(each), key)
        for key in needed.values():
            self._write_definition(writer, key, waiting)

    def _define(self, key: str, value: Traced) -> None:
        self._definitions[key] = value
        self._order.append(key)

    def _state(self, words: str, value: Traced) -> None:
        self._order.append(len(self._statements))
        self._statements.append((words, value))

    def _add(self, key: Any, value: Any) -> None:
        if key in ("require", "censored"):
            for each in value if isinstance(value, (list, tuple)) else [value]:
                self._state(key, _condition(key, each))
        elif key == "cdf":
            self._add_cdf(value)
        elif key in ("unit", "label"):
            self._add_settings(key, value)
        elif isinstance(key, str) and key.isidentifier() and key not in RESERVED:
            self._add_definition(key, value)
        else:
            raise Error(
                f"{key!r} is no name of a line; lines are 'loss', predictions such as 'mean', and "
                f"{', '.join(_STATEMENTS)}"
            )

    def _add_definition(self, key: str, value: Any) -> None:
        argument = self._arguments.values.get(key)
        if argument is not None and argument is value:
            return
        if argument is not None:
            raise Error(f"the line '{key}' has the name of an argument; choose another")
        self._define(key, as_traced(value))

    def _add_cdf(self, function: Any) -> None:
        arguments = list(inspect.signature(function).parameters) if callable(function) else []
        if len(arguments) != 1:
            raise Error(
                "'cdf' is a function of one argument: lambda q: …, the probability of y <= q"
            )
        self._inner = arguments[0]
        if self._inner in self._arguments.values:
            raise Error(f"the argument '{self._inner}' of the cdf means something else; call it q")
        value = _number("cdf", function(name(self._inner)))
        if self._inner not in value.reads:
            raise Error(f"the cdf does not depend on '{self._inner}'")
        self._state(f"cdf({self._inner}) =", value)

    def _add_settings(self, word: str, settings: Any) -> None:
        if not isinstance(settings, Mapping):
            kind = "an output and a number" if word == "unit" else "a prediction and its labels"
            raise Error(f"'{word}' is a dict of {kind}, not a {type(settings).__name__}")
        for key, value in settings.items():
            self._state(f"{word} {key} =", as_number(value))

    def _check_loss(self) -> None:
        if "loss" not in self._definitions:
            raise Error("the dict has no 'loss'; one of its lines says what the loss is")
        self._definitions["loss"] = loss = _number("loss", self._definitions["loss"])
        unread = [output for output in self._arguments.sizes if output not in loss.reads]
        if unread:
            raise Error(
                f"the loss does not depend on {' and '.join(unread)}, so there is nothing to "
                "learn; it has to use every output (a number made from y alone is no loss)"
            )

    def _check_predictions(self) -> None:
        for key in _PREDICTIONS:
            if key in self._definitions and "y" in self._definitions[key].reads:
                raise Error(f"'{key}' reads y, which is not known when predicting")

    def _is_prediction(self, key: str) -> bool:
        value = self._definitions[key]
        is_helper = key == "loss" or key.startswith("_") or value.is_condition
        return not is_helper and "y" not in value.reads and "f" in value.reads


def _number(what: str, value: Any) -> Traced:
    if value is None:
        raise Error(f"the {what} is None")
    traced = as_traced(value)
    if traced.is_condition:
        raise Error(f"the {what} is a condition; write sw.where(condition, 1, 0)")
    if traced.is_vector:
        raise Error(f"the {what} is a vector, not a number; write sw.sum(…) or an index")
    return traced


def _condition(word: str, value: Any) -> Traced:
    if isinstance(value, Traced) and value.is_condition:
        return value
    raise Error(f"'{word}' needs a condition on the data, such as y >= 0")
