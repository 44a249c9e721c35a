#pragma once

#include <optional>

#include "options/declared_option.h"
#include "softwood/options.h"

namespace softwood {

/// The deepest tree that may be asked for.
inline constexpr int kDeepestTree = 12;

/// What is not said is found by recipe and table.
template <class T>
constexpr bool is_filled_in(const std::optional<T>&) {
  return true;
}
template <class T>
constexpr bool is_filled_in(const T&) {
  return false;
}

/// The one declaration of every training option: name, field, help, range, choices and what holds
/// without it. The command line, config files, the model file, the estimators' constructors,
/// docs/parameters.md and validate() are made from it. `visit(const DeclaredOption&, field)`.
template <class Options, class Visitor>
void visit_options(Options& options, Visitor&& visit) {
  const char* section = "Columns";
  const auto declare = [&](DeclaredOption option, auto& field) {
    option.section = section;
    option.knows_auto = is_filled_in(field);
    visit(static_cast<const DeclaredOption&>(option), field);
  };
  declare({.name = "features", .value_name = "A,B", .help = "Use only these columns"},
          options.features);
  declare({.name = "drop", .value_name = "A,B", .help = "Leave these columns out (ids, leaks)"},
          options.drop);
  declare({.name = "bins",
           .value_name = "N",
           .help = "Bins per numeric column, of wide trees",
           .by_default = "16; 8 above 16 numeric columns, 4 above 64",
           .range = at_least(1)},
          options.bins);
  declare({.name = "fine-bins",
           .value_name = "N",
           .help = "The same of narrow trees",
           .by_default = "32 to 128 by table size",
           .range = at_least(1)},
          options.fine_bins);

  section = "Rows";
  declare({.name = "weight", .value_name = "COLUMN", .help = "Row weights"}, options.weight);
  declare({.name = "valid-column",
           .value_name = "COLUMN",
           .help = "Rows marked here (1, true, valid, test) validate"},
          options.valid_column);
  declare({.name = "keep-together",
           .value_name = "COLUMN",
           .help = "Rows with the same value here all learn or all validate"},
          options.keep_together);
  declare({.name = "valid-fraction",
           .value_name = "F",
           .help = "Share of the rows that validate, drawn at random; 0 = none",
           .by_default = "0.2",
           .range = from_and_below(0, 1)},
          options.valid_fraction);
  declare({.name = "members",
           .value_name = "K",
           .help = "Deal the rows into K folds and average K models, each validated on one fold; "
                   "auto: by the number of rows",
           .by_default = "auto: 8 or 5 for few rows, 1 for many, and with --valid, --valid-column, "
                         "--valid-fraction, --trees or --ensemble",
           .in_paper = "1",
           .range = between(1, 100)},
          options.members);
  declare({.name = "fold-column",
           .value_name = "COLUMN",
           .help = "The same with the folds that this column names"},
          options.fold_column);

  section = "Trees";
  declare({.name = "recipe",
           .value_name = "NAME",
           .help = "What holds where you say nothing",
           .by_default = "default",
           .choices = kRecipes},
          options.recipe);
  declare({.name = "trees",
           .value_name = "N",
           .help = "Number of trees, at most, whatever the number of tasks: a third see all "
                   "columns, the others a few",
           .by_default = "144, and 48 for each of several tasks",
           .in_paper = "100",
           .range = between(1, 1e6)},
          options.trees);
  declare({.name = "ensemble",
           .value_name = "LIST",
           .help = "Groups of trees, each trained on its own: wide=48,narrow=48x2; own_wide, "
                   "own_narrow: for every task alone"},
          options.ensemble);
  declare({.name = "depth",
           .value_name = "D",
           .help = "Depth of every tree",
           .by_default = "3",
           .in_paper = "4",
           .range = between(1, kDeepestTree)},
          options.depth);
  declare({.name = "activation",
           .value_name = "NAME",
           .help = "How a split routes",
           .by_default = "logistic",
           .in_paper = "smooth_step",
           .choices = kActivations},
          options.activation);
  declare({.name = "gamma",
           .value_name = "G",
           .help = "Width of the smooth step",
           .by_default = "1",
           // Its cube and the inverse of that are floats.
           .range = between(1e-6, 1e6)},
          options.gamma);
  declare({.name = "columns-per-tree",
           .value_name = "N",
           .help = "Narrow trees see N random columns; 0 = those that a few rounds of boosting "
                   "split",
           .by_default = "0",
           .range = kNotNegative},
          options.columns_per_tree);

  section = "Several tasks";
  declare({.name = "share",
           .value_name = "NAME",
           .help = "What tasks have in common",
           .by_default = "partly; if fewer than 16 of --trees would be shared: hard",
           .in_paper = "hard",
           .choices = kShares},
          options.share);
  declare({.name = "share-strength",
           .value_name = "L",
           .help = "How hard soft sharing pulls: 0 = none, large = hard",
           .by_default = "0.005",
           .range = kNotNegative},
          options.share_strength);
  declare({.name = "share-decay",
           .value_name = "D",
           .help = "Soft sharing's strength is multiplied by D at every level of depth",
           .by_default = "0.5",
           .range = kPositive},
          options.share_decay);
  declare({.name = "components",
           .value_name = "NAME",
           .help = "Splits of the outputs of one loss",
           .by_default = "shared",
           .choices = kComponents},
          options.components);

  section = "Training";
  declare({.name = "epochs",
           .value_name = "N",
           .help = "Passes over the data, at most",
           .by_default = "doubling: 63 times its first cycle, while it gains; other schedules: 40, "
                         "at least 1,000 steps",
           .in_paper = "200",
           .range = at_least(1)},
          options.epochs);
  declare({.name = "batch-size",
           .value_name = "N",
           .help = "Rows per step",
           .by_default = "32 to 1,024 by table size",
           .in_paper = "64",
           .range = at_least(1)},
          options.batch_size);
  declare({.name = "learning-rate",
           .value_name = "R",
           .help = "Step size of the splits",
           .by_default = "wide trees 0.02, narrow 0.01",
           .in_paper = "0.01",
           .range = kPositive},
          options.learning_rate);
  declare({.name = "leaf-learning-rate",
           .value_name = "R",
           .help = "Step size of the leaves",
           .by_default = "of the splits': wide trees half, narrow a fifth",
           .in_paper = "the same",
           .range = kNotNegative},
          options.leaf_learning_rate);
  declare({.name = "schedule",
           .value_name = "NAME",
           .help = "The step size's course",
           .by_default = "doubling",
           .in_paper = "constant",
           .choices = kSchedules},
          options.schedule);
  declare({.name = "warm-up",
           .value_name = "E",
           .help = "Epochs of rising rate at the start",
           .by_default = "0",
           .range = between(0, 1e6)},
          options.warm_up);
  declare({.name = "decay",
           .value_name = "D",
           .help = "Decoupled weight decay of the splits",
           .by_default = "0.1; narrow trees below 4,000 rows 0.2",
           .in_paper = "0",
           .range = kNotNegative},
          options.decay);
  declare({.name = "average",
           .value_name = "E",
           .help = "Epochs the average of the weights reaches back; 0 = none",
           .by_default = "1",
           .in_paper = "0",
           .range = kNotNegative},
          options.average);
  declare({.name = "l2-splits",
           .value_name = "L",
           .help = "L2 penalty on the splits",
           .by_default = "0",
           .range = kNotNegative},
          options.l2_splits);
  declare({.name = "l2-leaves",
           .value_name = "L",
           .help = "L2 penalty on the leaves",
           .by_default = "0",
           .range = kNotNegative},
          options.l2_leaves);
  declare({.name = "clip",
           .value_name = "C",
           .help = "Bound of the gradient's norm; 0 = none",
           .by_default = "0",
           .range = kNotNegative},
          options.clip);
  declare({.name = "patience",
           .value_name = "N",
           .help = "Stop after N epochs without gain; 0 = never",
           .by_default = "0",
           .in_paper = "25",
           .range = kNotNegative},
          options.patience);
  declare({.name = "balance",
           .value_name = "BOOL",
           .help = "Fit the constant part of every output once more at the end, on all rows, so "
                   "that predictions are right on average",
           .by_default = "true",
           .in_paper = "false"},
          options.balance);
  declare(
      {.name = "keep-loss",
       .value_name = "SHARE",
       .help = "A smaller file may cost this share of the validation loss: knots that curves do "
               "without are left out, the others have 16 bits; 0 keeps every number",
       .by_default = "0.001",
       .in_paper = "0",
       .range = from_and_below(0, 1)},
      options.keep_loss);
  declare({.name = "seed",
           .value_name = "N",
           .help = "Same seed, same model; 0 to 2^64 - 1",
           .by_default = "0"},
          options.seed);
  declare({.name = "threads",
           .value_name = "N",
           .help = "0 = as many as the process may use: its processors, CPU quota and "
                   "OMP_NUM_THREADS; changes no result",
           .by_default = "0",
           .range = kNotNegative},
          options.threads);
}

}  // namespace softwood
