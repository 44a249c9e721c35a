"""The scikit-learn face: estimators over `softwood.train`."""

from softwood.estimators.one_response import SoftTreeClassifier, SoftTreeRegressor
from softwood.estimators.several_tasks import SoftTrees

TRUSTED_TYPES = [
    "softwood._core.Table",
    "softwood.estimators.one_response.SoftTreeClassifier",
    "softwood.estimators.one_response.SoftTreeRegressor",
    "softwood.estimators.several_tasks.SoftTrees",
    "softwood.language.loss.Loss",
    "softwood.model.Model",
]
"""What skops and mlflow find in a file of ours and want to be told to trust."""

__all__ = ["TRUSTED_TYPES", "SoftTreeClassifier", "SoftTreeRegressor", "SoftTrees"]
