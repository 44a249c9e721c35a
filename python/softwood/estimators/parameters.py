"""Written by ./dev parameters from src/options/option_list.h; change that instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal

from sklearn.base import BaseEstimator

from softwood.estimators.customary import ClassWeight, RandomState
from softwood.training import LossLike, TasksLike


class LossParameters(BaseEstimator):  # type: ignore[misc]
    def __init__(
        self,
        loss: LossLike = None,
        *,
        features: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        bins: Literal["auto"] | int | None = None,
        fine_bins: Literal["auto"] | int | None = None,
        weight: str | None = None,
        valid_column: str | None = None,
        keep_together: str | None = None,
        valid_fraction: Literal["auto"] | float | None = None,
        members: Literal["auto"] | int | None = None,
        fold_column: str | None = None,
        recipe: str = "default",
        trees: Literal["auto"] | int | None = None,
        ensemble: str | None = None,
        depth: Literal["auto"] | int | None = None,
        activation: str | None = None,
        gamma: Literal["auto"] | float | None = None,
        columns_per_tree: int = 0,
        components: str = "shared",
        epochs: Literal["auto"] | int | None = None,
        batch_size: Literal["auto"] | int | None = None,
        learning_rate: Literal["auto"] | float | None = None,
        leaf_learning_rate: Literal["auto"] | float | None = None,
        schedule: str | None = None,
        warm_up: Literal["auto"] | float | None = None,
        decay: Literal["auto"] | float | None = None,
        average: Literal["auto"] | float | None = None,
        l2_splits: float = 0.0,
        l2_leaves: float = 0.0,
        clip: float = 0.0,
        patience: Literal["auto"] | int | None = None,
        balance: Literal["auto"] | bool | None = None,
        keep_loss: Literal["auto"] | float | None = None,
        seed: int = 0,
        threads: int = 0,
        checkpoint: str | PathLike[str] | None = None,
        checkpoint_every: int | None = None,
        checkpoint_minutes: float | None = None,
        resume: bool = False,
        warm_start: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.loss = loss
        self.features = features
        self.drop = drop
        self.bins = bins
        self.fine_bins = fine_bins
        self.weight = weight
        self.valid_column = valid_column
        self.keep_together = keep_together
        self.valid_fraction = valid_fraction
        self.members = members
        self.fold_column = fold_column
        self.recipe = recipe
        self.trees = trees
        self.ensemble = ensemble
        self.depth = depth
        self.activation = activation
        self.gamma = gamma
        self.columns_per_tree = columns_per_tree
        self.components = components
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.leaf_learning_rate = leaf_learning_rate
        self.schedule = schedule
        self.warm_up = warm_up
        self.decay = decay
        self.average = average
        self.l2_splits = l2_splits
        self.l2_leaves = l2_leaves
        self.clip = clip
        self.patience = patience
        self.balance = balance
        self.keep_loss = keep_loss
        self.seed = seed
        self.threads = threads
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.checkpoint_minutes = checkpoint_minutes
        self.resume = resume
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ClassParameters(BaseEstimator):  # type: ignore[misc]
    def __init__(
        self,
        loss: LossLike = None,
        *,
        class_weight: ClassWeight = None,
        features: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        bins: Literal["auto"] | int | None = None,
        fine_bins: Literal["auto"] | int | None = None,
        weight: str | None = None,
        valid_column: str | None = None,
        keep_together: str | None = None,
        valid_fraction: Literal["auto"] | float | None = None,
        members: Literal["auto"] | int | None = None,
        fold_column: str | None = None,
        recipe: str = "default",
        trees: Literal["auto"] | int | None = None,
        ensemble: str | None = None,
        depth: Literal["auto"] | int | None = None,
        activation: str | None = None,
        gamma: Literal["auto"] | float | None = None,
        columns_per_tree: int = 0,
        components: str = "shared",
        epochs: Literal["auto"] | int | None = None,
        batch_size: Literal["auto"] | int | None = None,
        learning_rate: Literal["auto"] | float | None = None,
        leaf_learning_rate: Literal["auto"] | float | None = None,
        schedule: str | None = None,
        warm_up: Literal["auto"] | float | None = None,
        decay: Literal["auto"] | float | None = None,
        average: Literal["auto"] | float | None = None,
        l2_splits: float = 0.0,
        l2_leaves: float = 0.0,
        clip: float = 0.0,
        patience: Literal["auto"] | int | None = None,
        balance: Literal["auto"] | bool | None = None,
        keep_loss: Literal["auto"] | float | None = None,
        seed: int = 0,
        threads: int = 0,
        checkpoint: str | PathLike[str] | None = None,
        checkpoint_every: int | None = None,
        checkpoint_minutes: float | None = None,
        resume: bool = False,
        warm_start: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.loss = loss
        self.class_weight = class_weight
        self.features = features
        self.drop = drop
        self.bins = bins
        self.fine_bins = fine_bins
        self.weight = weight
        self.valid_column = valid_column
        self.keep_together = keep_together
        self.valid_fraction = valid_fraction
        self.members = members
        self.fold_column = fold_column
        self.recipe = recipe
        self.trees = trees
        self.ensemble = ensemble
        self.depth = depth
        self.activation = activation
        self.gamma = gamma
        self.columns_per_tree = columns_per_tree
        self.components = components
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.leaf_learning_rate = leaf_learning_rate
        self.schedule = schedule
        self.warm_up = warm_up
        self.decay = decay
        self.average = average
        self.l2_splits = l2_splits
        self.l2_leaves = l2_leaves
        self.clip = clip
        self.patience = patience
        self.balance = balance
        self.keep_loss = keep_loss
        self.seed = seed
        self.threads = threads
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.checkpoint_minutes = checkpoint_minutes
        self.resume = resume
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class TaskParameters(BaseEstimator):  # type: ignore[misc]
    def __init__(
        self,
        tasks: TasksLike | None = None,
        *,
        task_weight: Mapping[str, float] | None = None,
        stop_weight: Mapping[str, float] | None = None,
        features: Sequence[str] | None = None,
        drop: Sequence[str] | None = None,
        bins: Literal["auto"] | int | None = None,
        fine_bins: Literal["auto"] | int | None = None,
        weight: str | None = None,
        valid_column: str | None = None,
        keep_together: str | None = None,
        valid_fraction: Literal["auto"] | float | None = None,
        members: Literal["auto"] | int | None = None,
        fold_column: str | None = None,
        recipe: str = "default",
        trees: Literal["auto"] | int | None = None,
        ensemble: str | None = None,
        depth: Literal["auto"] | int | None = None,
        activation: str | None = None,
        gamma: Literal["auto"] | float | None = None,
        columns_per_tree: int = 0,
        share: str | None = None,
        share_strength: Literal["auto"] | float | None = None,
        share_decay: Literal["auto"] | float | None = None,
        components: str = "shared",
        epochs: Literal["auto"] | int | None = None,
        batch_size: Literal["auto"] | int | None = None,
        learning_rate: Literal["auto"] | float | None = None,
        leaf_learning_rate: Literal["auto"] | float | None = None,
        schedule: str | None = None,
        warm_up: Literal["auto"] | float | None = None,
        decay: Literal["auto"] | float | None = None,
        average: Literal["auto"] | float | None = None,
        l2_splits: float = 0.0,
        l2_leaves: float = 0.0,
        clip: float = 0.0,
        patience: Literal["auto"] | int | None = None,
        balance: Literal["auto"] | bool | None = None,
        keep_loss: Literal["auto"] | float | None = None,
        seed: int = 0,
        threads: int = 0,
        checkpoint: str | PathLike[str] | None = None,
        checkpoint_every: int | None = None,
        checkpoint_minutes: float | None = None,
        resume: bool = False,
        warm_start: bool = False,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        verbose: bool | None = None,
    ) -> None:
        self.tasks = tasks
        self.task_weight = task_weight
        self.stop_weight = stop_weight
        self.features = features
        self.drop = drop
        self.bins = bins
        self.fine_bins = fine_bins
        self.weight = weight
        self.valid_column = valid_column
        self.keep_together = keep_together
        self.valid_fraction = valid_fraction
        self.members = members
        self.fold_column = fold_column
        self.recipe = recipe
        self.trees = trees
        self.ensemble = ensemble
        self.depth = depth
        self.activation = activation
        self.gamma = gamma
        self.columns_per_tree = columns_per_tree
        self.share = share
        self.share_strength = share_strength
        self.share_decay = share_decay
        self.components = components
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.leaf_learning_rate = leaf_learning_rate
        self.schedule = schedule
        self.warm_up = warm_up
        self.decay = decay
        self.average = average
        self.l2_splits = l2_splits
        self.l2_leaves = l2_leaves
        self.clip = clip
        self.patience = patience
        self.balance = balance
        self.keep_loss = keep_loss
        self.seed = seed
        self.threads = threads
        self.checkpoint = checkpoint
        self.checkpoint_every = checkpoint_every
        self.checkpoint_minutes = checkpoint_minutes
        self.resume = resume
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


DOCUMENTATION = {
    "loss": """loss : str, function or Loss, default=None
        A name of the catalogue, a formula in y and f, a function of y and f, or a
        softwood.Loss.""",
    "features": """features : list of str, default=None
        Use only these columns.""",
    "drop": """drop : list of str, default=None
        Leave these columns out (ids, leaks).""",
    "bins": """bins : int or 'auto', default=None
        Bins per numeric column, of wide trees [16; 8 above 16 numeric columns, 4 above 64].""",
    "fine_bins": """fine_bins : int or 'auto', default=None
        The same of narrow trees [32 to 128 by table size].""",
    "weight": """weight : str, default=None
        Row weights.""",
    "valid_column": """valid_column : str, default=None
        Rows marked here (1, true, valid, test) validate.""",
    "keep_together": """keep_together : str, default=None
        Rows with the same value here all learn or all validate.""",
    "valid_fraction": """valid_fraction : float or 'auto', default=None
        Share of the rows that validate, drawn at random; 0 = none [0.2].""",
    "members": """members : int or 'auto', default=None
        Deal the rows into K folds and average K models, each validated on one fold; auto:
        by the number of rows; 1 to 100 [auto: 8 or 5 for few rows, 1 for many, and with
        --valid, --valid-column, --valid-fraction, --trees or --ensemble; paper: 1].""",
    "fold_column": """fold_column : str, default=None
        The same with the folds that this column names.""",
    "recipe": """recipe : str, default='default'
        What holds where you say nothing: default or paper (linear splits, smooth step,
        constant rate) [default].""",
    "trees": """trees : int or 'auto', default=None
        Number of trees, at most, whatever the number of tasks: a third see all columns, the
        others a few; 1 to 1e6 [144, and 48 for each of several tasks; paper: 100].""",
    "ensemble": """ensemble : str, default=None
        Groups of trees, each trained on its own: wide=48,narrow=48x2; own_wide, own_narrow:
        for every task alone.""",
    "depth": """depth : int or 'auto', default=None
        Depth of every tree; 1 to 12 [3; paper: 4].""",
    "activation": """activation : str, default=None
        How a split routes: logistic or smooth_step [logistic; paper: smooth_step].""",
    "gamma": """gamma : float or 'auto', default=None
        Width of the smooth step; 1e-6 to 1e6 [1].""",
    "columns_per_tree": """columns_per_tree : int, default=0
        Narrow trees see N random columns; 0 = those that a few rounds of boosting split
        [0].""",
    "components": """components : str, default='shared'
        Splits of the outputs of one loss: shared or separate (each output has its own)
        [shared].""",
    "epochs": """epochs : int or 'auto', default=None
        Passes over the data, at most [doubling: 63 times its first cycle, while it gains;
        other schedules: 40, at least 1,000 steps; paper: 200].""",
    "batch_size": """batch_size : int or 'auto', default=None
        Rows per step [32 to 1,024 by table size; paper: 64].""",
    "learning_rate": """learning_rate : float or 'auto', default=None
        Step size of the splits [wide trees 0.02, narrow 0.01; paper: 0.01].""",
    "leaf_learning_rate": """leaf_learning_rate : float or 'auto', default=None
        Step size of the leaves [of the splits': wide trees half, narrow a fifth; paper: the
        same].""",
    "schedule": """schedule : str, default=None
        The step size's course: constant, cosine (one slow fall), four_cycles (each twice as
        long) or doubling (more of such cycles, while they gain) [doubling; paper:
        constant].""",
    "warm_up": """warm_up : float or 'auto', default=None
        Epochs of rising rate at the start; 0 to 1e6 [0].""",
    "decay": """decay : float or 'auto', default=None
        Decoupled weight decay of the splits [0.1; narrow trees below 4,000 rows 0.2; paper:
        0].""",
    "average": """average : float or 'auto', default=None
        Epochs the average of the weights reaches back; 0 = none [1; paper: 0].""",
    "l2_splits": """l2_splits : float, default=0.0
        L2 penalty on the splits [0].""",
    "l2_leaves": """l2_leaves : float, default=0.0
        L2 penalty on the leaves [0].""",
    "clip": """clip : float, default=0.0
        Bound of the gradient's norm; 0 = none [0].""",
    "patience": """patience : int or 'auto', default=None
        Stop after N epochs without gain; 0 = never [0; paper: 25].""",
    "balance": """balance : bool or 'auto', default=None
        Fit the constant part of every output once more at the end, on all rows, so that
        predictions are right on average [true; paper: false].""",
    "keep_loss": """keep_loss : float or 'auto', default=None
        A smaller file may cost this share of the validation loss: knots that curves do
        without are left out, the others have 16 bits; 0 keeps every number [0.001; paper:
        0].""",
    "seed": """seed : int, default=0
        Same seed, same model; 0 to 2^64 - 1 [0].""",
    "threads": """threads : int, default=0
        0 = as many as the process may use: its processors, CPU quota and OMP_NUM_THREADS;
        changes no result [0].""",
    "checkpoint": """checkpoint : path, default=None
        File for where training stands, written as it goes.""",
    "checkpoint_every": """checkpoint_every : int, default=None
        Write it every so many epochs.""",
    "checkpoint_minutes": """checkpoint_minutes : float, default=None
        Write it every so many minutes [5].""",
    "resume": """resume : bool, default=False
        Go on from the checkpoint, to the same model as without a break; from the start if
        there is none.""",
    "warm_start": """warm_start : bool, default=False
        fit trains on from the model of the last fit, with the rows that it is given now:
        docs/warm_start.md.""",
    "random_state": """random_state : int, RandomState or Generator, default=None
        The seed by scikit-learn's name: a whole number, or a NumPy generator to draw it
        from.""",
    "n_jobs": """n_jobs : int, default=None
        The threads by scikit-learn's name; -1: as many as the machine has.""",
    "verbose": """verbose : bool, default=None
        A progress bar; None: if there is a terminal or notebook to show it.""",
    "class_weight": """class_weight : dict or 'balanced', default=None
        How much the rows of a class count: {label: weight}, others 1; 'balanced': every
        class as much as any other. Multiplies sample_weight.""",
    "tasks": """tasks : dict, list of str or str, default=None
        Responses and their losses: {'casual': 'poisson', 'holiday': 'logistic'}; or their
        names alone: losses as fit; None: every column of y.""",
    "task_weight": """task_weight : dict, default=None
        How much a task counts in the splits that it shares with others [1].""",
    "stop_weight": """stop_weight : dict, default=None
        How much its validation loss counts when shared trees stop; 0 = not at all [its
        weight].""",
    "share": """share : str, default=None
        What tasks have in common: hard (all splits), partly (some trees), soft (splits
        pulled together) or none [partly; if fewer than 16 of --trees would be shared: hard;
        paper: hard].""",
    "share_strength": """share_strength : float or 'auto', default=None
        How hard soft sharing pulls: 0 = none, large = hard [0.005].""",
    "share_decay": """share_decay : float or 'auto', default=None
        Soft sharing's strength is multiplied by D at every level of depth [0.5].""",
}
