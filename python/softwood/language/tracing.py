"""A Python function traced into a loss's text: it runs once, on values that remember what is done
with them."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood._core import Error, LossProgram
from softwood.language.arguments import LossArguments, Outputs, name_of, read_outputs
from softwood.language.lines import LossLines
from softwood.language.traced import NotAVector, Traced

_FORMULA = re.compile(r"outputs \S+\nloss = (.+)\n(?:mean|probability) = \S+", re.S)
_SOME_CLASSES = 2
_INNER_FOLDERS = tuple(os.path.dirname(each) + os.sep for each in (__file__, np.__file__))


@dataclass(frozen=True)
class TracedLoss:
    """A name, and what the core compiles: a whole text, or a bare formula in y and f."""

    name: str
    spec: str


def trace(function: Callable[..., Any], outputs: Outputs = None) -> TracedLoss:
    """Trace a function into a text of the loss language.

    Parameters
    ----------
    function
        Of `y`, the outputs and columns of the data. An argument whose default is a number or a list
        of numbers is a parameter of the loss, one whose default is a text the column of that name;
        `classes` is the number of classes. It returns the loss, or a dict of the language's lines.
    outputs
        Names of the raw outputs, ("log_mu", "logit_pi"), with sizes where they are vectors:
        {"w": 3}, "f[classes]". Without it there is one, f: a number, or one per class if the
        function uses it as a vector.

    Raises
    ------
    Error
        For what the language cannot say: where in the function, and what to write instead.
    """
    try:
        if outputs is not None:
            return _trace(function, outputs, is_bare=False)
        try:
            return _trace(function, "f", is_bare=True)
        except NotAVector:
            return _trace(function, "f[classes]", is_bare=True)
    except Error as error:
        raise Error(f"{_place(function, error)}: {error}") from None


def _trace(function: Callable[..., Any], outputs: Outputs, is_bare: bool) -> TracedLoss:
    arguments = LossArguments(function, read_outputs(outputs))
    lines = LossLines(_run(function, arguments), arguments)
    if is_bare:
        lines.complete()
    text = "\n".join([*_summary(function), *arguments.lines(), *lines.written()])
    return TracedLoss(name_of(function), _shortest(text))


def _run(function: Callable[..., Any], arguments: LossArguments) -> Any:
    try:
        return arguments.call(function)
    except Error:
        raise
    except (AttributeError, TypeError, ValueError) as error:
        refusal = _refusal_in(error)
        if refusal is None:
            raise
        raise Error(str(refusal)).with_traceback(error.__traceback__) from None


def _refusal_in(error: Exception) -> Exception | None:
    """The refusal behind an error: NumPy wraps those that it meets in errors of its own."""
    if isinstance(error, AttributeError):
        return error if isinstance(error.obj, Traced) else None
    return error.__cause__ if isinstance(error.__cause__, Error) else None


def _shortest(text: str) -> str:
    """The formula alone, if the core completes it to this very text: both ways then give the same
    model file."""
    found = _FORMULA.fullmatch(text)
    if found is None:
        return text
    try:
        completed = LossProgram.compile(found[1], _SOME_CLASSES).text
    except Error:
        return text
    return found[1] if completed.strip() == text else text


def _summary(function: Callable[..., Any]) -> list[str]:
    """The first line of the function's docstring, as a comment."""
    is_own = hasattr(function, "__code__")
    written = (function.__doc__ or "").strip() if is_own else ""
    return [f"# {written.splitlines()[0].strip()}"] if written else []


def _place(function: Callable[..., Any], error: Error) -> str:
    """The function's name, and the line of user code that the error comes from."""
    code = getattr(function, "__code__", None)
    file, line = (code.co_filename, code.co_firstlineno) if code else ("", 0)
    for frame in traceback.extract_tb(error.__traceback__):
        if not frame.filename.startswith(_INNER_FOLDERS):
            file, line = frame.filename, frame.lineno or line
    name = getattr(function, "__name__", name_of(function))
    return f"{name} ({file}:{line})" if file else name
