#include "tree/kernels/kernels.h"

#include <algorithm>
#include <cassert>

#include "tree/kernels/kernel_work.h"
#include "tree/kernels/skipping.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/kernels/kernels.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "tree/kernels/backward-inl.h"
#include "tree/kernels/forward-inl.h"
#include "tree/kernels/row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Calls run<depth>(activation) with what the shape says, which does not skip.
template <int kDepth = 1, class Run>
void with_shape(const EnsembleShape& shape, const Run& run) {
  if constexpr (kDepth < kMaxDepth) {
    if (shape.depth != kDepth) return with_shape<kDepth + 1>(shape, run);
  }
  if constexpr (kDepth < kSkippingDepth) {
    if (shape.activation == Activation::smooth_step)
      return run.template operator()<kDepth>(SmoothStep(shape.gamma));
  }
  run.template operator()<kDepth>(Logistic(shape.gamma));
}

void forward_kernel(const Work& work) {
  with_shape(work.shape, [&]<int kDepth>(const auto& activation) HWY_ATTR {
    if (work.num_rows() == 1 && !work.keep) {
      forward_row<kDepth>(work, activation);
    } else {
      forward_bundle<kDepth>(work, activation);
    }
  });
}

void backward_kernel(const Work& work, float* gradients) {
  float* leaf_gradients = gradients + work.layout.leaves;
  std::fill_n(leaf_gradients, work.layout.leaves_size, 0.0F);
  with_shape(work.shape, [&]<int kDepth>(const auto& activation) HWY_ATTR {
    backward_trees<kDepth>(work, activation, leaf_gradients);
  });
  backward_blocks(work, gradients);
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(forward_kernel);
HWY_EXPORT(backward_kernel);

}  // namespace

void forward(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
             const Batch& batch, BundleMemory& memory, MatrixView<float> out) {
  const Work work = work_of(ensemble, bundle, values, batch, memory);
  assert(out.rows == work.bundle.num_outputs && out.cols == batch.num_rows());
  if (work.shape.skips()) return forward_skipping(work, out);
  HWY_DYNAMIC_DISPATCH(forward_kernel)(work);
  for (std::size_t k = 0; k < out.rows; ++k) {
    std::copy_n(memory.outputs.data() + k * work.row_stride(), out.cols, out.row(k).data());
  }
}

void backward(const Ensemble& ensemble, std::size_t bundle, std::span<const float> values,
              const Batch& batch, BundleMemory& memory, MatrixView<const float> output_gradients,
              std::span<float> gradients) {
  assert(memory.keeps());
  const Work work = work_of(ensemble, bundle, values, batch, memory);
  assert(gradients.size() == ensemble.buffer_size());
  assert(output_gradients.rows == work.bundle.num_outputs);
  assert(output_gradients.cols == batch.num_rows());
  if (work.shape.skips()) return backward_skipping(work, output_gradients, gradients.data());
  for (std::size_t k = 0; k < output_gradients.rows; ++k) {
    float* padded = memory.outputs.data() + k * work.row_stride();
    std::copy_n(output_gradients.row(k).data(), batch.num_rows(), padded);
    std::fill(padded + batch.num_rows(), padded + work.num_tiles() * kLanes, 0.0F);
  }
  HWY_DYNAMIC_DISPATCH(backward_kernel)(work, gradients.data());
}

}  // namespace softwood
#endif
