#include "train/linear/descent_fit.h"

#include <cmath>
#include <utility>

#include "train/linear/leave_one_out.h"

namespace softwood {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t kMostPairs = 12;
constexpr std::size_t kSampledRows = 500;
constexpr double kSufficient = 1e-4;      // part of the decrease that the slope promises
constexpr double kShortestStep = 1e-6;    // part of a step
constexpr double kLeastCurvature = 1e-9;  // of a pair, relative
constexpr double kSameMinimum = 1e-3;     // decrease up to which a minimum was found before
constexpr double kRounding = 1e-14;       // of a loss, relative

/// The decrease still to be had at which a search ends, where the constants' loss is about 1; and
/// its most steps.
struct Effort {
  double decrease;
  int steps;
};
constexpr Effort effort_for(Precision precision) {
  return precision == Precision::full ? Effort{1e-11, 200} : Effort{1e-5, 40};
}

double dot(const MatrixXd& a, const MatrixXd& b) {
  return a.cwiseProduct(b).sum();
}

/// Squares of all weights but the biases, which are the last row.
double penalised_squares(const MatrixXd& weights) {
  return weights.topRows(weights.rows() - 1).squaredNorm();
}

/// `change` of a pair with the penalty's part.
MatrixXd with_penalty(const MatrixXd& change, const MatrixXd& step, double penalty) {
  MatrixXd all = change;
  all.topRows(all.rows() - 1) += penalty * step.topRows(all.rows() - 1);
  return all;
}

}  // namespace

DescentFit::DescentFit(TaskObjective objective, const FeatureBasis& basis,
                       const std::function<void()>& checkpoint)
    : objective_(std::move(objective)),
      basis_(basis),
      checkpoint_(checkpoint),
      weights_(MatrixXd::Zero(basis.size() + 1, objective_.num_outputs())) {
  evaluate();
  std::vector<Index> kept;
  TaskObjective sample = objective_.sample(kSampledRows, kept);
  MatrixXd slopes;
  const MatrixXd start = MatrixXd::Zero(sample.num_rows(), sample.num_outputs());
  sample(start, slopes);
  const Eigen::VectorXd shares = sample.rows().shares;
  curvatures_ = sample.curvatures(start).transpose() * shares;
  for (Index k = 0; k < curvatures_.size(); ++k) {
    const double squares = (slopes.col(k).array().square() / shares.array()).sum();
    curvatures_[k] = curvature_or_squared_slope(curvatures_[k], squares);
  }
}

void DescentFit::evaluate() {
  g_ = scores_of(basis_, weights_);
  loss_ = objective_(g_, slopes_);
  loss_gradient_ = gradient_of(slopes_);
}

void DescentFit::start_from(const MatrixXd& weights) {
  weights_ = weights;
  evaluate();
}

MatrixXd DescentFit::gradient_of(const MatrixXd& slopes) const {
  MatrixXd gradient(basis_.size() + 1, slopes.cols());
  gradient.topRows(basis_.size()).noalias() = basis_.scores.transpose() * slopes;
  gradient.row(basis_.size()) = slopes.colwise().sum();
  return gradient;
}

MatrixXd DescentFit::gradient(double penalty) const {
  return with_penalty(loss_gradient_, weights_, penalty);
}

/// −H · gradient, with the inverse second derivative H that the pairs tell.
MatrixXd DescentFit::direction(const MatrixXd& gradient, double penalty) const {
  MatrixXd inverse(weights_.rows(), weights_.cols());
  for (Index k = 0; k < inverse.cols(); ++k) {
    inverse.col(k).head(basis_.size()) =
        (curvatures_[k] * basis_.spreads.array() + penalty).inverse();
    inverse(basis_.size(), k) = 1 / curvatures_[k];
  }
  struct Told {
    const MatrixXd* step;
    MatrixXd change;
    double product, part;
  };
  std::vector<Told> told;
  double scale = 1;
  MatrixXd rest = gradient;
  for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
    Told now{&pair->step, with_penalty(pair->change, pair->step, penalty), 0, 0};
    const double bent = dot(now.change, now.change.cwiseProduct(inverse));
    now.product = dot(pair->step, now.change);
    if (!(now.product > kLeastCurvature * bent) || !std::isfinite(bent)) continue;
    if (told.empty()) scale = now.product / bent;
    now.part = dot(pair->step, rest) / now.product;
    rest -= now.part * now.change;
    told.push_back(std::move(now));
  }
  rest = scale * rest.cwiseProduct(inverse);
  for (auto now = told.rbegin(); now != told.rend(); ++now)
    rest += (now->part - dot(now->change, rest) / now->product) * *now->step;
  return -rest;
}

/// Along the direction, as far as the loss goes down enough; false if it does not.
bool DescentFit::move(const MatrixXd& direction, double descent, double penalty) {
  const MatrixXd g_step = scores_of(basis_, direction);
  const double before = penalised_loss(penalty);
  MatrixXd moved_g, moved_slopes;
  for (double length = 1; length > kShortestStep; length /= 2) {
    checkpoint_();
    moved_g = g_ + length * g_step;
    const double loss = objective_(moved_g, moved_slopes);
    MatrixXd moved = weights_ + length * direction;
    const double after = loss + penalty / 2 * penalised_squares(moved);
    if (!(after <= before - kSufficient * length * descent)) continue;
    MatrixXd moved_gradient = gradient_of(moved_slopes);
    pairs_.push_back({length * direction, moved_gradient - loss_gradient_});
    if (pairs_.size() > kMostPairs) pairs_.pop_front();
    weights_ = std::move(moved);
    loss_gradient_ = std::move(moved_gradient);
    std::swap(g_, moved_g);
    std::swap(slopes_, moved_slopes);
    loss_ = loss;
    return true;
  }
  return false;
}

double DescentFit::penalised_loss(double penalty) const {
  return loss_ + penalty / 2 * penalised_squares(weights_);
}

/// A loss that is not convex may go on and on: then what was compared stays, which was a stage.
void DescentFit::solve(double penalty, Precision precision) {
  if (!std::isfinite(loss_)) return;
  const MatrixXd before = weights_;
  const double loss_before = penalised_loss(penalty);
  descend(penalty, precision);
  if (precision == Precision::full && loss_before - penalised_loss(penalty) > kSameMinimum)
    start_from(before);
}

void DescentFit::descend(double penalty, Precision precision) {
  const Effort effort = effort_for(precision);
  for (int step = 0; step < effort.steps; ++step) {
    const MatrixXd slope = gradient(penalty);
    MatrixXd down = direction(slope, penalty);
    double descent = -dot(slope, down);
    if (!(descent > 0) || !std::isfinite(descent)) {
      pairs_.clear();
      down = direction(slope, penalty);
      descent = -dot(slope, down);
    }
    if (!(descent > 2 * effort.decrease + kRounding * std::abs(loss_))) return;
    if (move(down, descent, penalty)) continue;
    if (pairs_.empty()) return;
    pairs_.clear();  // what they tell is no longer so: once more without them
  }
}

MatrixXd DescentFit::leave_one_out(double penalty) {
  return newton_leave_one_out(basis_, objective_, g_, penalty);
}

}  // namespace softwood
