#include "train/linear/leave_one_out.h"

#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

namespace softwood {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Multiply-adds up to which every row has a curvature of its own, and rows that tell the mean
/// else.
constexpr double kMostWork = 4e8;
constexpr std::size_t kSampledRows = 500;
/// A mean curvature below this part of the mean squared slope is that of corners.
constexpr double kCornerPart = 0.01;

/// Leverages under every row's own curvature; empty if those do not add up to a minimum.
ArrayXd own_leverages(const FeatureBasis& basis, const VectorXd& shares, const ArrayXd& curvatures,
                      double penalty) {
  const Index size = basis.size();
  MatrixXd z(basis.num_rows(), size + 1);
  z << basis.scores, VectorXd::Ones(basis.num_rows());
  MatrixXd bend = z.transpose() * ((shares.array() * curvatures).matrix().asDiagonal() * z);
  bend.diagonal().head(size).array() += penalty;
  const Eigen::LLT<MatrixXd> root(bend);
  if (root.info() != Eigen::Success) return {};
  const MatrixXd solved = root.matrixL().solve(z.transpose());
  return shares.array() * solved.colwise().squaredNorm().transpose().array();
}

/// Mean curvature of every output, over some of the rows.
VectorXd mean_curvatures(TaskObjective& objective, const MatrixXd& g) {
  std::vector<Index> kept;
  TaskObjective sample = objective.sample(kSampledRows, kept);
  return sample.curvatures(g(kept, Eigen::all)).transpose() * sample.rows().shares;
}

}  // namespace

MatrixXd scores_of(const FeatureBasis& basis, const MatrixXd& weights) {
  MatrixXd g = basis.scores * weights.topRows(basis.size());
  g.rowwise() += weights.row(basis.size());
  return g;
}

ArrayXd mean_leverages(const FeatureBasis& basis, const VectorXd& shares, double curvature,
                       double penalty) {
  const VectorXd inverse = (curvature * basis.spreads.array() + penalty).inverse();
  return shares.array() * ((basis.scores.cwiseAbs2() * inverse).array() + 1 / curvature);
}

double curvature_or_squared_slope(double mean_curvature, double mean_squared_slope) {
  const bool tells = std::isfinite(mean_curvature) &&
                     mean_curvature > kCornerPart * mean_squared_slope && mean_curvature > 0;
  if (tells) return mean_curvature;
  return std::isfinite(mean_squared_slope) && mean_squared_slope > 0 ? mean_squared_slope : 1.0;
}

MatrixXd newton_leave_one_out(const FeatureBasis& basis, TaskObjective& objective,
                              const MatrixXd& g, double penalty) {
  const VectorXd& shares = objective.rows().shares;
  MatrixXd slopes;
  objective(g, slopes);
  slopes.array().colwise() /= shares.array();
  const auto size = static_cast<double>(basis.size() + 1);
  const bool is_cheap = static_cast<double>(g.size()) * size * size <= kMostWork;
  const MatrixXd curvatures = is_cheap ? objective.curvatures(g) : MatrixXd();
  const VectorXd means =
      is_cheap ? VectorXd(curvatures.transpose() * shares) : mean_curvatures(objective, g);
  MatrixXd result = g;
  for (Index k = 0; k < g.cols(); ++k) {
    const double mean = curvature_or_squared_slope(means[k], slopes.col(k).cwiseAbs2().dot(shares));
    ArrayXd own = ArrayXd::Constant(g.rows(), mean), leverages;
    if (is_cheap && mean == means[k]) {
      own = curvatures.col(k);
      leverages = own_leverages(basis, shares, own, penalty);
    }
    if (leverages.size() == 0) {
      own.setConstant(mean);
      leverages = mean_leverages(basis, shares, mean, penalty);
    }
    const ArrayXd left = 1 - leverages * own;
    const ArrayXd others = g.col(k).array() + leverages / left * slopes.col(k).array();
    result.col(k) = (left > 0 && others.isFinite()).select(others, g.col(k).array());
  }
  return result;
}

}  // namespace softwood
