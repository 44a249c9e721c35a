// The backward pass of one bundle whose rows skip what they do not reach: over the visits of the
// forward pass, children before their parents. What no row has visited gets no gradient.
#if defined(SOFTWOOD_TREE_SKIPPING_BACKWARD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOFTWOOD_TREE_SKIPPING_BACKWARD_INL_H
#undef SOFTWOOD_TREE_SKIPPING_BACKWARD_INL_H
#else
#define SOFTWOOD_TREE_SKIPPING_BACKWARD_INL_H
#endif

#include <algorithm>

#include "tree/kernels/look_up-inl.h"
#include "tree/kernels/skipping_forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace softwood::HWY_NAMESPACE {

HWY_INLINE void add_to(const BlockLanes& value, float* to) {
  HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
    float* const at = to + q * kVectorSize;
    store(hn::Add(value.vectors[q], load(at)), at);
  }
}

/// The leaves of one block below, for one row with ∂loss/∂out in `g` [output].
struct LeavesOfBlock {
  const float* leaves;  // [leaf][output]
  float* gradients;     // the same
  std::size_t num_outputs;

  /// Σ_k o[leaf][k] · g[k]; adds r[leaf] · g[k] to the leaves' gradients.
  HWY_INLINE BlockLanes pass(const BlockLanes& reach, const float* g) const {
    return num_outputs == 1 ? pass_one(reach, *g) : pass_several(reach, g);
  }
  HWY_INLINE BlockLanes pass_one(const BlockLanes& reach, float g) const {
    BlockLanes v;
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
      float* const to = gradients + q * kVectorSize;
      store(hn::MulAdd(reach.vectors[q], broadcast(g), load(to)), to);
      v.vectors[q] = hn::Mul(load(leaves + q * kVectorSize), broadcast(g));
    }
    return v;
  }
  HWY_INLINE BlockLanes pass_several(const BlockLanes& reach, const float* g) const {
    HWY_ALIGN_MAX float r[kLanes];
    HWY_ALIGN_MAX float v[kLanes] = {};
    reach.stored(r);
    SkippingForward::for_each_bit(reach.not_zero(), [&](std::size_t leaf) {
      const float* const o = leaves + leaf * num_outputs;
      float* const to = gradients + leaf * num_outputs;
      for (std::size_t k = 0; k < num_outputs; ++k) {
        to[k] += r[leaf] * g[k];
        v[leaf] += o[k] * g[k];
      }
    });
    return BlockLanes::loaded(v);
  }
};

/// From ∂loss/∂z [visit][kLanes] of one block: the gradients of its columns.
struct ColumnGradients {
  const Work& work;
  const std::uint32_t* rows;
  std::size_t count;
  const float* z_gradients;
  float* weights;  // gradients of the block, zeros before

  /// Row by row, so that nothing that is added to has just been written.
  HWY_NOINLINE void add_look_ups() const {
    for (std::size_t visit = 0; visit < count; ++visit) {
      const BlockLanes g = BlockLanes::loaded(z_gradients + visit * kLanes);
      const std::uint32_t* const offsets = work.batch.row_offsets(rows[visit]);
      const float* const fractions = work.batch.row_fractions(rows[visit]);
      for (const ColumnPlace& place : work.layout.knot_columns) {
        float* const knot = weights + place.offset + offsets[place.column];
        const Vector t = broadcast(fractions[place.column]);
        const Vector rest = hn::Sub(broadcast(1.0F), t);
        HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
          float* const at = knot + q * kVectorSize;
          store(hn::MulAdd(rest, g.vectors[q], load(at)), at);
          store(hn::MulAdd(t, g.vectors[q], load(at + kLanes)), at + kLanes);
        }
      }
    }
  }

  /// The same if many rows are here: every row, sorted by interval (look_up-inl.h), where those
  /// that are not here add zeros. `scratch`: [row][kLanes].
  HWY_NOINLINE void look_up_all_rows(float* scratch) const {
    std::fill_n(scratch, work.num_rows() * kLanes, 0.0F);
    for (std::size_t visit = 0; visit < count; ++visit) {
      BlockLanes::loaded(z_gradients + visit * kLanes).stored(scratch + rows[visit] * kLanes);
    }
    for (const ColumnPlace& place : work.layout.knot_columns) {
      look_up_gradient<1>(place, work.batch, scratch, work.layout.block_stride, weights);
    }
  }

  HWY_NOINLINE void multiply_all() const {
    constexpr std::size_t kTogether = kVectorSize == 16 ? 8 : kVectorSize == 8 ? 4 : 1;
    const std::vector<ColumnPlace>& columns = work.layout.linear_columns;
    std::size_t c = 0;
    for (; c + kTogether <= columns.size(); c += kTogether) {
      if (columns[c + kTogether - 1].column - columns[c].column == kTogether - 1) {
        multiply<kTogether>(&columns[c], [](std::size_t i) { return i; });
      } else {
        multiply<kTogether>(
            &columns[c], [at = &columns[c]](std::size_t i) { return at[i].column - at->column; });
      }
    }
    for (; c < columns.size(); ++c) multiply<1>(&columns[c], [](std::size_t i) { return i; });
  }

  /// Several columns, whose sums stay in registers; `distance(i)`: from the first one to the i-th.
  template <std::size_t kColumns, class Distance>
  HWY_INLINE void multiply(const ColumnPlace* columns, const Distance& distance) const {
    Vector sums[kColumns][kVectors];
    HWY_UNROLL(8) for (std::size_t c = 0; c < kColumns; ++c) {
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) sums[c][q] = zero();
    }
    for (std::size_t visit = 0; visit < count; ++visit) {
      const float* const fractions = work.batch.row_fractions(rows[visit]) + columns->column;
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        const Vector g = in_register(load(z_gradients + visit * kLanes + q * kVectorSize));
        HWY_UNROLL(8) for (std::size_t c = 0; c < kColumns; ++c) {
          sums[c][q] = hn::MulAdd(broadcast(fractions[distance(c)]), g, sums[c][q]);
        }
      }
    }
    HWY_UNROLL(8) for (std::size_t c = 0; c < kColumns; ++c) {
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        store(sums[c][q], weights + columns[c].offset + q * kVectorSize);
      }
    }
  }
};

struct SkippingBackward {
  const Work& work;
  float* gradients;
  SubtreeBlocks blocks;
  SmoothStep activation;

  SkippingBackward(const Work& w, float* to)
      : work(w), gradients(to), blocks(w.shape.depth), activation(w.shape.gamma) {}
  Visits& visits() const { return work.memory.visits; }

  void run() const {
    const BundleLayout& layout = work.layout;
    std::fill_n(gradients + layout.weights, layout.weights_size, 0.0F);
    std::fill_n(gradients + layout.biases, layout.biases_size, 0.0F);
    // Children that were not visited are worth nothing.
    Visits::grow(visits().worth, visits_above_bottom() * kLanes);
    std::fill_n(visits().worth.data(), visits_above_bottom() * kLanes, 0.0F);
    for (std::size_t i = visits().blocks.size(); i-- > 0;) {
      const BlockVisits at = visits().blocks[i];
      with_levels(blocks.levels(at.block), [&]<int kLevels>() HWY_ATTR { ascend<kLevels>(at); });
      const std::size_t block = at.tree * blocks.num_blocks() + at.block;
      const ColumnGradients columns{work, &visits().rows[at.first], at.count,
                                    visits().nodes.data() + at.first * kLanes,
                                    gradients + layout.weights + block * layout.block_stride};
      columns.multiply_all();
      // Adding to memory takes about three times as long as adding up in registers does.
      if (3 * at.count > work.num_rows()) {
        Visits::grow(visits().child_reach, work.num_rows() * kLanes);
        columns.look_up_all_rows(visits().child_reach.data());
      } else {
        columns.add_look_ups();
      }
    }
  }

  /// They come before all others: the forward pass goes level by level.
  std::size_t visits_above_bottom() const {
    const auto bottom =
        std::find_if(visits().blocks.begin(), visits().blocks.end(),
                     [&](const BlockVisits& at) { return at.block >= blocks.first_bottom(); });
    return bottom == visits().blocks.end() ? visits().count : bottom->first;
  }

  LeavesOfBlock leaves_of(const BlockVisits& at) const {
    const std::size_t num_outputs = work.bundle.num_outputs;
    const std::size_t first = (at.block - blocks.first_bottom()) * kLanes * num_outputs;
    return {work.leaves(at.tree) + first, gradients + (work.leaves(at.tree) - work.values) + first,
            num_outputs};
  }

  /// Turns u into ∂loss/∂z, tells the parents what the block is worth, and adds up the biases.
  template <int kLevels>
  HWY_INLINE void ascend(const BlockVisits& at) const {
    const bool is_bottom = at.block >= blocks.first_bottom();
    const std::size_t place = at.block == 0 ? 0 : blocks.place_in_parent(at.block);
    const std::size_t block = at.tree * blocks.num_blocks() + at.block;
    BlockLanes bias;
    HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) bias.vectors[q] = zero();
    for (std::size_t visit = at.first; visit < at.first + at.count; ++visit) {
      float* const nodes = visits().nodes.data() + visit * kLanes;
      const BlockLanes u = BlockLanes::loaded(nodes);
      const BlockAscent<kLevels> ascent(activation, u, visits().reach[visit]);
      BlockLanes v;
      if (is_bottom) {
        v = leaves_of(at).pass(ascent.children(), output_gradients(visits().rows[visit]));
      } else {
        v = BlockLanes::loaded(visits().worth.data() + visit * kLanes);
      }
      const BlockLanes z_gradients = ascent.run(activation, u, v);
      z_gradients.stored(nodes);
      HWY_UNROLL(16) for (std::size_t q = 0; q < kVectors; ++q) {
        bias.vectors[q] = hn::Add(bias.vectors[q], z_gradients.vectors[q]);
      }
      if (at.block != 0) {
        visits().worth[visits().parents[visit] * kLanes + place] = hn::GetLane(v.vectors[0]);
      }
    }
    bias.stored(gradients + work.layout.biases + block * kLanes);
  }

  /// [output] of a row.
  const float* output_gradients(std::size_t row) const {
    return work.memory.outputs.data() + row * work.bundle.num_outputs;
  }
};

}  // namespace softwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
