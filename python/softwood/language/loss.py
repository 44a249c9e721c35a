"""Losses: from the catalogue, from a text, or from a Python function."""

from __future__ import annotations

import html
import os
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from softwood import _core
from softwood.language.arguments import Outputs
from softwood.language.arrays import Rows, numbers_of
from softwood.language.catalogue import Catalogue, losses
from softwood.language.spec import Setting, spec_text
from softwood.language.tracing import trace

__all__ = ["Catalogue", "Loss", "loss", "losses", "spec_of"]

# Enough to compile a loss of classes before anybody says how many there are.
_FEWEST_CLASSES = 2


class Loss:
    """A loss with its text, value and gradient.

    Parameters
    ----------
    spec
        A catalogue name with settings or without (``"huber(delta=2)"``), a formula in y and f
        (``"(y - f)^2"``), a whole text, ``"@FILE"``, or a Python function, which is traced:
        ``lambda y, f: sw.where(y > f, 3*(y - f), f - y)``.
    outputs
        Of a function: names of its raw outputs, ``("log_mu", "logit_pi")``, ``{"w": 3}``,
        ``"f[classes]"``. Without it there is one, ``f``.
    name
        What to call it; by default the catalogue's, the file's or the function's name.
    classes
        How many there are, if the loss is one of classes.

    Examples
    --------
    >>> Loss("huber(delta=2)").gradient(0, [1, 10]).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self,
        spec: str | Loss | Callable[..., Any],
        outputs: Outputs = None,
        name: str | None = None,
        classes: int | None = None,
    ) -> None:
        if outputs is not None and not _is_function(spec):
            raise _core.Error("outputs= is for functions; a text says itself what its outputs are")
        if isinstance(spec, Loss):
            name, classes = name or spec.name, classes or spec.classes
            spec = spec.spec
        elif not isinstance(spec, str):
            if not callable(spec):
                of_dict = " (softwood.SoftTrees takes a dict)" if isinstance(spec, dict) else ""
                raise _core.Error(
                    f"a {type(spec).__name__} is no loss; give a text or a function{of_dict}"
                )
            traced = trace(spec, outputs)
            name, spec = name or traced.name, traced.spec
        self._classes = classes
        self._program = _core.LossProgram.compile(spec, classes or _FEWEST_CLASSES)
        self._name = name or self._program.name
        is_written_out = self._program.name == "formula"
        self._spec = spec.strip() if is_written_out else spec_text(self._program)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], classes: int | None = None) -> Loss:
        """The loss that stands in a file."""
        return cls(f"@{os.fspath(path)}", classes=classes)

    @property
    def spec(self) -> str:
        """The one string that means this loss, wherever a loss is asked for."""
        return self._spec

    @property
    def text(self) -> str:
        """The whole program, parameters with their defaults."""
        return self._program.text

    @property
    def name(self) -> str:
        """The catalogue's, the file's or the function's name; "formula" without one."""
        return self._name

    @property
    def classes(self) -> int | None:
        """How many classes there are, if that was said."""
        return self._classes

    @property
    def uses_classes(self) -> bool:
        """The response is the number of a class: 0, 1, …"""
        return self._program.uses_classes

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the raw outputs; the components of a vector are w[0], w[1], …"""
        return tuple(self._sized().outputs)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the data that the loss reads besides the response."""
        return tuple(self._program.columns)

    @property
    def parameters(self) -> dict[str, Setting]:
        """Parameters and what they are: numbers, lists, or names of columns."""
        return {
            name: default if value is None else value
            for name, default, value in self._program.parameters
        }

    @property
    def predictions(self) -> tuple[str, ...]:
        """Names of what the loss predicts, `mean` first if there is one."""
        return tuple(name for name, _, _ in self._program.predictions)

    @property
    def has_cdf(self) -> bool:
        """The response has a distribution."""
        return self._program.has_cdf

    @property
    def is_discrete(self) -> bool:
        """It is one of whole numbers."""
        return self._program.is_discrete

    def value(self, y: Any, f: Any, /, **columns: Any) -> Any:
        """The loss; 0 where y is NaN.

        Parameters
        ----------
        y
            Responses.
        f
            One output: numbers of any shape; several: ``[… × outputs]``, or a dict by name.
        **columns
            The columns that the loss reads. All are broadcast against each other.
        """
        program = self._program_for(f)
        rows = Rows(program, y, f, columns, program.columns)
        return rows.shaped(program.value(rows.y, rows.f, rows.columns))

    def gradient(self, y: Any, f: Any, /, **columns: Any) -> Any:
        """Derivatives of the loss in the outputs, in the form of `f`; arguments as for `value`."""
        program = self._program_for(f)
        rows = Rows(program, y, f, columns, program.columns)
        return rows.like_f(program.gradient(rows.y, rows.f, rows.columns))

    def predict(self, f: Any, /, **columns: Any) -> dict[str, Any]:
        """The named predictions; components of a vector are the last axis."""
        program = self._program_for(f)
        needed = [program.columns[k] for k in program.prediction_columns]
        rows = Rows(program, 0.0, f, columns, needed)
        parts = program.predict(rows.f, rows.columns)
        predicted, first = {}, 0
        for name, size, labels in program.predictions:
            is_vector = size > 1 or bool(labels)
            predicted[name] = rows.shaped_parts(parts[first : first + size], is_vector)
            first += size
        return predicted

    def cdf(self, q: Any, f: Any, /, **columns: Any) -> Any:
        """The probability of a response of at most `q`."""
        program = self._program_for(f)
        needed = [program.columns[k] for k in program.distribution_columns]
        rows = Rows(program, q, f, columns, needed)
        return rows.shaped(program.cdf(rows.y, rows.f, rows.columns))

    def check(self, y: Any, /, **columns: Any) -> str | None:
        """The first `require` of the loss that these responses break, or None."""
        program = self._sized(self._classes or _FEWEST_CLASSES)
        rows = Rows(program, y, None, columns, program.columns)
        broken = program.check(rows.y, rows.columns)
        return None if broken is None else broken[1]

    def plot(self, y: Any = None, f: Any = None, ax: Any = None, **columns: Any) -> Any:
        """Draw loss and gradient against each output for a few responses; needs matplotlib.

        Parameters
        ----------
        y
            Responses, one curve each; a few that the loss allows if not given.
        f
            Values of the outputs; the others are held at 0, or at their middle.
        ax
            Axes [outputs × 2] to draw into, or one for the loss of one output and its gradient.

        Returns
        -------
        The axes.
        """
        from softwood.language.plot import plot_loss

        return plot_loss(self, y, f, ax, columns)

    def _sized(self, classes: int | None = None) -> _core.LossProgram:
        """The program, if the number of its outputs is known."""
        if not self.uses_classes or self._classes is not None:
            return self._program
        if classes is None:
            raise _core.Error(
                f"{self.name}: the outputs depend on the number of classes; say it, as in "
                f"Loss({self.name!r}, classes=3)"
            )
        return _compiled(self._spec, classes)

    def _program_for(self, f: Any) -> _core.LossProgram:
        """Without a stated number of classes, the one that has as many outputs as f."""
        if not self.uses_classes or self._classes is not None or isinstance(f, dict):
            return self._sized()
        shape = numbers_of(f, "f").shape
        width = shape[-1] if shape else 1
        for classes in range(_FEWEST_CLASSES, width + 3):
            program = _compiled(self._spec, classes)
            if len(program.outputs) == width:
                return program
        return self._sized()

    def _summary(self) -> str:
        """The first comment, or the line that says what the loss is."""
        lines = self.text.splitlines()
        if lines and lines[0].startswith("#"):
            return lines[0].lstrip("# ")
        return next((line for line in lines if line.startswith("loss =")), self.text.strip())

    def __repr__(self) -> str:
        title = self._spec if "\n" not in self._spec else self.name
        return f"<Loss {title}: {self._summary()}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        title = html.escape(self._spec if "\n" not in self._spec else self.name)
        return f"<b>Loss {title}</b><pre>{html.escape(self.text)}</pre>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loss) and self._spec == other._spec

    def __hash__(self) -> int:
        return hash(self._spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return Loss, (self._spec, None, self._name, self._classes)


@lru_cache(maxsize=64)
def _compiled(spec: str, classes: int) -> _core.LossProgram:
    return _core.LossProgram.compile(spec, classes)


def _is_function(spec: object) -> bool:
    return callable(spec) and not isinstance(spec, (str, Loss))


def loss(outputs: Outputs = None, name: str | None = None) -> Callable[[Callable[..., Any]], Loss]:
    """Decorator that traces a function into a Loss: ``@softwood.loss(outputs=("a", "b"))``.

    Arguments are those of `Loss`; a function of y and f alone needs only ``@softwood.Loss``.
    """
    return lambda function: Loss(function, outputs, name)


def spec_of(anything: str | Loss | Callable[..., Any] | None) -> str:
    """What the core understands: a text as it is, a Loss or a function as its spec, None as ""
    (the loss that suits the response)."""
    if anything is None:
        return ""
    return anything if isinstance(anything, str) else Loss(anything).spec
