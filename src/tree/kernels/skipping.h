#pragma once

#include "base/views.h"
#include "tree/kernels/kernel_work.h"

namespace softwood {

/// forward() and backward() of bundles whose shape skips(): rows go block by block (SubtreeBlocks)
/// to the children that they reach, so that the time grows with the blocks visited. A reach of
/// exactly zero adds nothing, so finite values give the outputs that going everywhere would give,
/// to the bit; and the gradients up to rounding, as a block's are added up in another order if few
/// rows visit it.
void forward_skipping(const Work& work, MatrixView<float> out);
void backward_skipping(const Work& work, MatrixView<const float> output_gradients,
                       float* gradients);

}  // namespace softwood
