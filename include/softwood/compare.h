#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "softwood/model.h"
#include "softwood/options.h"
#include "softwood/table.h"
#include "softwood/train.h"

namespace softwood {

/// Which rows to hold out.
struct HoldOutOptions {
  double fraction = 0.2;           ///< of the rows, drawn at random; above 0 and below 1
  std::uint64_t seed = 0;          ///< same seed, same rows
  std::string keep_together = {};  ///< rows with the same value here stay on one side
  std::string target = {};         ///< rows without a value here are on neither side; empty = none
};

/// Two parts of a table, the rows of each in the table's order.
struct HeldOut {
  Table training;
  Table test;
};

/// Throws Error if there is no such column, or a side would be empty. The rows are those that
/// compare() holds out of the same table with the same seed.
HeldOut hold_out(const Table& table, const HoldOutOptions& options = {});

/// What came of one of the losses that are compared.
struct ComparedLoss {
  std::string loss;            ///< what the user calls it
  std::string chosen = {};     ///< by `count`; else empty
  std::string failure = {};    ///< why there is no model; the rest is then empty
  Evaluation evaluation = {};  ///< on the rows held out
  /// Mean negative log-likelihood of these rows. Empty if the loss is not a complete likelihood (it
  /// states no cdf), or one of classes, which has a log-loss.
  std::optional<double> nll = {};
  bool is_discrete = false;   ///< its likelihood is of probabilities, not of densities
  std::size_t num_trees = 0;  ///< of all members
  double seconds = 0;         ///< of training
  std::optional<Model> model = {};
};

/// Several losses, trained alike and judged on the same rows.
struct Comparison {
  std::string target;
  /// By likelihood; then those without one, as they were given; then those that failed.
  std::vector<ComparedLoss> losses;

  /// For people: one aligned line per loss, the best of each column marked, and what the columns
  /// mean. Empty if all losses failed.
  std::string text() const;
  /// For programs, a row per loss: loss, chosen, nll, rows, each metric, trees, seconds, failure.
  Table table() const;
};

struct CompareOptions {
  std::string target;
  std::vector<std::string> losses;  ///< as TaskOptions::loss
  /// What they are called in the result, if not as they are written: as many.
  std::vector<std::string> names = {};
  /// The same for every loss. Its tasks must be empty; seed and keep_together also say which rows
  /// are held out. A column that one of the losses reads is a feature for none of them, unless
  /// `features` names it, so that all see the same.
  TrainOptions training = {};
  double held_out = 0.2;  ///< part of the rows with a response, as HoldOutOptions::fraction
  /// The rows to judge on, as a model reads them, instead of holding rows out.
  std::function<Table(const Model&)> read_test = {};
  /// Rows to stop early on, instead of splitting them off those that train; borrowed.
  const Table* validation = nullptr;
};

struct CompareHooks {
  /// Of every training; if `should_stop` says so, the comparison ends, too. What is noted is told
  /// once, of the table; a warning is told once for all losses.
  Hooks training = {};
  /// Before a loss is trained: its number from 0, and its name.
  std::function<void(std::size_t number, const std::string& name)> on_loss = {};
  /// After it is evaluated. An Error that it throws is this loss's failure.
  std::function<void(std::size_t number, const Model& model)> on_model = {};
};

/// Trains every loss on the same rows with the same options and judges it on rows that none has
/// seen. A loss that cannot be trained says why in its result, and the others go on. Throws Error
/// for a mistake in what all have in common.
Comparison compare(const Table& table, const CompareOptions& options,
                   const CompareHooks& hooks = {});

}  // namespace softwood
