#include "tree/kernels/curves.h"

#include <algorithm>
#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/kernels/curves.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "tree/kernels/column_curves-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

void values_of_block(const EnsembleShape& shape, const BundleLayout& layout, const float* theta,
                     float* values) {
  for (const ColumnPlace& place : layout.knot_columns) {
    for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
      const std::size_t at = place.offset + lane;
      values_of_column(shape.columns[place.column], theta + at, values + at);
    }
  }
  for (const ColumnPlace& place : layout.linear_columns) {
    std::copy_n(theta + place.offset, kLanes, values + place.offset);
  }
}

void gradients_of_block(const EnsembleShape& shape, const BundleLayout& layout, float* gradients) {
  for (const ColumnPlace& place : layout.knot_columns) {
    for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
      gradients_of_column(shape.columns[place.column], gradients + place.offset + lane);
    }
  }
}

void values_of_bundle(const EnsembleShape& shape, const BundleLayout& layout, const float* theta,
                      float* values) {
  for (std::size_t block = 0; block < layout.num_blocks; ++block) {
    const std::size_t at = layout.weights + block * layout.block_stride;
    values_of_block(shape, layout, theta + at, values + at);
  }
}

void gradients_of_bundle(const EnsembleShape& shape, const BundleLayout& layout, float* gradients) {
  for (std::size_t block = 0; block < layout.num_blocks; ++block) {
    gradients_of_block(shape, layout, gradients + layout.weights + block * layout.block_stride);
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(values_of_bundle);
HWY_EXPORT(gradients_of_bundle);

}  // namespace

void curves_from_parameters(const Ensemble& ensemble, std::size_t bundle,
                            std::span<const float> parameters, std::span<float> values) {
  assert(parameters.size() == ensemble.buffer_size() && values.size() == ensemble.buffer_size());
  assert(parameters.data() != values.data());
  const BundleLayout& layout = ensemble.layout(bundle);
  HWY_DYNAMIC_DISPATCH(values_of_bundle)
  (ensemble.shape(), layout, parameters.data(), values.data());
  std::copy(parameters.begin() + layout.biases, parameters.begin() + layout.end(),
            values.begin() + layout.biases);
}

void gradients_of_parameters(const Ensemble& ensemble, std::size_t bundle,
                             std::span<float> gradients) {
  assert(gradients.size() == ensemble.buffer_size());
  HWY_DYNAMIC_DISPATCH(gradients_of_bundle)
  (ensemble.shape(), ensemble.layout(bundle), gradients.data());
}

}  // namespace softwood
#endif
