#pragma once

#include <functional>
#include <vector>

#include "loss/constants/weighted_rows.h"
#include "loss/language/loss_program.h"

namespace softwood::loss {

/// How the outputs are measured while a constant is fitted.
struct ConstantFit {
  std::vector<double> scale;      ///< a step of 1 in an output's own measure
  std::vector<bool> is_location;  ///< starts at the median of y; others are held near their start
};

/// Asked all along; throws what is to end the search.
using Checkpoint = std::function<void()>;

/// A mean loss and its gradient.
struct MeanLoss {
  double loss = 0;
  std::vector<double> gradient;

  bool is_finite() const;
};

/// At constant outputs f, over all rows.
MeanLoss mean_loss_at(const LossProgram& program, const WeightedRows& rows,
                      const std::vector<double>& f);

/// Per output, the root mean square of the rows' gradients at constant outputs f; of any size.
std::vector<double> rms_gradients(const LossProgram& program, const WeightedRows& rows,
                                  const std::vector<double>& f);

double norm(const std::vector<double>& v);

/// The mean loss as a function of u, where f = origin + scale · u: the response's common part and
/// scale are out of the way, and losses are divided by the largest gradients' size at the origin. A
/// faint pull, on outputs that are no locations, gives flat and unbounded directions an end: to 0,
/// or to an origin that is far from it.
class ConstantObjective {
 public:
  /// Everything is borrowed. Losses are finite at `origin`.
  ConstantObjective(const LossProgram& program, const WeightedRows& rows, const ConstantFit& fit,
                    std::vector<double> origin, const Checkpoint& checkpoint);

  std::size_t num_outputs() const { return origin_.size(); }
  std::size_t num_rows() const { return rows_->size(); }
  /// Of the rows' gradients in u_k at the origin; never 0.
  double gradient_size(std::size_t k) const { return gradient_sizes_[k]; }
  /// What losses are divided by.
  double size() const { return size_; }
  MeanLoss at(const std::vector<double>& u) const;
  /// at(u).loss; infinite if it is NaN or u is not allowed.
  double loss(const std::vector<double>& u) const;
  /// No log or logit constant goes far from where it started.
  bool allows(const std::vector<double>& u) const;
  std::vector<double> outputs(const std::vector<double>& u) const;
  /// Steps of u_k below this are lost in the rounding of f_k.
  double resolution(std::size_t k) const;
  ConstantObjective without_pull() const;
  /// The same measures for other rows.
  ConstantObjective over(const WeightedRows& rows) const;

 private:
  /// How far output k is from where it is pulled to.
  double distance(const std::vector<double>& f, std::size_t k) const;

  const LossProgram& program_;
  const WeightedRows* rows_;
  const ConstantFit& fit_;
  std::vector<double> origin_;
  const Checkpoint& checkpoint_;
  double size_ = 1;
  double pull_ = 0;
  std::vector<double> gradient_sizes_;
};

}  // namespace softwood::loss
