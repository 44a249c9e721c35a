"""NumPy's and SciPy's functions on traced values, said in the loss language."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from softwood._core import Error
from softwood.language.traced import (
    Traced,
    as_condition,
    as_number,
    as_traced,
    binary,
    call,
    logical_not,
)

Rule = Callable[..., Traced]


def _binary(op: str) -> Rule:
    return lambda a, b: binary(op, a, b)


def _call(function: str) -> Rule:
    return lambda *arguments: call(function, *arguments)


def _logical(op: str) -> Rule:
    """Of numbers too, as in NumPy: what is not 0 holds."""
    if op == "and":
        return lambda a, b: as_condition(a) & as_condition(b)
    return lambda a, b: as_condition(a) | as_condition(b)


def _sign(x: Any) -> Traced:
    return call("if", as_number(x) > 0, 1, call("if", as_number(x) < 0, -1, 0))


def _xlogy(x: Any, y: Any) -> Traced:
    return call("if", as_number(x) == 0, 0, x * call("log", y))


def _xlog1py(x: Any, y: Any) -> Traced:
    return call("if", as_number(x) == 0, 0, x * call("log1p", y))


_SAME = "exp log log1p expm1 sqrt floor tanh logaddexp erf"
_OF_NUMPY: dict[str, Rule] = {
    **{function: _call(function) for function in _SAME.split()},
    "add": _binary("+"),
    "subtract": _binary("-"),
    "multiply": _binary("*"),
    "divide": _binary("/"),
    "floor_divide": lambda a, b: call("floor", binary("/", a, b)),
    "power": _binary("^"),
    "float_power": _binary("^"),
    "negative": lambda x: -x,
    "positive": as_number,
    "absolute": _call("abs"),
    "fabs": _call("abs"),
    "square": lambda x: x**2,
    "reciprocal": lambda x: 1 / x,
    "sign": _sign,
    "ceil": lambda x: -call("floor", -x),
    "exp2": lambda x: 2**x,
    "log2": lambda x: call("log", x) / math.log(2),
    "log10": lambda x: call("log", x) / math.log(10),
    "maximum": _call("max"),
    "minimum": _call("min"),
    "equal": _binary("=="),
    "not_equal": _binary("!="),
    "less": _binary("<"),
    "less_equal": _binary("<="),
    "greater": _binary(">"),
    "greater_equal": _binary(">="),
    "logical_and": _logical("and"),
    "logical_or": _logical("or"),
    "logical_not": logical_not,
    "bitwise_and": lambda a, b: as_traced(a) & b,
    "bitwise_or": lambda a, b: as_traced(a) | b,
    "invert": lambda x: ~x,
}
_OF_SCIPY: dict[str, Rule] = {
    "gammaln": _call("lgamma"),
    "loggamma": _call("lgamma"),
    "psi": _call("digamma"),
    # The tail of erfc without 1 - erf(x), which would lose its digits.
    "erfc": lambda x: 2 * call("normal_cdf", -x * math.sqrt(2)),
    "expit": _call("sigmoid"),
    "log_expit": _call("log_sigmoid"),
    "logit": lambda p: call("log", p) - call("log1p", -p),
    "ndtr": _call("normal_cdf"),
    "log_ndtr": _call("normal_log_cdf"),
    "gammainc": _call("gamma_p"),
    "gammaincc": _call("gamma_q"),
    "betainc": _call("beta_p"),
    "betaincc": _call("beta_q"),
    "xlogy": _xlogy,
    "xlog1py": _xlog1py,
    "exprel": lambda x: call("exp", call("log_expm1_ratio", x)),
}
UFUNCS: dict[str, Rule] = {**_OF_NUMPY, **_OF_SCIPY}
_REDUCED: dict[str, Rule] = {
    "add": _call("sum"),
    "maximum": _call("max"),
    "minimum": _call("min"),
    "logaddexp": _call("logsumexp"),
}
_ACCUMULATED: dict[str, Rule] = {"add": _call("cumsum")}


def _check_settings(function: str, settings: Mapping[str, Any]) -> None:
    """A vector has one axis; results cannot be written into an array that exists."""
    if settings.get("out") is not None:
        raise Error(f"{function}(out=…) writes into an array, which a traced value cannot do")
    for name, value in settings.items():
        if value is not None and not (name == "axis" and value in (0, -1)):
            raise Error(f"{function}({name}=…) has no meaning in a loss; leave {name} out")


def apply_ufunc(
    ufunc: np.ufunc, method: str, inputs: Sequence[Any], settings: Mapping[str, Any]
) -> Traced:
    """np.exp(f) and its kin; np.add.reduce(f), np.add.accumulate(f)."""
    name = ufunc.__name__
    _check_settings(name, settings)
    tables = {"__call__": UFUNCS, "reduce": _REDUCED, "accumulate": _ACCUMULATED}
    rule = tables.get(method, {}).get(name)
    if rule is None:
        full_name = name if method == "__call__" else f"{name}.{method}"
        raise Error(f"the loss language has no {full_name}{_nearest(name, list(UFUNCS))}")
    return rule(*inputs)


def _clip(x: Any, low: Any = None, high: Any = None) -> Traced:
    above = as_number(x) if low is None else call("max", x, low)
    return above if high is None else call("min", above, high)


def _vector(parts: Any) -> Traced:
    return as_traced(list(parts))


_FUNCTIONS: dict[Callable[..., Any], Rule] = {
    np.where: _call("if"),
    np.clip: _clip,
    np.sum: _call("sum"),
    np.max: _call("max"),
    np.min: _call("min"),
    np.cumsum: _call("cumsum"),
    np.mean: lambda v: call("sum", v) / call("size", v),
    np.concatenate: _vector,
    np.stack: _vector,
    np.hstack: _vector,
    np.size: _call("size"),
}
FUNCTIONS = {function.__name__: rule for function, rule in _FUNCTIONS.items()}


def apply_function(
    function: Callable[..., Any], inputs: Sequence[Any], settings: Mapping[str, Any]
) -> Traced:
    """np.where(condition, a, b), np.clip, np.sum and their kin."""
    rule = FUNCTIONS.get(function.__name__)
    if rule is None:
        names = [*FUNCTIONS, *UFUNCS]
        raise Error(
            f"the loss language has no {function.__name__}{_nearest(function.__name__, names)}"
        )
    if rule is _clip:
        bounds = {"a_min": "low", "min": "low", "a_max": "high", "max": "high"}
        named = {bounds[each]: settings[each] for each in settings if each in bounds}
        return _clip(*inputs, **named)
    _check_settings(function.__name__, settings)
    return rule(*inputs)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.0)[0]
    return f"; the nearest that it has is {near}, and sw.where joins pieces of any shape"
