#include "train/linear/feature_basis.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <Eigen/Eigenvalues>

namespace softwood {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Features of less variance are constant, beside a variance of about 1; directions of a smaller
/// part of the largest spread are rounding errors.
constexpr double kConstant = 1e-10;
constexpr double kNoSpread = 1e-11;

/// Eigen divides products into blocks that fit the machine's caches, and the blocks change the
/// bits: every machine shall have the same.
void fix_blocks() {
  static std::once_flag once;
  std::call_once(once, [] { Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20); });
}

/// visit(row, feature, value) for every feature of the rows that is not zero.
template <class Visit>
void visit_features(const LinearFeatures& features, const Examples& examples,
                    const LearnedRows& rows, const Visit& visit) {
  for (std::size_t column = 0; column < features.num_columns(); ++column) {
    const auto cells = examples.positions.row(column);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto place = features.place(column, cells[examples.rows[rows.places[i]]]);
      visit(static_cast<Index>(i), static_cast<Index>(place.feature), place.value);
    }
  }
}

/// X [rows × varying features], centred.
MatrixXd centred_features(const LinearFeatures& features, const Examples& examples,
                          const LearnedRows& rows, const VaryingFeatures& varying) {
  std::vector<Index> column_of(features.size(), -1);
  for (std::size_t i = 0; i < varying.features.size(); ++i)
    column_of[varying.features[i]] = static_cast<Index>(i);
  MatrixXd x = (-varying.means.transpose()).replicate(static_cast<Index>(rows.size()), 1);
  visit_features(features, examples, rows, [&](Index row, Index feature, double value) {
    const Index column = column_of[static_cast<std::size_t>(feature)];
    if (column >= 0) x(row, column) += value;
  });
  return x;
}

/// Eigenvectors whose eigenvalues are more than rounding errors.
struct Directions {
  MatrixXd vectors;
  VectorXd spreads;
};

Directions directions_of(const MatrixXd& gram) {
  if (gram.rows() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(gram);
  const VectorXd& ascending = solver.eigenvalues();
  const double least = kNoSpread * ascending[ascending.size() - 1];
  Index kept = 0;
  while (kept < ascending.size() && ascending[ascending.size() - 1 - kept] > std::max(least, 0.0))
    ++kept;
  return {solver.eigenvectors().rightCols(kept), ascending.tail(kept)};
}

}  // namespace

VaryingFeatures varying_features(const LinearFeatures& features, const Examples& examples,
                                 const LearnedRows& rows) {
  VectorXd means = VectorXd::Zero(static_cast<Index>(features.size()));
  VectorXd squares = means;
  visit_features(features, examples, rows, [&](Index row, Index feature, double value) {
    means[feature] += rows.shares[row] * value;
    squares[feature] += rows.shares[row] * value * value;
  });
  VaryingFeatures varying;
  std::vector<double> kept;
  for (Index feature = 0; feature < means.size(); ++feature) {
    const double square = means[feature] * means[feature];
    if (!(squares[feature] - square > kConstant * std::max(1.0, square))) continue;
    varying.features.push_back(static_cast<std::size_t>(feature));
    kept.push_back(means[feature]);
  }
  varying.means = Eigen::Map<const VectorXd>(kept.data(), static_cast<Index>(kept.size()));
  return varying;
}

FeatureBasis make_feature_basis(const LinearFeatures& features, const Examples& examples,
                                const LearnedRows& rows) {
  fix_blocks();
  FeatureBasis basis{.varying = varying_features(features, examples, rows),
                     .directions = {},
                     .spreads = {},
                     .scores = {}};
  MatrixXd x = centred_features(features, examples, rows, basis.varying);
  const VectorXd roots = rows.shares.cwiseSqrt();
  x.array().colwise() *= roots.array();
  const bool by_features = x.cols() <= x.rows();
  MatrixXd gram = MatrixXd::Zero(std::min(x.rows(), x.cols()), std::min(x.rows(), x.cols()));
  if (by_features) {
    gram.selfadjointView<Eigen::Lower>().rankUpdate(x.transpose());
  } else {
    gram.selfadjointView<Eigen::Lower>().rankUpdate(x);
  }
  Directions found = directions_of(gram);
  basis.spreads = std::move(found.spreads);
  if (by_features) {
    basis.directions = std::move(found.vectors);
    basis.scores.noalias() = x * basis.directions;
  } else {
    const VectorXd lengths = basis.spreads.cwiseSqrt();
    basis.directions.noalias() =
        x.transpose() * (found.vectors * lengths.cwiseInverse().asDiagonal());
    basis.scores = found.vectors * lengths.asDiagonal();
  }
  basis.scores.array().colwise() /= roots.array();
  return basis;
}

double basis_work(std::size_t num_rows, std::size_t num_features) {
  const auto rows = static_cast<double>(num_rows), columns = static_cast<double>(num_features);
  const double fewer = std::min(rows, columns);
  return rows * columns * fewer + 10 * fewer * fewer * fewer;  // Gram matrix, eigenvectors
}

LinearPart part_in_basis(std::shared_ptr<const LinearFeatures> features, const FeatureBasis& basis,
                         const MatrixXd& weights) {
  const Index num_outputs = weights.cols();
  const MatrixXd of_features = basis.directions * weights.topRows(basis.size());
  std::vector<float> rounded(features->size() * static_cast<std::size_t>(num_outputs));
  std::vector<float> biases;
  for (Index output = 0; output < num_outputs; ++output) {
    double bias = weights(basis.size(), output);
    for (std::size_t i = 0; i < basis.varying.features.size(); ++i) {
      const auto row = static_cast<Index>(i);
      float& weight = rounded[basis.varying.features[i] * static_cast<std::size_t>(num_outputs) +
                              static_cast<std::size_t>(output)];
      weight = static_cast<float>(of_features(row, output));
      bias -= static_cast<double>(weight) * basis.varying.means[row];
    }
    biases.push_back(static_cast<float>(bias));
  }
  return {std::move(features), std::move(rounded), std::move(biases)};
}

}  // namespace softwood
