"""The scikit-learn face: estimators over `softwood.train`."""

from softwood.estimators.one_response import SoftTreeClassifier, SoftTreeRegressor
from softwood.estimators.several_tasks import SoftTrees

__all__ = ["SoftTreeClassifier", "SoftTreeRegressor", "SoftTrees"]
