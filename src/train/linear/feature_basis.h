#pragma once

#include <vector>

#include <Eigen/Core>

#include "linear/linear_part.h"
#include "train/linear/learned_rows.h"

namespace softwood {

/// Features that vary over some rows, with their means there.
struct VaryingFeatures {
  std::vector<std::size_t> features;  ///< places among the LinearFeatures, ascending
  Eigen::VectorXd means;
};

VaryingFeatures varying_features(const LinearFeatures& features, const Examples& examples,
                                 const LearnedRows& rows);

/// The rows' features, centred, in the directions of their Gram matrix's eigenvectors:
///   Σ share · x xᵀ = V Λ Vᵀ, scores Z = X V, so that Σ share · z zᵀ = Λ.
/// Ridge penalties are the same there as on the features themselves, and squared error has a
/// diagonal second derivative.
struct FeatureBasis {
  VaryingFeatures varying;
  Eigen::MatrixXd directions;  ///< V [varying features × directions]
  Eigen::VectorXd spreads;     ///< Λ, above rounding errors of the largest
  Eigen::MatrixXd scores;      ///< Z [rows × directions]

  Eigen::Index num_rows() const { return scores.rows(); }
  Eigen::Index size() const { return scores.cols(); }
};

/// By the Gram matrix of the features or, if those are more, of the rows.
FeatureBasis make_feature_basis(const LinearFeatures& features, const Examples& examples,
                                const LearnedRows& rows);

/// Multiply-adds that this takes, about.
double basis_work(std::size_t num_rows, std::size_t num_features);

/// The function with these weights: [directions, then the bias, × outputs].
LinearPart part_in_basis(std::shared_ptr<const LinearFeatures> features, const FeatureBasis& basis,
                         const Eigen::MatrixXd& weights);

}  // namespace softwood
