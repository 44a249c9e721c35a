#include "train/linear/task_objective.h"

#include <cmath>
#include <limits>
#include <utility>

namespace softwood {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kDifference = 1e-4;  // of g, for curvatures
constexpr double kStraight = 1e-7;    // relative errors of a parabola's derivatives

}  // namespace

TaskObjective::TaskObjective(const Task& task, const Responses& responses, LearnedRows rows)
    : TaskObjective(task, rows, pick_responses(responses, rows.places)) {}

TaskObjective::TaskObjective(const Task& task, LearnedRows rows, Responses picked)
    : task_(task), rows_(std::move(rows)), responses_(std::move(picked)), losses_(num_rows()) {}

double TaskObjective::operator()(const MatrixXd& g, MatrixXd& slopes) {
  f_.resize(g.rows(), g.cols());
  slopes.resize(g.rows(), g.cols());
  const auto num_rows = static_cast<std::size_t>(g.rows());
  const auto num_outputs = static_cast<std::size_t>(g.cols());
  for (Index k = 0; k < g.cols(); ++k) {
    const auto output = static_cast<std::size_t>(k);
    f_.col(k) = task_.units.offset[output] + task_.units.unit[output] * g.col(k).array();
  }
  task_.program.value_and_gradient(responses_.view(), {f_.data(), num_outputs, num_rows},
                                   {losses_.data(), num_rows},
                                   {slopes.data(), num_outputs, num_rows});
  for (Index k = 0; k < g.cols(); ++k) {
    const double factor = task_.units.unit[static_cast<std::size_t>(k)] / task_.units.loss_scale;
    slopes.col(k).array() *= factor * rows_.shares.array();
  }
  const double loss = rows_.shares.dot(losses_) / task_.units.loss_scale;
  return std::isfinite(loss) && slopes.allFinite() ? loss : std::numeric_limits<double>::infinity();
}

MatrixXd TaskObjective::curvatures(const MatrixXd& g) {
  MatrixXd slopes, moved_slopes, moved = g, result(g.rows(), g.cols());
  (*this)(g, slopes);
  for (Index k = 0; k < g.cols(); ++k) {
    moved.col(k).array() += kDifference;
    (*this)(moved, moved_slopes);
    moved.col(k) = g.col(k);
    result.col(k) =
        (moved_slopes.col(k) - slopes.col(k)).array() / (kDifference * rows_.shares.array());
  }
  return result;
}

TaskObjective TaskObjective::sample(std::size_t count, std::vector<Index>& kept) const {
  count = std::min(count, rows_.size());
  LearnedRows rows;
  std::vector<std::uint32_t> places;
  kept.clear();
  for (std::size_t i = 0; i < count; ++i) {
    kept.push_back(static_cast<Index>(i * rows_.size() / count));
    places.push_back(static_cast<std::uint32_t>(kept.back()));
    rows.places.push_back(rows_.places[places.back()]);
  }
  rows.shares = rows_.shares(kept);
  rows.shares /= rows.shares.sum();
  return {task_, std::move(rows), pick_responses(responses_, places)};
}

Parabola find_parabola(TaskObjective& objective) {
  if (objective.num_outputs() != 1 || objective.num_rows() == 0) return {};
  const Eigen::ArrayXd shares = objective.rows().shares.array();
  MatrixXd slopes;
  const auto slopes_at = [&](double g) -> Eigen::ArrayXd {
    objective(MatrixXd::Constant(objective.num_rows(), 1, g), slopes);
    return slopes.col(0).array() / shares;
  };
  const Eigen::ArrayXd start = slopes_at(0);
  const double width = slopes_at(1)[0] - start[0];
  if (!(width > 0) || !std::isfinite(width)) return {};
  for (const double g : {1.0, -2.5, 7.0}) {
    const Eigen::ArrayXd expected = start + width * g;
    const double size = width * std::abs(g) + start.abs().maxCoeff();
    if (!((slopes_at(g) - expected).abs().maxCoeff() <= kStraight * size)) return {};
  }
  return {.width = width, .targets = -start / width};
}

}  // namespace softwood
