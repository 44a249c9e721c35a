#include "train/thin/member_thinning.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/file/half.h"
#include "train/thin/curve_thinning.h"
#include "tree/plain_tensors.h"

namespace softwood {
namespace {

/// Scores that move by this much are another split, however little its leaves differ.
constexpr double kMostScoreError = 1;

/// Per split of a tree, how much its output changes where the split's score does: half of the
/// difference of what is below (root of the sum of squares over the outputs), by the root of the
/// share of rows that come there if all splits are even.
std::vector<double> importances(std::span<const float> leaves, std::size_t num_leaves,
                                std::size_t num_outputs) {
  const std::size_t num_splits = num_leaves - 1;
  std::vector<double> importance(num_splits, 0.0), mean(num_splits + num_leaves);
  for (std::size_t output = 0; output < num_outputs; ++output) {
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf)
      mean[num_splits + leaf] = leaves[leaf * num_outputs + output];
    for (std::size_t split = num_splits; split-- > 0;) {
      const double left = mean[2 * split + 1], right = mean[2 * split + 2];
      mean[split] = (left + right) / 2;
      importance[split] += (left - right) * (left - right) / 4;
    }
  }
  for (std::size_t split = 0; split < num_splits; ++split) {
    const auto depth = static_cast<double>(std::bit_width(split + 1) - 1);
    importance[split] = std::sqrt(importance[split] * std::pow(0.5, depth));
  }
  return importance;
}

/// One column's numbers of one split.
struct CurvePlace {
  std::span<const double> places, weights;  // places: empty unless it has edges
  std::size_t begin = 0, num_edges = 0, end = 0;
};

std::vector<CurvePlace> curve_places(const EnsembleShape& shape, const Bundle& bundle,
                                     const KnotPlaces& places, const KnotWeights& weights) {
  std::vector<CurvePlace> list;
  std::size_t begin = 0;
  for (const std::uint32_t column : bundle.columns) {
    const std::size_t end = begin + shape.columns[column].num_parameters();
    list.push_back({places[column], weights[column], begin, places[column].size(), end});
    begin = end;
  }
  return list;
}

/// Keeps what cannot be left out of one column of one split, and puts the values there that fit.
class ColumnThinning {
 public:
  ColumnThinning(const CurvePlace& curve, double most_error, std::span<float> numbers,
                 KeptKnots& kept, std::size_t first)
      : curve_(curve), most_error_(most_error), numbers_(numbers), kept_(kept), first_(first) {}

  void run(const CurveThinning* thinning) {
    if (thinning != nullptr) {
      thin_edges(*thinning);
      keep_others(curve_.num_edges);
    } else if (curve_.weights.empty()) {
      keep(curve_.begin, numbers_[curve_.begin]);  // linear
    } else {
      keep_others(0);
    }
  }

 private:
  void keep(std::size_t at, double value) {
    constexpr double kLargest = 65504;  // of 16 bits
    numbers_[at] = rounded_to_half(static_cast<float>(std::clamp(value, -kLargest, kLargest)));
    kept_.keep(first_ + at);
  }

  void thin_edges(const CurveThinning& thinning) {
    const std::span<float> values = numbers_.subspan(curve_.begin, curve_.num_edges);
    // Nothing at all, where that is near enough.
    double squares = 0;
    for (std::size_t edge = 0; edge < curve_.num_edges; ++edge)
      squares += curve_.weights[edge] * values[edge] * values[edge];
    if (squares <= most_error_) return;
    std::vector<bool> stays(curve_.num_edges, true);
    const std::size_t gone = thinning.count(most_error_);
    for (std::size_t i = 0; i < gone; ++i) stays[thinning.order[i]] = false;
    std::vector<std::size_t> kept;
    for (std::size_t edge = 0; edge < curve_.num_edges; ++edge) {
      if (stays[edge]) kept.push_back(edge);
    }
    const std::vector<double> fitted =
        fitted_values(curve_.places, curve_.weights.first(curve_.num_edges), values, kept);
    for (std::size_t i = 0; i < kept.size(); ++i) keep(curve_.begin + kept[i], fitted[i]);
  }

  /// Levels, and missing: the least of them are 0 as long as all of these together are near enough.
  void keep_others(std::size_t first) {
    std::vector<std::pair<double, std::size_t>> costs;
    for (std::size_t at = curve_.begin + first; at < curve_.end; ++at) {
      const double value = numbers_[at];
      costs.emplace_back(curve_.weights[at - curve_.begin] * value * value, at);
    }
    std::ranges::sort(costs);
    double total = 0;
    for (const auto& [cost, at] : costs) {
      total += cost;
      if (total > most_error_) keep(at, numbers_[at]);
    }
  }

  const CurvePlace& curve_;
  double most_error_;
  std::span<float> numbers_;
  KeptKnots& kept_;
  std::size_t first_;
};

}  // namespace

struct MemberThinning::BundleThinning {
  PlainNumbers<float> numbers;
  std::vector<CurvePlace> curves;
  std::vector<CurveThinning> thinnings;  // [tree][split][column with edges]
  std::size_t per_split = 0;             // numbers
};

MemberThinning::MemberThinning(const Member& member, const KnotPlaces& places,
                               const KnotWeights& weights, ThreadTeam& team)
    : member_(member), places_(places), weights_(weights) {
  const Ensemble& ensemble = member.ensemble;
  const EnsembleShape& shape = ensemble.shape();
  for (std::size_t bundle = 0; bundle < shape.bundles.size(); ++bundle)
    bundles_.push_back({PlainNumbers<float>(plain_sizes(ensemble, bundle)), {}, {}, 0});
  team.for_each(bundles_.size(), [&](std::size_t index) {
    BundleThinning& bundle = bundles_[index];
    plain_from_values<float>(ensemble, index, member.values, bundle.numbers.view());
    bundle.curves = curve_places(shape, shape.bundles[index], places, weights);
    bundle.per_split = bundle.curves.back().end;
    for (std::size_t at = 0; at < bundle.numbers.curves.size(); at += bundle.per_split) {
      for (const CurvePlace& curve : bundle.curves) {
        if (curve.num_edges == 0) continue;
        bundle.thinnings.push_back(thin_curve(
            curve.places, curve.weights.first(curve.num_edges),
            std::span(bundle.numbers.curves).subspan(at + curve.begin, curve.num_edges)));
      }
    }
  });
}

MemberThinning::~MemberThinning() = default;
MemberThinning::MemberThinning(MemberThinning&&) noexcept = default;

MemberThinning::Result MemberThinning::at(double tolerance, ThreadTeam& team) const {
  const Ensemble& ensemble = member_.ensemble;
  const EnsembleShape& shape = ensemble.shape();
  const std::size_t num_splits = shape.num_splits_per_tree();
  const std::size_t num_leaves = shape.num_leaves_per_tree();
  Result result{ensemble.make_buffer(), {}};
  std::vector<KeptKnots> kept(bundles_.size());
  team.for_each(bundles_.size(), [&](std::size_t index) {
    const BundleThinning& bundle = bundles_[index];
    const Bundle& trees = shape.bundles[index];
    std::vector<float> numbers = bundle.numbers.curves;
    kept[index] = KeptKnots(numbers.size());
    const CurveThinning* thinning = bundle.thinnings.data();
    for (std::size_t tree = 0; tree < trees.num_trees; ++tree) {
      const std::size_t per_tree = num_leaves * trees.num_outputs;
      const std::vector<double> importance =
          importances(std::span(bundle.numbers.leaves).subspan(tree * per_tree, per_tree),
                      num_leaves, trees.num_outputs);
      for (std::size_t split = 0; split < num_splits; ++split) {
        const double most =
            std::min(kMostScoreError, tolerance / std::max(importance[split], 1e-30));
        const double most_error = most * most / static_cast<double>(bundle.curves.size());
        const std::size_t first = (tree * num_splits + split) * bundle.per_split;
        const std::span<float> own = std::span(numbers).subspan(first, bundle.per_split);
        for (const CurvePlace& curve : bundle.curves) {
          ColumnThinning(curve, most_error, own, kept[index], first)
              .run(curve.num_edges > 0 ? thinning++ : nullptr);
        }
        fill_in(shape, trees, places_, kept[index], first, own);
      }
    }
    values_from_plain<float>(
        ensemble, index,
        {.curves = numbers, .biases = bundle.numbers.biases, .leaves = bundle.numbers.leaves},
        result.values);
  });
  for (const KeptKnots& part : kept) result.kept.append(part);
  return result;
}

bool can_be_thinned(const Member& member) {
  constexpr float kLargest = 60000;  // 16 bits hold up to 65,504; fitted values may go beyond
  return std::ranges::all_of(member.values,
                             [](float value) { return std::abs(value) < kLargest; }) &&
         !member.ensemble.shape().bundles.empty();
}

}  // namespace softwood
