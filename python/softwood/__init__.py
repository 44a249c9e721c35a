"""Soft decision-tree ensembles for any differentiable loss, one task or many.

>>> from softwood import SoftTreeRegressor
>>> model = SoftTreeRegressor(loss="poisson").fit(X, y)  # doctest: +SKIP
>>> model.predict_distribution(X).quantile(0.9)  # doctest: +SKIP

Estimators for scikit-learn: `SoftTreeRegressor`, `SoftTreeClassifier`, `SoftTrees`. Without it:
`train`, `compare`, `hold_out`, `load`, `Model`. Losses: `Loss`, `losses`. Tables: `read`,
`as_table`, `Table`. Pictures: `softwood.plots`; trees inside a network: `softwood.torch`.
"""

from __future__ import annotations

import builtins
import importlib
from typing import TYPE_CHECKING, Any

from softwood._core import Error, Table
from softwood._core import version as __version__
from softwood.comparison import Comparison, compare, hold_out
from softwood.data import as_table
from softwood.data.files import read
from softwood.distribution import Distribution
from softwood.language import functions as _functions
from softwood.language.functions import *  # noqa: F403
from softwood.language.loss import Loss, loss, losses
from softwood.model import Model, load
from softwood.progress import Epoch
from softwood.training import train
from softwood.warnings import DataWarning

if TYPE_CHECKING:
    from softwood import explain as explain
    from softwood import plots as plots
    from softwood import torch as torch
    from softwood.estimators import SoftTreeClassifier, SoftTreeRegressor, SoftTrees

# What `from softwood import *` brings: not torch, which need not be there, and nothing that would
# hide a function of Python's own (abs, max, …).
__all__ = [
    "Comparison",
    "DataWarning",
    "Distribution",
    "Epoch",
    "Error",
    "Loss",
    "Model",
    "SoftTreeClassifier",
    "SoftTreeRegressor",
    "SoftTrees",
    "Table",
    "__version__",
    "as_table",
    "compare",
    "explain",
    "hold_out",
    "load",
    "loss",
    "losses",
    "plots",
    "read",
    "train",
]
__all__ += [name for name in _functions.__all__ if not hasattr(builtins, name)]

# What needs scikit-learn, matplotlib or torch is imported when it is first asked for.
_ESTIMATORS = {"SoftTreeClassifier", "SoftTreeRegressor", "SoftTrees"}
_MODULES = {"explain", "plots", "torch"}


def __getattr__(name: str) -> Any:
    if name in _ESTIMATORS:
        return getattr(importlib.import_module("softwood.estimators"), name)
    if name in _MODULES:
        return importlib.import_module(f"softwood.{name}")
    raise AttributeError(f"module 'softwood' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
