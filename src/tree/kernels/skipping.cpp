#include "tree/kernels/skipping.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tree/kernels/skipping.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "tree/kernels/skipping_backward-inl.h"
#include "tree/kernels/skipping_forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

void skipping_forward_kernel(const Work& work) {
  SkippingForward(work).run();
}

void skipping_backward_kernel(const Work& work, float* gradients) {
  SkippingBackward(work, gradients).run();
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(skipping_forward_kernel);
HWY_EXPORT(skipping_backward_kernel);

}  // namespace

void forward_skipping(const Work& work, MatrixView<float> out) {
  assert(work.batch.by_row());
  HWY_DYNAMIC_DISPATCH(skipping_forward_kernel)(work);
  for (std::size_t k = 0; k < out.rows; ++k) {
    const float* const from = work.memory.outputs.data() + k;
    for (std::size_t row = 0; row < out.cols; ++row) out(k, row) = from[row * out.rows];
  }
}

void backward_skipping(const Work& work, MatrixView<const float> output_gradients,
                       float* gradients) {
  for (std::size_t k = 0; k < output_gradients.rows; ++k) {
    float* const to = work.memory.outputs.data() + k;
    for (std::size_t row = 0; row < work.num_rows(); ++row) {
      to[row * output_gradients.rows] = output_gradients(k, row);
    }
  }
  std::fill_n(gradients + work.layout.leaves, work.layout.leaves_size, 0.0F);
  HWY_DYNAMIC_DISPATCH(skipping_backward_kernel)(work, gradients);
}

}  // namespace softwood
#endif
