"""What other libraries call our options: a mistake in a name is answered with ours."""

from __future__ import annotations

import difflib
from collections.abc import Collection

_OURS = {
    "trees": "n_estimators num_trees n_trees ntrees num_boost_round num_iterations num_round "
    "n_iter iterations",
    "depth": "max_depth tree_depth",
    "learning_rate": "eta lr learn_rate learning_rate_init shrinkage",
    "epochs": "n_epochs num_epochs max_epochs",
    "patience": "early_stopping early_stopping_round early_stopping_rounds n_iter_no_change "
    "od_wait",
    "valid_fraction": "validation_fraction valid_size validation_size",
    "loss": "objective loss_function criterion",
    "bins": "max_bin max_bins n_bins border_count",
    "l2_leaves": "reg_lambda lambda_l2 l2_leaf_reg l2_regularization",
    "decay": "weight_decay",
    "clip": "max_grad_norm gradient_clip",
    "columns_per_tree": "max_features",
    "members": "n_members n_models bagging",
    "class_weight": "class_weights auto_class_weights scale_pos_weight is_unbalance",
    "seed": "random_seed random_state",
    "threads": "nthread nthreads num_threads n_threads thread_count n_jobs",
    "verbose": "verbosity silent",
}
_WORDS = {
    "sample_weight": "weights of rows are an argument of fit: fit(X, y, sample_weight=…)",
    "sample_weights": "weights of rows are an argument of fit: fit(X, y, sample_weight=…)",
    "eval_set": "validation rows are an argument of fit: fit(X, y, eval_set=(X_valid, y_valid))",
    "callbacks": "callbacks are an argument of fit: fit(X, y, callbacks=[…])",
    **dict.fromkeys(
        ("categorical_feature", "categorical_features", "cat_features", "enable_categorical"),
        "it is not needed: columns of texts or of type category are categories",
    ),
    "max_iter": "passes over the rows are called 'epochs' here, and there are 'trees'",
    "missing": "it is not needed: NaN and None are missing",
}
_MEANINGS = {theirs: ours for ours, names in _OURS.items() for theirs in names.split()}


def hint(name: str, known: Collection[str]) -> str:
    """What to write instead of `name`; empty if nothing comes to mind.

    >>> hint("n_estimators", ["trees", "depth"])
    "it is called 'trees' here"
    """
    if name in _WORDS:
        return _WORDS[name]
    ours = _MEANINGS.get(name)
    if ours in known:
        return f"it is called {ours!r} here"
    if name in ("class_weight", *_OURS["class_weight"].split()):
        return "SoftTreeClassifier has class_weight; others take fit(X, y, sample_weight=…)"
    nearest = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {nearest[0]!r}?" if nearest else ""


def with_hint(text: str, name: str, known: Collection[str]) -> str:
    """The text and what to do about it."""
    found = hint(name, known)
    return f"{text}; {found}" if found else text
