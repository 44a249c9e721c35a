"""Soft decision-tree ensembles for any differentiable loss, one task or many."""

from softwood._core import Error, __version__

__all__ = ["Error", "__version__"]
