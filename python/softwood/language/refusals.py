"""What a traced value cannot do, and what to write instead."""

from __future__ import annotations

from typing import Any, NoReturn

from softwood._core import Error

_NO_BOOL = (
    "a traced value is neither true nor false, because it stands for many rows at once. Instead of "
    "an if write sw.where(condition, a, b); instead of and, or, not write &, | and ~ with brackets "
    "around comparisons; instead of a < b < c write (a < b) & (b < c); instead of min and max "
    "write sw.min and sw.max"
)
_NO_NUMBER = (
    "a traced value is no number yet, so float(), the math module and arrays of numbers cannot "
    "take it. Write sw.exp(f) or np.exp(f) for math.exp(f), and a list [a, b] for an array"
)


class Refusals:
    """The operations that would lose the trace: each is an Error that names the way out."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise Error(_NO_BOOL)

    def __float__(self) -> NoReturn:
        raise Error(_NO_NUMBER)

    def __int__(self) -> NoReturn:
        raise Error(_NO_NUMBER)

    def __complex__(self) -> NoReturn:
        raise Error(_NO_NUMBER)

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        raise Error(_NO_NUMBER)

    def __index__(self) -> NoReturn:
        raise Error(
            "a traced value cannot pick from a Python sequence; write sw.where for each case, or "
            "index a traced vector: f[y]"
        )

    def __round__(self, digits: int | None = None) -> NoReturn:
        raise Error("the loss language has no round; write sw.floor(x + 0.5)")

    def __trunc__(self) -> NoReturn:
        raise Error("the loss language has no trunc; write sw.floor(x)")

    def __mod__(self, other: object) -> NoReturn:
        raise Error("the loss language has no %; write a - b*sw.floor(a/b)")

    def __rmod__(self, other: object) -> NoReturn:
        self.__mod__(other)

    def __divmod__(self, other: object) -> NoReturn:
        self.__mod__(other)

    def __matmul__(self, other: object) -> NoReturn:
        raise Error("the loss language has no @; write sw.sum(a*b)")

    def __rmatmul__(self, other: object) -> NoReturn:
        self.__matmul__(other)

    def __xor__(self, other: object) -> NoReturn:
        raise Error("the loss language has no ^ of conditions; a power is written **")

    def __setitem__(self, key: object, value: object) -> NoReturn:
        raise Error(
            "a traced value cannot be changed; make a new one with sw.where(condition, a, b) or a "
            "list [a, b]"
        )

    def __getattr__(self, name: str) -> NoReturn:
        # NumPy and copy look for optional protocols and expect an AttributeError.
        message = f"a traced value has no '{name}'; write sw.{name}(…) or np.{name}(…)"
        raise AttributeError(message, name=name, obj=self)
