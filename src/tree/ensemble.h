#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_vector.h"
#include "tree/subtree_blocks.h"

namespace softwood {

/// S(z), the probability of going left.
enum class Activation {
  logistic,     ///< 1 / (1 + exp(−z))
  smooth_step,  ///< 0 below −γ/2, 1 above γ/2, else −2z³/γ³ + 3z/(2γ) + 1/2
};

inline constexpr int kMaxDepth = 12;
/// Trees of a smooth step that are at least so deep are walked by the rows that reach them only: of
/// shallower ones too little can be skipped to be worth it.
inline constexpr int kSkippingDepth = 8;
/// Nodes of a bundle come in blocks of this many lanes, whatever the machine's vectors are, so that
/// files and bits have one layout.
inline constexpr std::size_t kLanes = 16;

/// How a split's function of one column is made from its parameters. With features h_i,
///   φ(knot j) = Σ_i θ_i (h_i(j) − mean_i),
/// linear between neighbouring knots. There are as many parameters as knots.
struct ColumnBasis {
  enum class Kind {
    /// Knots: edges 0 … T, then missing (T + 1). Parameter 0: slope, h = slope[j] at edge j, 0 at
    /// missing.
    /// Parameter i in 1 … T: the increment over bin i, h = 1 at edges j ≥ i, else 0; at missing
    /// mean_i,
    /// so that a missing cell takes no part. Parameter T + 1: missing, h = 1 at the missing knot,
    /// else 0.
    curve,
    /// Knots are levels: h_i(j) = 1 if i = j, else 0.
    levels,
    /// No knots, one parameter: φ(x) = θ · x.
    linear,
  };
  Kind kind = Kind::curve;
  /// Which row of the positions it reads; none: that of its own place among the columns.
  std::optional<std::uint32_t> source{};
  /// curve: the position on this scale of every knot of the stored one, ascending; positions
  /// between two knots go between. Empty: the stored scale is this one.
  std::vector<float> scale{};
  std::size_t num_knots = 0;   ///< T + 2, number of levels, or 0; at least 2 unless linear
  std::vector<float> slope{};  ///< curve: T + 1 values, already centred (their mean counts as 0)
  std::vector<float>
      mean{};  ///< per parameter, of its feature over the training rows; 0 for the slope

  /// A stored position on this scale. A NaN gives NaN, never a wrong read.
  template <class T>
  T position(T stored) const {
    if (scale.empty()) return stored;
    const std::size_t knot = stored_knot(stored);
    const T fraction = stored - static_cast<T>(knot);
    const T from = scale[knot], to = scale[knot + 1];
    return from + fraction * (to - from);
  }
  /// How far a step along the stored scale goes on this one: the derivative of position().
  template <class T>
  T stretch(T stored) const {
    if (scale.empty()) return 1;
    const std::size_t knot = stored_knot(stored);
    return static_cast<T>(scale[knot + 1]) - static_cast<T>(scale[knot]);
  }
  /// Parameters per split node.
  std::size_t num_parameters() const { return kind == Kind::linear ? 1 : num_knots; }

 private:
  /// The knot of the stored scale before a position.
  template <class T>
  std::size_t stored_knot(T stored) const {
    const auto last = static_cast<T>(scale.size() - 2);
    return static_cast<std::size_t>(std::max(stored < last ? stored : last, T{0}));
  }
};

/// Trees that see the same columns and feed the same outputs; the unit of work of one thread.
struct Bundle {
  std::vector<std::uint32_t> columns;  ///< indices into EnsembleShape::columns, ascending
  std::size_t num_trees = 0;
  std::size_t first_output = 0;  ///< its leaves feed outputs first_output … + num_outputs − 1:
  std::size_t num_outputs = 0;   ///< all of them, or those of one task that has splits of its own
};

/// Where one of a bundle's columns stands.
struct ColumnPlace {
  std::uint32_t column = 0;     ///< index into EnsembleShape::columns
  std::uint32_t offset = 0;     ///< of its first parameter inside a block, in floats
  std::uint32_t num_knots = 0;  ///< 0 for a linear column
};

/// Where a bundle's numbers stand in the flat buffers of an ensemble (offsets in floats, all
/// multiples of kLanes). Node n = tree · I + i, i in breadth-first order (children of i: 2i + 1
/// left, 2i + 2 right), stands in lane slot(n) % kLanes of block slot(n) / kLanes.
struct BundleLayout {
  std::size_t num_nodes = 0;        ///< num_trees · (2^depth − 1)
  std::size_t num_blocks = 0;       ///< of kLanes slots; those without a node hold zeros
  std::size_t splits_per_tree = 0;  ///< I
  std::size_t blocks_per_tree = 0;  ///< if the blocks are subtrees; else trees share blocks
  int depth = 0;
  std::size_t block_stride = 0;            ///< floats of one block's columns
  std::vector<std::size_t> column_offset;  ///< of each of the bundle's columns inside a block
  std::vector<ColumnPlace> knot_columns, linear_columns;  ///< the same columns, by kernel
  std::size_t weights = 0;  ///< [block][column][parameter or knot][kLanes]
  std::size_t biases = 0;   ///< [block][kLanes]
  std::size_t leaves = 0;   ///< [tree][leaf][output], padded at the end
  std::size_t weights_size = 0, biases_size = 0, leaves_size = 0;

  /// Node after node; trees that rows may skip parts of: each block a subtree (SubtreeBlocks).
  std::size_t slot(std::size_t node) const {
    if (blocks_per_tree == 0) return node;
    return node / splits_per_tree * blocks_per_tree * kLanes +
           SubtreeBlocks(depth).slot(node % splits_per_tree);
  }

  /// The bundle's weights, biases and leaves lie side by side: floats [begin(), end()) of a buffer.
  std::size_t begin() const { return weights; }
  std::size_t end() const { return leaves + leaves_size; }
};

struct EnsembleShape {
  int depth = 3;
  Activation activation = Activation::logistic;
  float gamma = 1;  ///< smooth_step only
  std::size_t num_outputs = 1;
  std::vector<ColumnBasis> columns{};
  std::vector<Bundle> bundles{};

  /// Whether rows pass only through the subtrees that they reach with a probability above zero.
  bool skips() const { return activation == Activation::smooth_step && depth >= kSkippingDepth; }
  std::size_t num_splits_per_tree() const { return (std::size_t{1} << depth) - 1; }
  std::size_t num_leaves_per_tree() const { return std::size_t{1} << depth; }
  std::size_t num_trees() const;
  /// The row of the positions that a column reads.
  std::size_t source_of(std::size_t column) const {
    return columns[column].source.value_or(static_cast<std::uint32_t>(column));
  }
  /// The columns that some bundle reads, ascending.
  std::vector<std::size_t> columns_in_use() const;
};

/// One float buffer with a layout: parameters, knot values, gradients, moments and averages all
/// have the same shape, so a piece of one lies where the same piece of another lies.
class Ensemble {
 public:
  explicit Ensemble(EnsembleShape shape);

  const EnsembleShape& shape() const { return shape_; }
  const BundleLayout& layout(std::size_t bundle) const { return layouts_[bundle]; }
  /// Floats in a buffer of this ensemble.
  std::size_t buffer_size() const { return buffer_size_; }
  AlignedVector<float> make_buffer() const { return AlignedVector<float>(buffer_size_, 0.0F); }

 private:
  EnsembleShape shape_;
  std::vector<BundleLayout> layouts_;
  std::size_t buffer_size_ = 0;
};

/// Nodes of a bundle in the kernels' layout: whole blocks of kLanes.
std::size_t num_padded_nodes(const EnsembleShape& shape, const Bundle& bundle);

/// Multiplies what all trees' leaves add to outputs first … first + count − 1 by `factor`.
void scale_leaves(const Ensemble& ensemble, std::size_t first, std::size_t count, double factor,
                  std::span<float> values);

/// How many narrow trees should share one column list: as many as fill one vector of nodes (five of
/// depth 2, two of depth 3), one for deeper trees, which fill vectors by themselves.
std::size_t narrow_trees_per_bundle(int depth);

/// Deals `num_trees` trees over the same columns into bundles of 16 (whole vectors of nodes), or of
/// as many as have about 256 nodes together, so that a bundle's work fits the cache. Where it costs
/// little padding, into four or two equal rows of such bundles, each with a rest: two threads, and
/// four, then have equal shares.
std::vector<Bundle> make_bundles(std::size_t num_trees, int depth,
                                 const std::vector<std::uint32_t>& columns,
                                 std::size_t first_output, std::size_t num_outputs);

}  // namespace softwood
