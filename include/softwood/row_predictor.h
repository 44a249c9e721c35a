#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "softwood/model.h"
#include "softwood/table.h"

namespace softwood {

/// Predicts one row of numbers after another, for programs that answer single questions: no table,
/// no threads, and no allocation after the first prediction. The same bits as Model::predict. It
/// has scratch of its own, so every thread needs one.
class RowPredictor {
 public:
  /// A column of the table that the model learned from.
  struct Input {
    std::string name;
    ColumnKind kind = ColumnKind::numeric;
  };

  /// Keeps what it needs of the model.
  explicit RowPredictor(const Model& model);
  ~RowPredictor();
  RowPredictor(RowPredictor&&) noexcept;
  RowPredictor& operator=(RowPredictor&&) noexcept;

  /// What a row holds: the columns that the model reads, then those that only the losses'
  /// predictions read (an exposure).
  const std::vector<Input>& inputs() const;
  /// The number that stands for a text of a categorical input; −1 for a text that was rare or
  /// unseen in training. Throws Error if there is no such input, or if it is not categorical.
  double level(std::string_view input, std::string_view text) const;
  /// The names of what predict() gives: the numeric columns of Predictions, in their order. Of a
  /// classifier the probabilities: `class` is the likeliest one.
  const std::vector<std::string>& predictions() const;

  /// `row`: one number per input, with NaN for missing: a number; a date in seconds since
  /// 1970-01-01 00:00 UTC; what level() gives for a text. The answer, one number per name of
  /// predictions(), is overwritten by the next. Throws Error for another number of cells, and for
  /// what is no such number.
  std::span<const double> predict(std::span<const double> row);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace softwood
