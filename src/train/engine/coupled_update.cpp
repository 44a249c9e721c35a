#include "train/engine/coupled_update.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "train/engine/coupling.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "train/engine/coupled_update.cpp"
// Highway wants this order.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include <hwy/cache_control.h>

#include "train/engine/adam-inl.h"
#include "train/engine/coupling-inl.h"
#include "tree/kernels/column_curves-inl.h"

#ifndef SOFTWOOD_TRAIN_COUPLED_WORK
#define SOFTWOOD_TRAIN_COUPLED_WORK
namespace softwood {

/// The arguments of update_coupled().
struct CoupledWork {
  const AdamStep& step;
  const EnsembleShape& shape;
  const Bundle& bundle;
  const BundleLayout& layout;
  const CoupledWeights& weights;
  const StepBuffers& buffers;

  bool averages() const { return step.average_weight != 0; }
};

/// Some columns of one block of nodes, side by side in the buffers.
struct CoupledPiece {
  std::size_t first_column = 0, last_column = 0;  // of the bundle's
  std::size_t begin = 0, size = 0;                // floats from where a task's weights begin
};

}  // namespace softwood
#endif

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

/// Calls use(basis, place) for each column and vector of nodes.
template <class Use>
HWY_INLINE void for_columns(const CoupledWork& work, const CoupledPiece& piece, const Use& use) {
  const std::vector<std::size_t>& offsets = work.layout.column_offset;
  for (std::size_t index = piece.first_column; index < piece.last_column; ++index) {
    const ColumnBasis& basis = work.shape.columns[work.bundle.columns[index]];
    const std::size_t at = piece.begin + offsets[index] - offsets[piece.first_column];
    for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) use(basis, at + lane);
  }
}

HWY_NOINLINE void find_gradients(const CoupledWork& work, const CoupledPiece& piece,
                                 std::size_t task) {
  float* const gradients = work.buffers.gradients + task;
  for_columns(work, piece, [&](const ColumnBasis& basis, std::size_t at) HWY_ATTR {
    gradients_of_column(basis, gradients + at);
  });
}

/// Adam's step. What it divides by is left in the place of the gradients. Meanwhile the next piece
/// is asked for: pieces are short, and the machine by itself sees no streams in them.
HWY_NOINLINE void descend(const CoupledWork& work, const CoupledPiece& piece, std::size_t task) {
  const AdamVectors<Floats> adam(work.step);
  const std::size_t begin = task + piece.begin, size = piece.size;
  float* const gradients = work.buffers.gradients + begin;
  float* const parameters = work.buffers.parameters + begin;
  float* const first = work.buffers.first_moments + begin;
  float* const second = work.buffers.second_moments + begin;
  const float* const averages = work.buffers.averages + begin;
  const float* const values = work.buffers.values + begin;
  const bool takes_average = work.averages();
  for (std::size_t i = 0; i < size; i += kVectorSize) {
    hwy::Prefetch(gradients + size + i);
    hwy::Prefetch(parameters + size + i);
    hwy::Prefetch(first + size + i);
    hwy::Prefetch(second + size + i);
    hwy::Prefetch(values + size + i);
    if (takes_average) hwy::Prefetch(averages + size + i);
    store(adam.move(load(gradients + i), parameters + i, first + i, second + i).size,
          gradients + i);
  }
}

/// After descend() of all tasks.
HWY_NOINLINE void pull_together(const CoupledWork& work, const CoupledPiece& piece,
                                const float* strengths) {
  const Vector factor = broadcast(pull_of_strength(work.step, work.weights.offsets.size()));
  for (std::size_t lane = 0; lane < kLanes; lane += kVectorSize) {
    const Vector pull = hn::Mul(load(strengths + lane), factor);
    for (std::size_t i = piece.begin + lane; i < piece.begin + piece.size; i += kLanes) {
      couple_vector(Floats(), pull, work.weights.offsets, work.buffers.parameters + i,
                    [sizes = work.buffers.gradients + i](std::size_t offset)
                        HWY_ATTR { return load(sizes + offset); });
    }
  }
}

HWY_NOINLINE void take_average(const CoupledWork& work, const CoupledPiece& piece,
                               std::size_t task) {
  const AdamVectors<Floats> adam(work.step);
  const std::size_t begin = task + piece.begin, size = piece.size;
  const float* const parameters = work.buffers.parameters + begin;
  float* const averages = work.buffers.averages + begin;
  for (std::size_t i = 0; i < size; i += kVectorSize)
    adam.average(load(parameters + i), averages + i);
}

HWY_NOINLINE void find_values(const CoupledWork& work, const CoupledPiece& piece,
                              std::size_t task) {
  const float* const parameters = work.buffers.parameters + task;
  float* const values = work.buffers.values + task;
  for_columns(work, piece, [&](const ColumnBasis& basis, std::size_t at) HWY_ATTR {
    values_of_column(basis, parameters + at, values + at);
  });
}

void update_piece(const CoupledWork& work, const CoupledPiece& piece, const float* strengths) {
  for (const std::size_t task : work.weights.offsets) {
    if (work.weights.gradients_of_values) find_gradients(work, piece, task);
    descend(work, piece, task);
  }
  pull_together(work, piece, strengths);
  for (const std::size_t task : work.weights.offsets) {
    if (work.averages()) take_average(work, piece, task);
    find_values(work, piece, task);
  }
}

/// Floats of a piece of one task: the pieces of all tasks in all buffers, and the next ones, fit
/// the second cache together.
HWY_INLINE std::size_t most_of_a_piece(std::size_t num_tasks) {
  return std::max<std::size_t>(512, (std::size_t{1} << 14) / num_tasks);
}

/// A block at a time, so many columns as fit a piece, at least one.
void update_coupled_kernel(const CoupledWork& work) {
  const std::vector<std::size_t>& offsets = work.layout.column_offset;
  const std::size_t stride = work.layout.block_stride;
  const std::size_t most = most_of_a_piece(work.weights.offsets.size());
  const auto end_of = [&](std::size_t column) {
    return column + 1 < offsets.size() ? offsets[column + 1] : stride;
  };
  for (std::size_t block = 0; block < work.layout.num_blocks; ++block) {
    const float* const strengths = work.weights.strengths.data() + block * kLanes;
    for (std::size_t first = 0, last = 0; first < offsets.size(); first = last) {
      for (last = first + 1; last < offsets.size() && end_of(last) - offsets[first] <= most;)
        ++last;
      update_piece(
          work, {first, last, block * stride + offsets[first], end_of(last - 1) - offsets[first]},
          strengths);
    }
  }
}

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace softwood {
namespace {

HWY_EXPORT(update_coupled_kernel);

}  // namespace

void update_coupled(const AdamStep& step, const EnsembleShape& shape, const Bundle& bundle,
                    const BundleLayout& layout, const CoupledWeights& weights,
                    const StepBuffers& buffers) {
  assert(weights.strengths.size() == layout.num_blocks * kLanes);
  HWY_DYNAMIC_DISPATCH(update_coupled_kernel)({step, shape, bundle, layout, weights, buffers});
}

}  // namespace softwood
#endif
