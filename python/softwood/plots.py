"""Plots of models with matplotlib (``pip install softwood[plots]``).

Every function takes a `softwood.Model` or a fitted estimator, draws into the axes or the figure
that it is given or into a new one, returns it and shows nothing.
"""

from softwood.plot_boundary import decision_boundary
from softwood.plot_calibration import calibration
from softwood.plot_dependence import partial_dependence
from softwood.plot_distribution import distribution
from softwood.plot_importances import importances
from softwood.plot_training import learning_curves
from softwood.plot_tree import tree

__all__ = [
    "calibration",
    "decision_boundary",
    "distribution",
    "importances",
    "learning_curves",
    "partial_dependence",
    "tree",
]
