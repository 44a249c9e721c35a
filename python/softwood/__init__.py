"""Soft decision-tree ensembles for any differentiable loss, one task or many."""

from softwood import functions as _functions
from softwood._core import Error, Table, __version__
from softwood.data import as_table
from softwood.distribution import Distribution
from softwood.functions import *  # noqa: F403
from softwood.loss import Loss, loss, losses
from softwood.model import Model, load
from softwood.training import train

__all__ = [
    "Distribution",
    "Error",
    "Loss",
    "Model",
    "Table",
    "__version__",
    "as_table",
    "load",
    "train",
]
__all__ += _functions.__all__
