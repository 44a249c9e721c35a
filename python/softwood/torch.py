"""Soft trees inside a PyTorch network; needs torch, and is loaded on demand."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

try:
    import torch  # type: ignore[import-not-found,unused-ignore]
    from torch import nn
except ImportError as missing:
    raise ImportError(
        "softwood.torch needs PyTorch: install it (pip install torch, or Debian's python3-torch)."
    ) from missing

from softwood import _core
from softwood.model import Model

__all__ = ["Input", "SoftTreeLayer"]

_PASSES = {torch.float32: _core.LayerPass32, torch.float64: _core.LayerPass64}


class Input(NamedTuple):
    """One input of a layer that was made from a model."""

    name: str
    """The column's name; of a date its part, too: ``arrival.weekday``."""
    levels: list[str] | None
    """Of a categorical column; None: the input is a number."""


class SoftTreeLayer(nn.Module):  # type: ignore[misc,unused-ignore]
    """An ensemble of soft decision trees as a layer: ``[..., in_features]`` in,
    ``[..., out_features]`` out, float32 or float64, on the CPU.

    Splits are linear in all inputs and start as those of Softwood's own trees. Inputs should be of
    order 1 (standardised, or after a normalising layer). `from_model` makes a layer of a trained
    model instead.

    Parameters
    ----------
    in_features, out_features : int
        Widths of input and output.
    trees, depth : int
        How many trees, and how many splits on each path.
    activation : {"smooth_step", "logistic"}
        The probability of going left; a smooth step of width `gamma` is exactly 0 or 1 outside.
    gamma : float
        Width of the smooth step; the logistic function has none.
    seed : int
        Same seed, same start.
    threads : int
        0 = as many as the process may use; changes no result.

    Attributes
    ----------
    curves, biases, leaves : torch.nn.Parameter
        ``[trees, splits, in_features]``, ``[trees, splits]`` and ``[trees, leaves, out_features]``;
        splits in breadth-first order.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        *,
        trees: int = 32,
        depth: int = 3,
        activation: str = "smooth_step",
        gamma: float = 1.0,
        seed: int = 0,
        threads: int = 0,
    ) -> None:
        super().__init__()
        self._plan: dict[str, Any] = {
            "in_features": in_features,
            "out_features": out_features,
            "trees": trees,
            "depth": depth,
            "activation": activation,
            "gamma": gamma,
            "seed": seed,
        }
        self._model: Model | None = None
        self._member = 0
        self.threads = threads
        self._grow()

    @classmethod
    def from_model(
        cls,
        model: Model | _core.Model | str | os.PathLike[str],
        *,
        member: int | None = None,
        threads: int = 0,
    ) -> SoftTreeLayer:
        """A trained model as a layer that gives its raw outputs, f = offset + unit · trees.

        A linear part that the model has beside its trees is added to them, in outputs and in
        gradients of the inputs, but is fixed: only the trees are parameters.

        Inputs are `inputs`: a number (NaN = missing), or the index of a level (-1 = any level that
        the model does not know, NaN = missing); `encode` makes them from a table. Outputs are
        `output_names`: the raw outputs of all tasks, before the loss turns them into predictions.

        Parameters
        ----------
        model : softwood.Model or path
            It stays as it is; `to_model` gives a copy with what the layer has learned since.
        member : int, optional
            Which one of a model with several, as trained on few rows by default (`members=1`: one
            only). These average their predictions, which is not an average of raw outputs, so a
            layer is one member.
        threads : int
            0 = as many as the process may use; changes no result.
        """
        layer = cls.__new__(cls)
        nn.Module.__init__(layer)
        layer._model = _model_of(model)
        layer._member = _member_of(layer._model, member)
        layer.threads = threads
        layer._grow()
        return layer

    def _grow(self) -> None:
        self._trees = self._make_trees()
        start = [torch.empty(shape, dtype=torch.float32) for shape in self._trees.shapes]
        self._trees.start(*start)
        self.curves, self.biases, self.leaves = (
            nn.Parameter(numbers.to(torch.get_default_dtype())) for numbers in start
        )

    def _make_trees(self) -> _core.TreeLayer:
        if self._model is None:
            return _core.TreeLayer.fresh(**self._plan)
        return _core.TreeLayer.of_model(self._model._core, self._member)

    @property
    def in_features(self) -> int:
        """Width of the input."""
        return self._trees.in_features

    @property
    def out_features(self) -> int:
        """Width of the output."""
        return self._trees.out_features

    @property
    def inputs(self) -> list[Input]:
        """What the inputs are, in order; empty for a layer that was not made from a model."""
        return [Input(name, levels) for name, levels in self._trees.inputs]

    @property
    def output_names(self) -> list[str]:
        """``TARGET.OUTPUT`` of every output; empty if the layer was not made from a model."""
        tasks = [] if self._model is None else self._model.tasks
        return [f"{task['target']}.{name}" for task in tasks for name, *_ in task["outputs"]]

    def encode(self, data: Any) -> torch.Tensor:
        """The rows of a table as an input of this layer, in its own type: ``[rows, in_features]``.

        `data` is anything that `softwood.as_table` takes; columns are found by name, and levels
        that the model does not know become -1.
        """
        if self._model is None:
            raise _core.Error("a layer that was not made from a model knows no columns.")
        table = self._model._table(data)
        out = torch.empty((table.num_rows, self.in_features), dtype=torch.float64)
        self._trees.encode(table, out, self.threads)
        return out.to(self.curves.dtype)

    def to_model(self, model: Model | None = None) -> Model:
        """A copy of the model that the layer was made from, with the layer's trees.

        `model` is a copy of it to change instead, for one with several members:
        ``for layer in layers: model = layer.to_model(model)``.
        """
        model = self._model if model is None else model
        if model is None:
            raise _core.Error("a layer that was not made from a model has no model to go back to.")
        values = [each.detach().to(torch.float32).contiguous() for each in self._values()]
        return Model(self._trees.put_into(model._core, *values))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """f of every row; differentiable in x and in the parameters, once."""
        self._check(x)
        rows = x.reshape(-1, self.in_features)
        values = self._values()
        if torch.is_grad_enabled() and any(each.requires_grad for each in (x, *values)):
            out = _There.apply(self, rows, *values)
        else:
            out = rows.new_empty((rows.shape[0], self.out_features))
            curves, biases, leaves, inputs = _plain(*values, rows)
            self._trees.evaluate(curves, biases, leaves, inputs, out, self.threads)
        return out.reshape(*x.shape[:-1], self.out_features)

    def _values(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return self.curves, self.biases, self.leaves

    def _check(self, x: torch.Tensor) -> None:
        if x.dim() == 0 or x.shape[-1] != self.in_features:
            raise _core.Error(
                f"the layer has {self.in_features} inputs, x has the shape {tuple(x.shape)}: its "
                f"last dimension must be {self.in_features}."
            )
        for name, tensor in (("x", x), ("the layer", self.curves)):
            if tensor.device.type != "cpu":
                raise _core.Error(
                    f"soft trees work on the CPU, {name} is on '{tensor.device}': use .cpu()."
                )
        if x.dtype != self.curves.dtype or x.dtype not in _PASSES:
            raise _core.Error(
                f"x is {x.dtype} and the layer {self.curves.dtype}: both must be torch.float32 or "
                "both torch.float64; convert with .float() or .double()."
            )

    def extra_repr(self) -> str:
        size = f"in_features={self.in_features}, out_features={self.out_features}"
        trees, splits = self.biases.shape
        return f"{size}, trees={trees}, depth={splits.bit_length()}"

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_trees"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._trees = self._make_trees()


class _There(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    @staticmethod
    def forward(ctx: Any, layer: SoftTreeLayer, x: torch.Tensor, *values: torch.Tensor) -> Any:
        out = x.new_empty((x.shape[0], layer.out_features))
        ctx.core = _PASSES[x.dtype](layer._trees, *_plain(*values, x), out, layer.threads)
        ctx.save_for_backward(x, *values)
        return out

    @staticmethod
    def backward(ctx: Any, output_gradients: torch.Tensor) -> tuple[Any, ...]:
        gradients = _Back.apply(
            ctx.core, ctx.needs_input_grad[1], output_gradients, *ctx.saved_tensors
        )
        return None, *gradients


class _Back(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    """The gradients, as a function of all that they depend on: who differentiates them once more
    is told so, where `once_differentiable` would take some of them for constants."""

    @staticmethod
    def forward(
        ctx: Any, core: Any, wants_x: bool, output_gradients: torch.Tensor, *inputs: Any
    ) -> Any:
        x, *values = (
            torch.empty_like(each, memory_format=torch.contiguous_format) for each in inputs
        )
        core.backward(*_plain(output_gradients), *values, x if wants_x else None)
        return (x if wants_x else None), *values

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise _core.Error("soft trees can be differentiated once, not twice: no create_graph=True.")


def _plain(*tensors: torch.Tensor) -> list[torch.Tensor]:
    return [each.detach().contiguous() for each in tensors]


def _model_of(model: Model | _core.Model | str | os.PathLike[str]) -> Model:
    if isinstance(model, Model):
        return model
    return Model(model) if isinstance(model, _core.Model) else Model.load(model)


def _member_of(model: Model, member: int | None) -> int:
    count = model._core.num_members
    if member is None and count > 1:
        raise _core.Error(
            f"the model has {count} members, and a layer is one of them: choose it, from member=0 "
            f"to member={count - 1}, or train a model of one with members=1."
        )
    if member is not None and not 0 <= member < count:
        raise _core.Error(f"there is no member {member}: the model has {count}, counted from 0.")
    return member or 0
