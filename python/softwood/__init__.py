"""Soft decision-tree ensembles for any differentiable loss, one task or many."""

from softwood._core import Error, Table, __version__
from softwood.data import as_table
from softwood.distribution import Distribution
from softwood.loss import Loss
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
