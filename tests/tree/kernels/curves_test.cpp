#include "tree/kernels/curves.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/simd_target.h"
#include "tree/random_forest.h"

namespace softwood {
namespace {

Ensemble ensemble_of(const std::vector<ColumnBasis>& columns, std::size_t num_trees = 3) {
  return Ensemble({.depth = 3,
                   .num_outputs = 2,
                   .columns = columns,
                   .bundles = make_bundles(num_trees, 3, first_columns(columns.size()), 0, 2)});
}

double dot(const AlignedVector<float>& a, const AlignedVector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

/// ⟨A θ, g⟩ = ⟨θ, Aᵀ g⟩.
void expect_adjoint(const Ensemble& ensemble, std::uint64_t seed) {
  const AlignedVector<float> theta = random_parameters(ensemble, 1, seed);
  AlignedVector<float> g = random_parameters(ensemble, 1, seed + 1);
  const double forward = dot(all_curves(ensemble, theta), g);
  for (std::size_t bundle = 0; bundle < ensemble.shape().bundles.size(); ++bundle) {
    gradients_of_parameters(ensemble, bundle, g);
  }
  EXPECT_NEAR(forward, dot(theta, g), 1e-5 * static_cast<double>(theta.size()));
}

TEST(Curves, and_gradients_are_adjoint_on_every_target) {
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    force_simd_target(target);
    expect_adjoint(ensemble_of(mixed_columns(11), 19), 5);
    expect_adjoint(ensemble_of({curve_basis(128, 0.3)}), 6);
  }
  force_simd_target("");
}

RC_GTEST_PROP(Curves, are_adjoint_for_any_columns, ()) {
  std::vector<ColumnBasis> columns;
  const auto count = *rc::gen::inRange<std::size_t>(1, 6);
  for (std::size_t column = 0; column < count; ++column) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 40);
    const auto kind = *rc::gen::inRange(0, 3);
    columns.push_back(kind == 0   ? curve_basis(size, 0.25)
                      : kind == 1 ? levels_basis(size + 1)
                                  : linear_basis());
  }
  expect_adjoint(ensemble_of(columns), *rc::gen::arbitrary<std::uint32_t>());
}

TEST(Curves, of_one_curve_follow_the_formula) {
  const ColumnBasis basis = curve_basis(2, 0.25);  // knots: edges 0, 1, 2 and missing
  const Ensemble ensemble = ensemble_of({basis});
  AlignedVector<float> theta = ensemble.make_buffer();
  const float slope = 0.5F, first = 2, second = -3, missing = 4;
  theta[0] = slope;
  theta[kLanes] = first;
  theta[2 * kLanes] = second;
  theta[3 * kLanes] = missing;
  const AlignedVector<float> values = all_curves(ensemble, theta);
  const float centre = first * basis.mean[1] + second * basis.mean[2] + missing * basis.mean[3];
  EXPECT_NEAR(values[0], slope * basis.slope[0] - centre, 1e-6);
  EXPECT_NEAR(values[kLanes], slope * basis.slope[1] + first - centre, 1e-6);
  EXPECT_NEAR(values[2 * kLanes], slope * basis.slope[2] + first + second - centre, 1e-6);
  EXPECT_NEAR(values[3 * kLanes], missing * (1 - basis.mean[3]), 1e-6);
}

TEST(Curves, missing_takes_no_part_where_it_was_never_seen) {
  const Ensemble ensemble = ensemble_of({curve_basis(4, 0)});
  AlignedVector<float> theta = random_parameters(ensemble, 1, 3);
  const BundleLayout& layout = ensemble.layout(0);
  const std::size_t missing = 5 * kLanes;
  for (std::size_t block = 0; block < layout.num_blocks; ++block) {
    std::fill_n(theta.begin() + static_cast<std::ptrdiff_t>(block * layout.block_stride + missing),
                kLanes, 0.0F);
  }
  const AlignedVector<float> values = all_curves(ensemble, theta);
  for (std::size_t lane = 0; lane < kLanes; ++lane) EXPECT_EQ(values[missing + lane], 0.0F);
  // And what the other knots ask for does not move it.
  AlignedVector<float> g = random_parameters(ensemble, 1, 4);
  std::fill_n(g.begin() + static_cast<std::ptrdiff_t>(missing), kLanes, 0.0F);
  gradients_of_parameters(ensemble, 0, g);
  for (std::size_t lane = 0; lane < kLanes; ++lane) EXPECT_EQ(g[missing + lane], 0.0F);
}

TEST(Curves, keep_padding_zero_and_copy_biases_and_leaves) {
  const Ensemble ensemble = ensemble_of(mixed_columns(5));
  const AlignedVector<float> theta = random_parameters(ensemble, 1, 3);
  const AlignedVector<float> values = all_curves(ensemble, theta);
  const BundleLayout& layout = ensemble.layout(0);
  for (std::size_t i = layout.biases; i < layout.end(); ++i) EXPECT_EQ(values[i], theta[i]);
  for (std::size_t at = 0; at < layout.weights_size; ++at) {
    const std::size_t node = at / layout.block_stride * kLanes + at % kLanes;
    if (node >= layout.num_nodes) {
      EXPECT_EQ(values[layout.weights + at], 0.0F);
    }
  }
}

}  // namespace
}  // namespace softwood
