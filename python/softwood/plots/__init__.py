"""Plots of models with matplotlib (``pip install softwood[plots]``).

Every function takes a `softwood.Model` or a fitted estimator, draws into the axes or the figure
that it is given or into a new one, returns it and shows nothing.
"""

from softwood.plots.boundary import decision_boundary
from softwood.plots.calibration import calibration
from softwood.plots.dependence import partial_dependence
from softwood.plots.distribution import distribution
from softwood.plots.importances import importances
from softwood.plots.training import learning_curves
from softwood.plots.tree import tree
from softwood.plots.visits import nodes_visited

__all__ = [
    "calibration",
    "decision_boundary",
    "distribution",
    "importances",
    "learning_curves",
    "nodes_visited",
    "partial_dependence",
    "tree",
]
