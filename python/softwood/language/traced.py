"""Values that remember how they were computed: what a traced loss function is called with."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from softwood._core import Error, loss_functions
from softwood.language.refusals import Refusals

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
# Of one argument these take a vector: to a number, or to another vector.
REDUCTIONS = frozenset(
    name for name, kind, _, _ in loss_functions() if kind in ("reduction", "min_max", "size")
)
VECTOR_MAPS = frozenset(name for name, kind, _, _ in loss_functions() if kind == "vector_map")


class NotAVector(Error):
    """A number stands where a vector is needed."""


class Traced(Refusals):
    """A number, a vector of numbers or a condition of the loss language, not yet computed.

    `op` is "number", "name", "call", "vector", "index", "negate", "not" or a binary operator of
    the language; `reads` are the names in it; `size` is None if it is no vector or its size is
    only known with the data.
    """

    __slots__ = ("is_condition", "is_vector", "number", "op", "operands", "reads", "size", "text")

    def __init__(
        self,
        op: str,
        operands: tuple[Traced, ...] = (),
        *,
        text: str = "",
        number: float = 0.0,
        is_vector: bool = False,
        is_condition: bool = False,
        size: int | None = None,
    ) -> None:
        self.op = op
        self.operands = operands
        self.text = text
        self.number = number
        self.is_vector = is_vector
        self.is_condition = is_condition
        self.size = size
        own = frozenset([text]) if op == "name" else frozenset[str]()
        self.reads: frozenset[str] = own.union(*(each.reads for each in operands))

    def __repr__(self) -> str:
        return "<a traced value>"

    def __add__(self, other: object) -> Traced:
        return binary("+", self, other)

    def __radd__(self, other: object) -> Traced:
        # What Python's sum() starts from.
        return self if isinstance(other, int) and other == 0 else binary("+", other, self)

    def __sub__(self, other: object) -> Traced:
        return binary("-", self, other)

    def __rsub__(self, other: object) -> Traced:
        return binary("-", other, self)

    def __mul__(self, other: object) -> Traced:
        return binary("*", self, other)

    def __rmul__(self, other: object) -> Traced:
        return binary("*", other, self)

    def __truediv__(self, other: object) -> Traced:
        return binary("/", self, other)

    def __rtruediv__(self, other: object) -> Traced:
        return binary("/", other, self)

    def __floordiv__(self, other: object) -> Traced:
        return call("floor", self / other)

    def __rfloordiv__(self, other: object) -> Traced:
        return call("floor", binary("/", other, self))

    def __pow__(self, other: object) -> Traced:
        return binary("^", self, other)

    def __rpow__(self, other: object) -> Traced:
        return binary("^", other, self)

    def __neg__(self) -> Traced:
        value = as_number(self)
        return Traced("negate", (value,), is_vector=value.is_vector, size=value.size)

    def __pos__(self) -> Traced:
        return as_number(self)

    def __abs__(self) -> Traced:
        return call("abs", self)

    def __floor__(self) -> Traced:
        return call("floor", self)

    def __ceil__(self) -> Traced:
        return -call("floor", -self)

    def __lt__(self, other: object) -> Traced:
        return binary("<", self, other)

    def __le__(self, other: object) -> Traced:
        return binary("<=", self, other)

    def __gt__(self, other: object) -> Traced:
        return binary(">", self, other)

    def __ge__(self, other: object) -> Traced:
        return binary(">=", self, other)

    def __eq__(self, other: object) -> Traced:  # type: ignore[override]
        return binary("==", self, other)

    def __ne__(self, other: object) -> Traced:  # type: ignore[override]
        return binary("!=", self, other)

    __hash__ = object.__hash__

    def __and__(self, other: object) -> Traced:
        return logical("and", self, other)

    def __rand__(self, other: object) -> Traced:
        return logical("and", other, self)

    def __or__(self, other: object) -> Traced:
        return logical("or", self, other)

    def __ror__(self, other: object) -> Traced:
        return logical("or", other, self)

    def __invert__(self) -> Traced:
        return logical_not(_only_condition(self))

    def __len__(self) -> int:
        self._needs_vector("len()")
        if self.size is None:
            raise Error("this vector is as long as the data say; write sw.size(f)")
        return self.size

    def __iter__(self) -> Iterator[Traced]:
        self._needs_vector("a loop")
        if self.size is None:
            raise Error(
                "a loop over a vector that is as long as the data say; vectors go component by "
                "component without one, and sw.sum(f), sw.max(f), … take all of them"
            )
        return (self[k] for k in range(self.size))

    def __getitem__(self, at: Any) -> Traced:
        self._needs_vector("[ ]")
        if isinstance(at, slice):
            return as_traced([self[k] for k in range(*at.indices(len(self)))])
        if not isinstance(at, Traced) and isinstance(at, numbers.Integral) and at < 0:
            at = at + (call("size", self) if self.size is None else self.size)
        return Traced("index", (self, as_number(at)))

    def _needs_vector(self, what: str) -> None:
        if not self.is_vector:
            raise NotAVector(
                f"{what} needs a vector, and this is a number; outputs={{'f': 3}} makes f a vector "
                "of three, outputs='f[classes]' one with a component per class"
            )

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, **settings: Any
    ) -> Traced:
        from softwood.language.numpy_protocol import apply_ufunc

        return apply_ufunc(ufunc, method, inputs, settings)

    def __array_function__(
        self, function: Callable[..., Any], types: Any, inputs: Any, settings: Any
    ) -> Traced:
        from softwood.language.numpy_protocol import apply_function

        return apply_function(function, inputs, settings)


def name(text: str, *, is_vector: bool = False, size: int | None = None) -> Traced:
    """An output, a parameter, a column, y."""
    return Traced("name", text=text, is_vector=is_vector, size=size)


def constant(value: Any) -> Traced:
    """A number that the function brought with it."""
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        raise Error(f"{value!r} is no number that a loss can use") from None
    if math.isnan(number):
        raise Error("nan stands in the loss, which would make every row's loss nan")
    return Traced("number", number=number)


def as_traced(value: Any) -> Traced:
    """A value of the language from whatever may stand beside one: numbers, lists, arrays."""
    if isinstance(value, Traced):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (numbers.Real, np.number, np.bool_)):
        return constant(value)
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim == 1):
        parts = tuple(as_number(each) for each in value)
        if not parts:
            raise Error("an empty list in a loss; a vector needs at least one component")
        sizes = [each.size if each.is_vector else 1 for each in parts]
        size = None if None in sizes else sum(each for each in sizes if each is not None)
        return Traced("vector", parts, is_vector=True, size=size)
    raise Error(
        f"a {type(value).__name__} in a loss; numbers, lists of numbers and the function's "
        "arguments can stand there (a column of the data is one more argument)"
    )


def as_number(value: Any) -> Traced:
    """A number or vector; a condition counts as 1 where it holds, as in NumPy."""
    traced = as_traced(value)
    return call("if", traced, 1, 0) if traced.is_condition else traced


def as_condition(value: Any) -> Traced:
    """A condition; a number is one where it is not 0, as in NumPy."""
    traced = as_traced(value)
    return traced if traced.is_condition else binary("!=", traced, 0)


def _only_condition(value: Any) -> Traced:
    if isinstance(value, (bool, np.bool_)) or (isinstance(value, Traced) and value.is_condition):
        return as_condition(value)
    raise Error("&, | and ~ join conditions, such as (y > 0) & (y < 1); mind the brackets")


def _elementwise(op: str, operands: tuple[Traced, ...], text: str = "") -> Traced:
    sizes = [each.size for each in operands if each.size is not None]
    return Traced(
        op,
        operands,
        text=text,
        is_vector=any(each.is_vector for each in operands),
        is_condition=op in COMPARISONS or op in ("and", "or", "not"),
        size=sizes[0] if sizes else None,
    )


def binary(op: str, a: object, b: object) -> Traced:
    """Arithmetic or a comparison."""
    return _elementwise(op, (as_number(a), as_number(b)))


def logical(op: str, a: object, b: object) -> Traced:
    """`and` or `or` of two conditions."""
    return _elementwise(op, (_only_condition(a), _only_condition(b)))


def logical_not(a: object) -> Traced:
    """The opposite of a condition."""
    return _elementwise("not", (as_condition(a),))


def call(function: str, *arguments: object) -> Traced:
    """A function of the language; its name and number of arguments are right."""
    if function == "if":
        if len(arguments) != 3:
            raise Error("where needs a condition and two values: sw.where(condition, a, b)")
        condition, a, b = arguments
        return _elementwise("call", (as_condition(condition), as_number(a), as_number(b)), "if")
    operands = tuple(as_number(each) for each in arguments)
    if function == "range":
        known = operands[0].op == "number"
        size = int(operands[0].number) if known else None
        return Traced("call", operands, text=function, is_vector=True, size=size)
    takes_vector = function in REDUCTIONS | VECTOR_MAPS and len(operands) == 1
    if takes_vector:
        operands[0]._needs_vector(f"{function}()")
    if takes_vector and function in REDUCTIONS:
        return Traced("call", operands, text=function)
    return _elementwise("call", operands, function)
