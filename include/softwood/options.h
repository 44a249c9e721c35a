#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace softwood {

/// One response to learn. Missing cells of `target` take no part.
struct TaskOptions {
  std::string target;  ///< the response's column
  /// A catalogue name with settings or without, a formula in y and f, or @FILE. Empty: softmax or
  /// logistic for a response of text or of two values, squared otherwise. `count` chooses among the
  /// families of counts by the training rows; the model then has the chosen one.
  std::string loss = {};
  double weight = 1;  ///< of this task's loss among the others'
  /// Of its validation loss when the trees that it shares with others decide to stop; empty =
  /// weight.
  std::optional<double> stop_weight = {};
};

/// Everything that decides a model besides the data. An empty optional is filled in by the recipe.
struct TrainOptions {
  std::vector<TaskOptions> tasks;

  // What the trees may see.
  std::vector<std::string> features = {};  ///< columns to use; empty = all that have no other role
  std::vector<std::string> drop = {};      ///< columns to leave out
  std::optional<int> bins = {};            ///< per numeric column, of wide trees
  std::optional<int> fine_bins = {};       ///< the same of narrow trees

  // Which rows train, and how much each counts.
  std::string weight = {};         ///< column of row weights
  std::string valid_column = {};   ///< column that marks the validation rows
  std::string keep_together = {};  ///< rows with the same value here all learn or all validate
  std::optional<double> valid_fraction = {};  ///< drawn at random [0.2]
  /// Models on as many folds of the rows, averaged. Empty: several small ones of few rows, one of
  /// many, or where something else says which rows validate or how many trees there are.
  std::optional<int> members = {};
  std::string fold_column = {};  ///< its distinct values are the folds, one member each

  // The ensemble.
  std::string recipe = "default";  ///< or "paper"
  std::optional<int> trees = {};
  std::optional<int> depth = {};
  std::optional<std::string> activation = {};  ///< "logistic" or "smooth_step"
  std::optional<double> gamma = {};            ///< width of the smooth step
  /// Groups of trees, each trained on its own, instead of trees: "wide=48,narrow=48x2".
  std::string ensemble = {};
  int columns_per_tree = 0;  ///< narrow trees see so many random columns; 0 = a greedy start's

  // Several tasks.
  std::optional<std::string> share = {};      ///< "hard", "soft", "none" or "partly"
  std::optional<double> share_strength = {};  ///< soft: λ of the closeness penalty; 0 = none
  std::optional<double> share_decay = {};     ///< soft: λ's factor per level of depth
  std::string components = "shared";          ///< outputs of one loss; or "separate"

  // The optimizer.
  std::optional<int> epochs = {};
  std::optional<int> batch_size = {};
  std::optional<double> learning_rate = {};
  std::optional<double> leaf_learning_rate = {};
  std::optional<std::string> schedule = {};  ///< "constant", "cosine", "four_cycles" or "doubling"
  std::optional<double> warm_up = {};        ///< epochs of rising rate at the start
  std::optional<double> decay = {};          ///< decoupled weight decay of the splits
  std::optional<double> average = {};  ///< epochs the average of the weights reaches back; 0 = off
  double l2_splits = 0;
  double l2_leaves = 0;
  double clip = 0;                   ///< bound of the gradient's norm; 0 = none
  std::optional<int> patience = {};  ///< epochs without gain before stopping; 0 = never
  /// Fit the outputs' offsets once more at the end, so that predictions are right on average.
  std::optional<bool> balance = {};
  std::optional<double> keep_loss = {};

  std::uint64_t seed = 0;
  int threads = 0;  ///< 0 = as many as the process may use; changes no result
};

}  // namespace softwood
