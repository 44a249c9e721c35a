"""What the arguments of a traced loss function stand for."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from softwood._core import Error
from softwood.language.text import RESERVED, number_text
from softwood.language.traced import Traced, as_traced, name

Outputs = str | Sequence[str] | Mapping[str, Any] | None
# The size of each output as written; None for a number.
Sizes = dict[str, str | None]


def read_outputs(outputs: Outputs) -> Sizes:
    """("log_mu", "logit_pi"), {"w": 3}, "f[classes]", or "w[3], mu[3]"."""
    if isinstance(outputs, Mapping):
        return {key: None if size is None else str(size) for key, size in outputs.items()}
    listed = re.split(r",(?![^\[]*\])", outputs) if isinstance(outputs, str) else outputs or ()
    sizes: Sizes = {}
    for each in listed:
        parts = re.fullmatch(r"\s*(\w+)\s*(?:\[(.+)\])?\s*", each)
        if parts is None:
            raise Error(f"outputs: {each!r} is no name, nor a name with a size such as w[3]")
        sizes[parts[1]] = parts[2]
    if not sizes:
        raise Error('outputs names no output; one number is outputs="f"')
    return sizes


class LossArguments:
    """One value per argument: y, the outputs, `classes`, parameters, columns."""

    def __init__(self, function: Callable[..., Any], sizes: Sizes) -> None:
        self.sizes = sizes
        self.values: dict[str, Traced] = {}
        self._params: dict[str, str] = {}
        self._positional: list[Traced] = []
        self._by_name: dict[str, Traced] = {}
        for argument in _signature(function).parameters.values():
            self._add(argument)
        self._check()

    def call(self, function: Callable[..., Any]) -> Any:
        """What the function gives for them."""
        return function(*self._positional, **self._by_name)

    def lines(self) -> list[str]:
        """The lines `outputs …` and `param …`."""
        listed = [key if size is None else f"{key}[{size}]" for key, size in self.sizes.items()]
        outputs = [f"outputs {', '.join(listed)}"]
        params = [f"param {key} = {default}" for key, default in self._params.items()]
        # A size may be a parameter, which then has to be known.
        sizes = " ".join(size or "" for size in self.sizes.values())
        is_sized_by_params = any(key in self._params for key in re.findall(r"\w+", sizes))
        return params + outputs if is_sized_by_params else outputs + params

    def _add(self, argument: inspect.Parameter) -> None:
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            stars = "*" if argument.kind == argument.VAR_POSITIONAL else "**"
            raise Error(
                f"the argument {stars}{argument.name} has no meaning in a loss; name every column "
                "that it reads"
            )
        value = self._value(argument)
        self.values[argument.name] = value
        if argument.kind == argument.POSITIONAL_ONLY:
            self._positional.append(value)
        else:
            self._by_name[argument.name] = value

    def _value(self, argument: inspect.Parameter) -> Traced:
        if argument.name in self.sizes:
            size = self.sizes[argument.name]
            known = int(size) if size is not None and size.isdigit() else None
            return name(argument.name, is_vector=size is not None, size=known)
        if argument.default is argument.empty or argument.name in ("y", "classes"):
            return name(argument.name)
        if isinstance(argument.default, str):
            return name(argument.default)
        return self._param(argument)

    def _param(self, argument: inspect.Parameter) -> Traced:
        is_vector = isinstance(argument.default, (list, tuple, np.ndarray))
        default = None if isinstance(argument.default, bool) else argument.default
        try:
            numbers = as_traced(default)
        except Error:
            raise Error(
                f"the default of '{argument.name}' is {argument.default!r}; a parameter has a "
                "number or a list of numbers, a column none or its name"
            ) from None
        parts = [number_text(each.number) for each in numbers.operands or (numbers,)]
        self._params[argument.name] = f"[{', '.join(parts)}]" if is_vector else parts[0]
        return name(argument.name, is_vector=numbers.is_vector, size=numbers.size)

    def _check(self) -> None:
        given = ", ".join(self.values) or "none"
        if "y" not in self.values:
            raise Error(f"no argument is called y, which is the response; its arguments: {given}")
        for output in self.sizes:
            if output not in self.values:
                raise Error(
                    f"no argument is called {output}, which is an output; its arguments: {given}. "
                    'Outputs of other names are listed: Loss(function, outputs=("a", "b"))'
                )
        for word in (*self.sizes, *self._params):
            if word in RESERVED:
                raise Error(f"'{word}' is a word of the loss language; choose another name")


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        raise Error(f"{function!r} does not say what its arguments are; wrap it in a def") from None


def name_of(function: Callable[..., Any]) -> str:
    """The function's name; "formula" if it has none."""
    while isinstance(function, functools.partial):
        function = function.func
    own = getattr(function, "__name__", type(function).__name__)
    return "formula" if own == "<lambda>" else own
