#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "softwood/predicted_distribution.h"
#include "softwood/table.h"

namespace softwood {

struct ModelParts;  // the library's own
class ModelAccess;  // the library's own

/// Losses after an epoch, in the user's units (mean per row with a response), one per task. Without
/// validation rows there are no validation losses, and the last epoch is the best.
struct EpochResult {
  int member = 1;
  int epoch = 0;
  double learning_rate = 0;
  std::vector<double> training_loss;         ///< mean over the groups of trees
  std::vector<double> validation_loss;       ///< of the trees as they are after this epoch
  std::vector<double> best_validation_loss;  ///< of the model that would be saved now
  std::vector<double> constant_loss;  ///< of a model without trees, on the validation rows; without
                                      ///< such rows, on the training rows
  int best_epoch = 0;  ///< the last one that the model that would be saved now has trees of
  bool best = false;   ///< it is this one
  double seconds = 0;
};

/// Named columns of predictions, in the order the loss states them ("mean" first).
class Predictions {
 public:
  explicit Predictions(std::vector<Column> columns) : table_(std::move(columns)) {}

  /// A numeric prediction; throws Error with the names there are if there is none of this name.
  std::span<const double> operator[](std::string_view name) const {
    return table_.column(name).values;
  }
  const Table& table() const { return table_; }
  std::size_t num_rows() const { return table_.num_rows(); }

 private:
  Table table_;
};

/// What to predict besides what the loss names. All of it follows from the distribution of each
/// row's response, so the loss must have one (a line `cdf(q) = …`); of several tasks, those that
/// have one get these columns. The distribution of several members is their mixture.
struct PredictOptions {
  std::vector<double> quantiles = {};   ///< in (0, 1); columns quantile_0.05, …
  std::vector<double> intervals = {};   ///< in (0, 1), equal tails; lower_0.9, upper_0.9
  std::vector<double> prob_above = {};  ///< P(y > 3); above_3
  int samples = 0;                      ///< draws per row; sample_1, …
  std::uint64_t seed = 0;               ///< of the draws: same seed, row and number, same draw
  std::size_t first_row = 0;  ///< number of the first row, if others were predicted before
  bool moments = false;       ///< mean, sd, variance; in place of the loss's own
  int threads = 0;            ///< 0 = as many as the process may use; changes no result
  std::function<void(const std::string&)> on_note = {};  ///< tasks that have no distribution
};

/// One task's figures on some rows.
struct Evaluation {
  struct CalibrationBin {
    std::size_t num_rows = 0;
    double predicted = 0;  ///< mean prediction
    double observed = 0;   ///< mean response
  };
  std::string task;
  std::string loss;
  std::size_t num_rows = 0;        ///< with a response
  std::size_t num_table_rows = 0;  ///< with one or without
  std::vector<std::pair<std::string, double>>
      metrics;                              ///< "loss", "rmse", …, as fit for the response
  std::vector<CalibrationBin> calibration;  ///< ten bins by predicted value
  /// Of more than two classes: for each class its probability against its share of the rows.
  std::vector<std::vector<CalibrationBin>> class_calibration;
  /// If the loss has a distribution: shares of the responses in the tenths of their own predicted
  /// distributions; all near 0.1 if it is right. Responses that are whole numbers or censored are
  /// spread evenly over the tenths that they may stand for (Czado, Gneiting and Held 2009).
  std::vector<double> pit_histogram;
};

/// What a table is read for: it decides which columns a model needs.
enum class ColumnsFor {
  predictions,
  distributions,  ///< also what only the losses' cdfs read: predict() with PredictOptions
  evaluation,     ///< the responses, and all that the losses read
};

/// A trained model: encoder, trees, losses, units, schema. A raw row goes in, named predictions
/// come out. Immutable; any number of threads may predict at once.
class Model {
 public:
  /// One file in the safetensors layout, written atomically.
  void save(const std::string& path) const;
  /// Throws Error if the file is no model, is damaged, or of a format version that this Softwood
  /// does not read.
  static Model load(const std::string& path);
  /// The same file in memory.
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes);

  /// `threads`: 0 = as many as the process may use.
  Predictions predict(const Table& table, int threads = 0) const;
  /// Throws Error for a level outside (0, 1), and if no task's loss has a distribution.
  Predictions predict(const Table& table, const PredictOptions& options) const;
  /// Of the task with this target (empty: of the first that has a distribution). Throws Error if it
  /// has none.
  PredictedDistribution distribution(const Table& table, const std::string& target = "",
                                     int threads = 0) const;
  /// Of the table that several members were just trained on: each row by the member that has not
  /// learned from it. A file does not keep which rows those were, only how many.
  Predictions predict_out_of_fold(const Table& table, int threads = 0) const;
  /// Of the tasks whose response is a column of the table; Error if none is.
  std::vector<Evaluation> evaluate(const Table& table, int threads = 0) const;

  /// How the columns that the model needs are to be read from a file, so that they mean what they
  /// meant in training.
  std::map<std::string, ReadAs, std::less<>> read_as(
      ColumnsFor purpose = ColumnsFor::predictions) const;
  /// How the training went, a row per epoch, with the columns of EpochResult: epoch, learning_rate,
  /// training_loss, validation_loss, best_validation_loss (training_loss.TARGET, … of several
  /// tasks), best_epoch, best, seconds; and member, if there are several. The last row's best_epoch
  /// is that of describe(). Seconds are missing in a model that comes from a file, which tells of
  /// no clock; there are no rows if the file is of format 3, from before files kept the history.
  Table history() const;
  /// What it is, for people: tasks, losses, trees, size, every column of the encoder.
  std::string describe() const;

 private:
  friend class ModelAccess;
  explicit Model(std::shared_ptr<const ModelParts> parts);

  std::shared_ptr<const ModelParts> parts_;
};

}  // namespace softwood
