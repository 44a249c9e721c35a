#pragma once

#include "softwood/options.h"

namespace softwood {

/// The one declaration of every training option: name, field, help. The command line with its help
/// and the model file are made from it. `visit(section, name, field, value_name, help)`.
template <class Options, class Visitor>
void visit_options(Options& options, Visitor&& visit) {
  const char* section = "Columns";
  visit(section, "features", options.features, "A,B", "Use only these columns");
  visit(section, "drop", options.drop, "A,B", "Leave these columns out (ids, leaks)");
  visit(section, "bins", options.bins, "N",
        "Bins per numeric column, of wide trees [16; 8 above 16 numeric columns, 4 above 64]");
  visit(section, "fine-bins", options.fine_bins, "N",
        "The same of narrow trees [32 to 128 by table size]");

  section = "Rows";
  visit(section, "weight", options.weight, "COLUMN", "Row weights");
  visit(section, "valid-column", options.valid_column, "COLUMN",
        "Rows marked here (1, true, valid, test) validate");
  visit(section, "group", options.group, "COLUMN",
        "Keep rows of one group on one side of the split");
  visit(section, "valid-fraction", options.valid_fraction, "F",
        "Share of the rows that validate, drawn at random; 0 = none [0.2]");

  visit(section, "members", options.members, "K",
        "Deal the rows into K folds and average K models, each validated on one fold [1]");
  visit(section, "fold-column", options.fold_column, "COLUMN",
        "The same with the folds that this column names");

  section = "Trees";
  visit(section, "recipe", options.recipe, "NAME",
        "default, or paper (linear splits, smooth step, constant rate)");
  visit(section, "trees", options.trees, "N",
        "Number of trees, at most, whatever the number of tasks: a third see all columns, the "
        "others a few [144, and 48 for each of several tasks; paper: 100]");
  visit(section, "groups", options.groups, "LIST",
        "Groups of trees, each trained on its own: wide=48,narrow=48x2; own_wide, own_narrow: for "
        "every task alone");
  visit(section, "depth", options.depth, "D", "Depth of every tree, 1 to 10 [3; paper: 4]");
  visit(section, "activation", options.activation, "NAME",
        "How a split routes: logistic or smooth_step [logistic; paper: smooth_step]");
  visit(section, "gamma", options.gamma, "G", "Width of the smooth step, 1e-6 to 1e6 [1]");
  visit(section, "columns-per-tree", options.columns_per_tree, "N",
        "Narrow trees see N random columns; 0 = those that a few rounds of boosting split [0]");

  section = "Several tasks";
  visit(section, "share", options.share, "NAME",
        "What tasks have in common: hard (all splits), partly (some trees), soft (splits pulled "
        "together) or none [partly; if fewer than 16 of --trees would be shared, and paper: hard]");
  visit(section, "share-strength", options.share_strength, "L",
        "How hard soft sharing pulls: 0 = none, large = hard [0.005]");
  visit(section, "share-decay", options.share_decay, "D",
        "Soft sharing's strength is multiplied by D at every level of depth [0.5]");
  visit(section, "components", options.components, "NAME",
        "Outputs of one loss have splits in common: shared; or their own: separate [shared]");

  section = "Training";
  visit(section, "epochs", options.epochs, "N",
        "Passes over the data, at most [doubling: 63 times its first cycle, while it gains; other "
        "schedules: 40, at least 1,000 steps; paper: 200]");
  visit(section, "batch-size", options.batch_size, "N",
        "Rows per step [32 to 1,024 by table size; paper: 64]");
  visit(section, "learning-rate", options.learning_rate, "R",
        "Step size of the splits [wide trees 0.02, narrow 0.01; paper: 0.01]");
  visit(
      section, "leaf-learning-rate", options.leaf_learning_rate, "R",
      "Step size of the leaves [of the splits': wide trees half, narrow a fifth; paper: the same]");
  visit(section, "schedule", options.schedule, "NAME",
        "constant, cosine, coslog4 (four cycles, each twice as long) or doubling (more of them, "
        "while they gain) [doubling; paper: constant]");
  visit(section, "warm-up", options.warm_up, "E", "Epochs of rising rate at the start [0]");
  visit(section, "decay", options.decay, "D",
        "Decoupled weight decay of the splits [0.1; narrow trees below 4,000 rows 0.2; paper: 0]");
  visit(section, "average", options.average, "E",
        "Epochs the average of the weights reaches back; 0 = none [1; paper: 0]");
  visit(section, "l2-splits", options.l2_splits, "L", "L2 penalty on the splits [0]");
  visit(section, "l2-leaves", options.l2_leaves, "L", "L2 penalty on the leaves [0]");
  visit(section, "clip", options.clip, "C", "Bound of the gradient's norm; 0 = none [0]");
  visit(section, "patience", options.patience, "N",
        "Stop after N epochs without gain; 0 = never [0; paper: 25]");
  visit(section, "balance", options.balance, "BOOL",
        "Fit the constant part of every output once more at the end, on all rows, so that "
        "predictions are right on average [true; paper: false]");
  visit(section, "seed", options.seed, "N", "Same seed, same model; 0 to 2^64 - 1 [0]");
  visit(
      section, "threads", options.threads, "N",
      "0 = as many as the process may use: its processors, CPU quota and OMP_NUM_THREADS; changes "
      "no result [0]");
}

}  // namespace softwood
