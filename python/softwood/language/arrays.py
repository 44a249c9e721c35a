"""Arrays for a compiled loss: broadcast, put in the core's layout, and back."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from softwood._core import Error, LossProgram

Numbers = NDArray[np.float64]


def numbers_of(value: Any, what: str) -> Numbers:
    """Any array of numbers, as doubles."""
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise Error(f"{what} is no array of numbers") from None


def groups_of(outputs: Sequence[str]) -> dict[str, list[int]]:
    """Positions of each output by name: of log_mu one, of the vector w those of w[0], w[1], …"""
    groups: dict[str, list[int]] = {}
    for position, output in enumerate(outputs):
        groups.setdefault(re.sub(r"\[\d+\]$", "", output), []).append(position)
    return groups


class Rows:
    """Responses (or quantiles), outputs and columns of one call, all of one broadcast shape.

    `f`: one output: any shape; several: [… × outputs], or a dict by name, where a vector's
    components are the last axis; None if no output is read.
    """

    def __init__(
        self, program: LossProgram, y: Any, f: Any, columns: Mapping[str, Any], needed: list[str]
    ) -> None:
        self._program = program
        self._is_dict = isinstance(f, Mapping)
        self._num_outputs = len(program.outputs)
        self._groups = groups_of(program.outputs)
        parts = self._parts(f)
        given = _check_columns(program, columns, needed)
        arrays = [numbers_of(y, "y"), *parts, *given.values()]
        try:
            self.shape = np.broadcast_shapes(*(each.shape for each in arrays))
        except ValueError:
            shapes = ", ".join(str(each.shape) for each in arrays)
            raise Error(f"{program.name}: shapes that do not go together: {shapes}") from None
        self.y = self._flat(arrays[0])
        self.f = np.array([self._flat(each) for each in parts]).reshape(len(parts), self.y.size)
        nothing = np.zeros(self.y.size)  # in the place of columns that are not read
        self.columns = [
            self._flat(given[name]) if name in given else nothing for name in program.columns
        ]

    def _flat(self, values: Numbers) -> Numbers:
        return np.ascontiguousarray(np.broadcast_to(values, self.shape)).reshape(-1)

    def _parts(self, f: Any) -> list[Numbers]:
        """One array per output."""
        if f is None:
            return []
        return self._parts_of_dict(f) if self._is_dict else self._parts_of_array(f)

    def _parts_of_array(self, f: Any) -> list[Numbers]:
        values = numbers_of(f, "f")
        if self._num_outputs == 1 and "[" not in self._program.outputs[0]:
            return [values]
        if values.ndim == 0 or values.shape[-1] != self._num_outputs:
            names = ", ".join(self._program.outputs)
            raise Error(
                f"{self._program.name}: f has the shape {values.shape}; its last axis holds the "
                f"{self._num_outputs} outputs {names}, or f is a dict of them"
            )
        return [values[..., k] for k in range(self._num_outputs)]

    def _parts_of_dict(self, f: Mapping[str, Any]) -> list[Numbers]:
        if set(f) != set(self._groups):
            raise Error(
                f"{self._program.name}: f has {', '.join(map(str, f)) or 'nothing'}; the outputs "
                f"are {', '.join(self._groups)}"
            )
        parts: list[Numbers] = []
        for name, positions in self._groups.items():
            values = numbers_of(f[name], name)
            is_vector = "[" in self._program.outputs[positions[0]]
            if is_vector and (values.ndim == 0 or values.shape[-1] != len(positions)):
                raise Error(f"{self._program.name}: {name} needs {len(positions)} components")
            parts += [values[..., k] for k in range(len(positions))] if is_vector else [values]
        return parts

    def shaped(self, values: Numbers) -> Any:
        """One number per row, in the shape of the call."""
        return values.reshape(self.shape)[()]

    def shaped_parts(self, parts: Numbers, is_vector: bool) -> Any:
        """[parts × rows]; the parts become the last axis of a vector."""
        if not is_vector:
            return self.shaped(parts[0])
        return np.ascontiguousarray(parts.T).reshape(*self.shape, parts.shape[0])

    def like_f(self, parts: Numbers) -> Any:
        """[outputs × rows] in the form in which f came."""
        vectors = {
            name: "[" in self._program.outputs[positions[0]]
            for name, positions in self._groups.items()
        }
        if self._is_dict:
            return {
                name: self.shaped_parts(parts[positions], vectors[name])
                for name, positions in self._groups.items()
            }
        return self.shaped_parts(parts, len(parts) > 1 or any(vectors.values()))


def _check_columns(
    program: LossProgram, columns: Mapping[str, Any], needed: list[str]
) -> dict[str, Numbers]:
    missing = [name for name in needed if name not in columns]
    if missing:
        raise Error(
            f"{program.name}: the column '{missing[0]}' is missing; give it by name: {missing[0]}=…"
        )
    for name in columns:
        if name not in program.columns:
            near = difflib.get_close_matches(name, program.columns, 1)
            advice = f"; did you mean '{near[0]}'?" if near else ""
            raise Error(f"{program.name}: the loss reads no column '{name}'{advice}")
    return {name: numbers_of(values, name) for name, values in columns.items()}
