#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/views.h"
#include "loss/language/loss_source.h"

namespace softwood {

/// What a loss reads besides the raw outputs, for a block of rows.
struct LossData {
  /// The response; NaN = missing: that row's loss and gradient are exactly 0.
  std::span<const double> y;
  /// One span per name of LossProgram::columns(), in that order, as long as y.
  std::vector<std::span<const double>> columns;

  std::size_t num_rows() const { return y.size(); }
  LossData slice(std::size_t first, std::size_t count) const;
};

/// A compiled loss: text → typed SSA program → gradient program, evaluated over blocks of rows in
/// double. Immutable and thread-safe. Matrices are [outputs × rows], one row of the matrix per raw
/// output.
class LossProgram {
 public:
  struct Output {
    std::string name;                   ///< "log_mu", or "f[2]" for a component of a vector
    std::optional<double> unit;         ///< stated in the file (`unit log_mu = 0.3`)
    bool has_unit_of_response = false;  ///< stated in the file (`unit mu = y`)
  };
  struct Prediction {
    std::string name;      ///< "mean", "pi", "probability"
    std::size_t size = 1;  ///< > 1 for a vector
    /// What tells the components apart (`label quantile = levels`: "0.1", "0.5"); empty: 0, 1, …
    std::vector<std::string> labels;
  };
  struct RequireFailure {
    std::size_t row;        ///< in the block given
    std::string condition;  ///< as written: "y >= 0 and y == floor(y)"
  };

  /// `num_classes` is what `classes` means in the text (0 = not a classification; a text that uses
  /// `classes` is then an Error). Errors point at the text: "mine.loss:3:14: unknown function …".
  static LossProgram compile(const LossSource& source, std::size_t num_classes = 0);
  static LossProgram compile(const ParsedLoss& source, std::size_t num_classes = 0);

  const LossSource& source() const;
  const std::vector<Output>& outputs() const;
  /// Data columns that the loss, its predictions or its requirements read (never y); after
  /// settings.
  const std::vector<std::string>& columns() const;
  /// Of columns(), those that the predictions need: indices into columns().
  const std::vector<std::size_t>& prediction_columns() const;
  /// Named predictions in the order of the text, `mean` first if there is one.
  const std::vector<Prediction>& predictions() const;
  /// Parameters that have their defaults.
  const std::vector<std::string>& unset_parameters() const;
  /// The text uses `classes`: y is a class number 0 … num_classes − 1.
  bool uses_classes() const;

  /// The text has a line `cdf(q) = …`: the response has a distribution.
  bool has_cdf() const;
  /// The cdf reads q only as floor(q) and in comparisons: the response is a whole number.
  bool is_discrete() const;
  /// Of columns(), those that the cdf or a prediction needs: indices into columns().
  const std::vector<std::size_t>& distribution_columns() const;
  /// The text has a line `censored …`.
  bool has_censoring() const;

  /// loss [rows], overwritten.
  void value(const LossData& data, MatrixView<const double> f, std::span<double> loss) const;
  /// loss [rows] and ∂loss/∂f [outputs × rows], overwritten. Row by row independent of the others.
  void value_and_gradient(const LossData& data, MatrixView<const double> f, std::span<double> loss,
                          MatrixView<double> gradient) const;
  /// out: [sum of prediction sizes × rows]. data.y may be empty (num_rows = f.cols), and columns
  /// that no prediction reads may be empty spans.
  void predict(const LossData& data, MatrixView<const double> f, MatrixView<double> out) const;
  /// P(response ≤ q) of each row, as the text says, without any clamping; q, out: [rows]. data.y is
  /// not read and may be empty, as may columns that are no distribution_columns().
  void cdf(const LossData& data, MatrixView<const double> f, std::span<const double> q,
           std::span<double> out) const;
  /// Per row: y is only known to be exceeded by the true response. All false without `censored`.
  std::vector<bool> censored(const LossData& data) const;
  /// The first row (with a response) that breaks a `require`.
  std::optional<RequireFailure> check(const LossData& data) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace softwood
