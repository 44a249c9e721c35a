#include "train/linear/parabola_fit.h"

#include <utility>

#include "train/linear/leave_one_out.h"

namespace softwood {

using Eigen::ArrayXd;
using Eigen::MatrixXd;

ParabolaFit::ParabolaFit(Parabola parabola, LearnedRows rows, const FeatureBasis& basis)
    : parabola_(std::move(parabola)),
      rows_(std::move(rows)),
      basis_(basis),
      products_(basis.scores.transpose() * rows_.shares.cwiseProduct(parabola_.targets)),
      weights_(MatrixXd::Zero(basis.size() + 1, 1)) {}

void ParabolaFit::solve(double penalty, Precision) {
  const ArrayXd bend = parabola_.width * basis_.spreads.array() + penalty;
  weights_.col(0).head(basis_.size()) = parabola_.width * products_.array() / bend;
  weights_(basis_.size(), 0) = rows_.shares.dot(parabola_.targets);
}

MatrixXd ParabolaFit::leave_one_out(double penalty) {
  const ArrayXd g = scores_of(basis_, weights_).col(0);
  const ArrayXd leverage =
      parabola_.width * mean_leverages(basis_, rows_.shares, parabola_.width, penalty);
  const ArrayXd others =
      parabola_.targets.array() - (parabola_.targets.array() - g) / (1 - leverage);
  return others.isFinite().select(others, g);
}

}  // namespace softwood
