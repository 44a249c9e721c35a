#include "loss/constants/constant_start.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "softwood/error.h"

namespace softwood::loss {
namespace {

using Vector = std::vector<double>;

/// Beyond it squares of squares leave the range of doubles.
constexpr double kLarge = 1e75;
/// Logarithms beyond it are a long way for Newton's steps.
constexpr double kFar = 5;
/// Beyond it two outputs may have to move together.
constexpr double kVeryFar = 15;
/// Gradients of this part of the largest are rounding.
constexpr double kVanished = 1e-13;
/// What outputs that are no locations are tried at: first 0, where most losses are at home, then
/// numbers that suit losses which need positive, negative, small or large ones.
constexpr std::array kPlainStarts = {1.0, -1.0, 0.1, 5.0, -5.0};
/// Beside the median, in standard deviations; no round numbers, which would hit other responses.
constexpr std::array kBesideMedian = {0.0, 0.0123, -0.0123, 0.271, -0.271};
/// What a class without rows counts as, in rows.
constexpr double kRowsOfNoRows = 1e-4;

bool is_sane(double scale) {
  return scale > 0 && std::isfinite(scale);
}

double mean_size(const WeightedRows& rows, const Vector& values) {
  double size = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) size += rows.share(i) * std::abs(values[i]);
  return size;
}

/// Where log scales are likely to end up: at the logarithms of the response's spread and size, per
/// unit of the columns that the loss reads (exposures); shapes, dispersions and precisions, if the
/// response varies little or is far from 1, at those of its relative spread or inverse size.
Vector likely_logarithms(const WeightedRows& rows) {
  const Moments moments = weighted_moments(rows);
  Vector logarithms;
  for (const double scale : {moments.sd, moments.size}) {
    if (is_sane(scale)) logarithms.push_back(std::log(scale));
  }
  if (is_sane(moments.sd) && is_sane(moments.size)) {
    const double variation = std::log(moments.sd) - std::log(moments.size);
    if (variation < -kFar) {
      for (const double factor : {-2.0, -1.0, 1.0, 2.0}) logarithms.push_back(factor * variation);
    }
    if (std::abs(std::log(moments.size)) > kFar) logarithms.push_back(-std::log(moments.size));
  }
  const Vector own = logarithms;
  for (const Vector& column : rows.columns) {
    const double size = mean_size(rows, column);
    if (!is_sane(size) || size == 1) continue;
    for (const double logarithm : own) logarithms.push_back(logarithm - std::log(size));
  }
  return logarithms;
}

[[noreturn]] void refuse(const LossProgram& program, const WeightedRows& rows) {
  const std::string advice = advice_on_scale(rows);
  throw Error(fmt::format("the loss '{}' is not finite for any constant prediction; {}",
                          program.source().name,
                          advice.empty() ? "check the formula against the responses." : advice));
}

/// Mean losses at constants to choose from.
struct Candidates {
  const LossProgram& program;
  const WeightedRows& rows;
  const ConstantFit& fit;
  const Checkpoint& checkpoint;

  MeanLoss at(const Vector& f) const {
    if (checkpoint) checkpoint();
    return mean_loss_at(program, rows, f);
  }
  /// The rows' gradients in these outputs do not vanish beside the others', as those of a logit far
  /// out do: there would be no way back.
  bool is_alive(const Vector& f, const std::vector<std::size_t>& outputs) const {
    Vector sizes = rms_gradients(program, rows, f);
    for (std::size_t k = 0; k < sizes.size(); ++k) sizes[k] *= fit.scale[k];
    const double largest = *std::max_element(sizes.begin(), sizes.end());
    return std::any_of(outputs.begin(), outputs.end(),
                       [&](std::size_t k) { return sizes[k] > kVanished * largest; });
  }
};

/// Locations at the median or beside it, the others all alike.
Vector find_finite_start(const Candidates& candidates, const Vector& logarithms) {
  const ConstantFit& fit = candidates.fit;
  const double median = weighted_median(candidates.rows);
  Vector others = {0.0, median};
  others.insert(others.end(), kPlainStarts.begin(), kPlainStarts.end());
  for (const double logarithm : logarithms) {
    others.push_back(logarithm);
    others.push_back(-logarithm);
  }
  for (const double aside : kBesideMedian) {
    for (const double other : others) {
      Vector start;
      for (std::size_t k = 0; k < fit.scale.size(); ++k)
        start.push_back(fit.is_location[k] ? median + aside * fit.scale[k] : other);
      if (candidates.at(start).is_finite()) return start;
    }
  }
  refuse(candidates.program, candidates.rows);
}

/// The outputs that are no locations, the components of a vector together.
std::vector<std::vector<std::size_t>> scale_groups(const LossProgram& program,
                                                   const ConstantFit& fit) {
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < fit.is_location.size(); ++k) {
    const std::string& name = program.outputs()[k].name;
    if (!fit.is_location[k]) groups[name.substr(0, name.find('['))].push_back(k);
  }
  std::vector<std::vector<std::size_t>> result;
  for (auto& [name, members] : groups) result.push_back(std::move(members));
  return result;
}

/// Far from the answer gradients are huge, and with them what is taken for flat. The group that
/// gains most moves first.
Vector move_to_logarithms(const Candidates& candidates, const Vector& logarithms, Vector start) {
  const auto groups = scale_groups(candidates.program, candidates.fit);
  double least = candidates.at(start).loss;
  for (std::size_t round = 0; round < groups.size(); ++round) {
    Vector best;
    for (const auto& group : groups) {
      for (const double candidate : logarithms) {
        Vector there = start;
        for (const std::size_t k : group) there[k] = candidate;
        const MeanLoss at = candidates.at(there);
        if (!at.is_finite() || !(at.loss < least) || !candidates.is_alive(there, group)) continue;
        least = at.loss;
        best = std::move(there);
      }
    }
    if (best.empty()) break;
    start = std::move(best);
  }
  return start;
}

/// Far from 1, two of them may be good only together: a tiny mean and a huge precision.
Vector move_pairs_to_logarithms(const Candidates& candidates, const Vector& logarithms,
                                Vector start) {
  const auto is_far = [](double logarithm) { return std::abs(logarithm) > kVeryFar; };
  if (std::none_of(logarithms.begin(), logarithms.end(), is_far)) return start;
  const auto groups = scale_groups(candidates.program, candidates.fit);
  double least = candidates.at(start).loss;
  Vector best = start;
  for (std::size_t one = 0; one < groups.size(); ++one) {
    for (std::size_t other = one + 1; other < groups.size(); ++other) {
      for (const double first : logarithms) {
        for (const double second : logarithms) {
          Vector there = start;
          for (const std::size_t k : groups[one]) there[k] = first;
          for (const std::size_t k : groups[other]) there[k] = second;
          const MeanLoss at = candidates.at(there);
          if (!at.is_finite() || !(at.loss < least)) continue;
          if (!candidates.is_alive(there, groups[one]) ||
              !candidates.is_alive(there, groups[other]))
            continue;
          least = at.loss;
          best = std::move(there);
        }
      }
    }
  }
  return best;
}

/// log(share) of each class, of mean 0; a class without rows counts as a ten-thousandth of a row.
Vector log_shares(const WeightedRows& rows, std::size_t num_classes) {
  Vector shares(num_classes, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double place = rows.y[i];
    if (place >= 0 && place < static_cast<double>(num_classes))
      shares[static_cast<std::size_t>(place)] += rows.share(i);
  }
  double mean = 0;
  for (double& share : shares) {
    share = std::log(share > 0 ? share : kRowsOfNoRows / static_cast<double>(rows.size()));
    mean += share / static_cast<double>(num_classes);
  }
  for (double& share : shares) share -= mean;
  return shares;
}

}  // namespace

Vector find_start(const LossProgram& program, const WeightedRows& rows, const ConstantFit& fit,
                  const Checkpoint& checkpoint) {
  const Candidates candidates{program, rows, fit, checkpoint};
  const Vector logarithms = likely_logarithms(rows);
  Vector start = find_finite_start(candidates, logarithms);
  if (!program.uses_classes()) {
    start = move_to_logarithms(candidates, logarithms, std::move(start));
    return move_pairs_to_logarithms(candidates, logarithms, std::move(start));
  }
  Vector shares = log_shares(rows, start.size());
  const MeanLoss there = candidates.at(shares);
  return there.is_finite() && there.loss < candidates.at(start).loss ? shares : start;
}

std::string advice_on_scale(const WeightedRows& rows) {
  const Moments moments = weighted_moments(rows);
  const double scale = std::max(moments.sd, moments.size);
  if (scale > kLarge)
    return fmt::format("responses as large as {:.3g} are beyond its numbers: divide them.", scale);
  if (scale < 1 / kLarge && scale > 0)
    return fmt::format("responses as small as {:.3g} are beyond its numbers: multiply them.",
                       scale);
  return "";
}

}  // namespace softwood::loss
