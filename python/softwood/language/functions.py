"""The functions of the loss language, for traced values and for numbers to try a loss on.

Numbers and arrays are computed by the core, so both ways agree. Functions of vectors take them
along the last axis.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from inspect import Parameter, Signature
from typing import Any

import numpy as np

from softwood import _core
from softwood.language.text import number_text
from softwood.language.traced import REDUCTIONS, VECTOR_MAPS, Traced, call

__all__ = [
    "abs", "beta_p", "beta_q", "cumsum", "diff", "digamma", "erf", "exp", "expm1", "floor",
    "gamma_p", "gamma_q", "lgamma", "log", "log1p", "log1p_ratio", "log_cosh", "log_expm1_ratio",
    "log_multichoose", "log_rising", "log_sigmoid", "logaddexp", "logsumexp", "max", "min",
    "normal_cdf", "normal_log_cdf", "range", "sigmoid", "size", "softmax", "softplus", "sqrt",
    "stirling_error", "sum", "sum_log1p", "tanh", "where",
]  # fmt: skip

Function = Callable[..., Any]


def _is_traced(value: object) -> bool:
    if isinstance(value, (list, tuple)) or (
        isinstance(value, np.ndarray) and value.dtype == object
    ):
        return any(_is_traced(each) for each in value)
    return isinstance(value, Traced)


@lru_cache(maxsize=1024)
def _program(text: str) -> _core.LossProgram:
    return _core.LossProgram.compile(text)


def _of_numbers(function: str, arguments: tuple[Any, ...]) -> Any:
    """Component by component. Plain numbers stand in the text, where the core folds them as it does
    in a formula."""
    arrays = np.broadcast_arrays(*(np.asarray(each, dtype=np.float64) for each in arguments))
    is_plain = arrays[0].ndim == 0
    names = [number_text(each.item()) if is_plain else f"x{k}" for k, each in enumerate(arrays)]
    program = _program(f"outputs f\nloss = {function}({', '.join(names)})")
    columns = [] if is_plain else [np.ascontiguousarray(each).reshape(-1) for each in arrays]
    ignored = np.zeros(arrays[0].size)
    result = program.value(ignored, ignored.reshape(1, -1), columns)
    return result.reshape(arrays[0].shape)[()]


def _of_vectors(function: str, argument: Any) -> Any:
    """Along the last axis."""
    vectors = np.asarray(argument, dtype=np.float64)
    if vectors.ndim == 0 or vectors.shape[-1] == 0:
        raise _core.Error(f"{function} needs a vector with at least one component")
    length = vectors.shape[-1]
    program = _program(f"outputs v[{length}]\nloss = v[0]\nvalue = {function}(v)")
    result = program.predict(np.ascontiguousarray(vectors.reshape(-1, length).T), [])
    return result.T.reshape(vectors.shape[:-1] if function in REDUCTIONS else vectors.shape)[()]


def _named(function: Function, name: str, summary: str) -> Function:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{summary}."
    stated = re.match(rf"{name}\((.+?)\)", summary)  # gamma_p(a, x): …
    arguments = stated[1].split(", ") if stated else ["x"]
    function.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(each, Parameter.POSITIONAL_ONLY) for each in arguments]
    )
    return function


_KNOWN = {name: (kind, arity, summary) for name, kind, arity, summary in _core.loss_functions()}


def _check_count(name: str, given: int, expected: tuple[int, ...]) -> None:
    if given not in expected:
        counts = " or ".join(str(each) for each in expected)
        plural = "" if expected == (1,) else "s"
        raise _core.Error(f"{name} takes {counts} argument{plural}, not {given}")


def _function(name: str) -> Function:
    kind, arity, summary = _KNOWN[name]
    counts = (1, 2) if kind == "min_max" else (arity,)
    is_of_vector = name in REDUCTIONS | VECTOR_MAPS

    def function(*arguments: Any) -> Any:
        _check_count(name, len(arguments), counts)
        if any(_is_traced(each) for each in arguments):
            return call(name, *arguments)
        if is_of_vector and len(arguments) == 1:
            return _of_vectors(name, arguments[0])
        return _of_numbers(name, arguments)

    return _named(function, name, summary)


def where(condition: Any, a: Any, b: Any, /) -> Any:
    """`a` where the condition holds, else `b`: the language's `if`."""
    if any(_is_traced(each) for each in (condition, a, b)):
        return call("if", condition, a, b)
    return np.where(condition, a, b)[()]


def size(v: Any, /) -> Any:
    """How many components a vector has."""
    return call("size", v) if _is_traced(v) else np.shape(v)[-1]


def range(n: Any, /) -> Any:
    """The vector 0, 1, ..., n - 1."""
    return call("range", n) if _is_traced(n) else np.arange(n, dtype=np.float64)


exp = _function("exp")
log = _function("log")
log1p = _function("log1p")
expm1 = _function("expm1")
sqrt = _function("sqrt")
abs = _function("abs")
min = _function("min")
max = _function("max")
floor = _function("floor")
tanh = _function("tanh")
sigmoid = _function("sigmoid")
softplus = _function("softplus")
log_sigmoid = _function("log_sigmoid")
log_cosh = _function("log_cosh")
logaddexp = _function("logaddexp")
lgamma = _function("lgamma")
digamma = _function("digamma")
erf = _function("erf")
normal_cdf = _function("normal_cdf")
normal_log_cdf = _function("normal_log_cdf")
gamma_p = _function("gamma_p")
gamma_q = _function("gamma_q")
beta_p = _function("beta_p")
beta_q = _function("beta_q")
log1p_ratio = _function("log1p_ratio")
log_expm1_ratio = _function("log_expm1_ratio")
stirling_error = _function("stirling_error")
log_rising = _function("log_rising")
log_multichoose = _function("log_multichoose")
sum_log1p = _function("sum_log1p")
sum = _function("sum")
logsumexp = _function("logsumexp")
softmax = _function("softmax")
cumsum = _function("cumsum")
diff = _function("diff")
