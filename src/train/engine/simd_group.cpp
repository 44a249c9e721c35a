#include "train/engine/simd_group.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <hwy/cache_control.h>

#include "base/even_parts.h"
#include "train/engine/not_finite.h"
#include "train/engine/step_cost.h"
#include "tree/kernels/curves.h"
#include "tree/tree_sums.h"

namespace softwood {
namespace {

/// Asks for all of it in a stream. Look-ups would come upon it in any order, and wait for each line
/// that trees of other tasks have driven from the cache.
void fetch(std::span<const float> values) {
  constexpr std::size_t kLine = 64 / sizeof(float);
  for (std::size_t at = 0; at < values.size(); at += kLine) hwy::Prefetch(&values[at]);
}
/// Of a batch that is loaded by rows: what a thread takes at a time.
constexpr std::size_t kRowsPerPiece = 64;

}  // namespace

SimdGroup::SimdGroup(const EngineGroup& group, int threads, Reducer& reducer)
    : group_(*group.group),
      training_(*group.training),
      validation_(*group.validation),
      ensemble_(group_.initial.ensemble),
      optimizer_(group_),
      reducer_(reducer),
      team_(useful_threads(threads, ensemble_, group_.settings.batch_size)),
      state_(initial_state(group_)),
      values_(ensemble_.make_buffer()),
      batch_(ensemble_.shape(), group_.settings.batch_size),
      loss_step_(group_.tasks, training_, group_.settings.batch_size),
      used_columns_(ensemble_.shape().columns_in_use()),
      sums_(ensemble_.shape().num_outputs * group_.settings.batch_size),
      output_gradients_(sums_.size()),
      gradients_(ensemble_.make_buffer()),
      averaged_values_(ensemble_.make_buffer()) {
  for (std::size_t bundle = 0; bundle < ensemble_.shape().bundles.size(); ++bundle) {
    memories_.emplace_back(ensemble_, bundle, group_.settings.batch_size);
    bundle_sums_.emplace_back(ensemble_.shape().bundles[bundle].num_outputs *
                              group_.settings.batch_size);
    find_curves(bundle);
  }
}

void SimdGroup::set_state(DescentState state) {
  state_ = std::move(state);
  for (std::size_t bundle = 0; bundle < memories_.size(); ++bundle) find_curves(bundle);
}

void SimdGroup::find_curves(std::size_t bundle) {
  curves_from_parameters(ensemble_, bundle, state_.parameters, values_);
}

void SimdGroup::run(const GroupBatches& batches, const std::function<bool()>& go_on) {
  for (std::size_t batch = batches.first; batch < batches.first + batches.count; ++batch) {
    const auto [begin, end] =
        even_part(batches.rows.size(), batch, group_.settings.steps_per_epoch);
    step(batches.rows.subspan(begin, end - begin));
    if (const auto trouble = loss_step_.add_losses(state_.losses))
      throw_not_finite(batches.epoch, batch + 1, *trouble);
    if (!go_on()) return;
  }
  if (batches.then_validate) validate();
}

void SimdGroup::step(std::span<const std::uint32_t> rows) {
  load(rows);
  forward();
  reducer_.add_outputs(sums());
  evaluate_loss();
  Optimizer::Step step = optimizer_.step_after(state_.steps_done);
  const std::span<const Optimizer::Family> families = optimizer_.families();
  team_.for_each(families.size(), [&](std::size_t index) {
    const Optimizer::Family& family = families[index];
    backward(family);
    reducer_.add_gradients(std::span(gradients_).subspan(family.begin, family.end - family.begin));
    // At once, while the gradients are in the cache, unless their norm is to be known first.
    if (!optimizer_.clips()) optimizer_.update(family, step, gradients_, state_, values_);
  });
  if (optimizer_.clips()) {
    optimizer_.clip(gradient_norm(), step);
    team_.for_each(families.size(), [&](std::size_t index) {
      optimizer_.update(families[index], step, gradients_, state_, values_);
    });
  }
  ++state_.steps_done;
}

void SimdGroup::load(std::span<const std::uint32_t> rows) {
  batch_.resize(rows.size());
  table_rows_.resize(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) table_rows_[row] = training_.rows[rows[row]];
  // The responses are one more piece of work beside the columns, and rows if they are wanted.
  const std::size_t row_pieces =
      batch_.by_row() ? round_up(rows.size(), kRowsPerPiece) / kRowsPerPiece : 0;
  team_.for_each(used_columns_.size() + 1 + row_pieces, [&](std::size_t piece) {
    if (piece == 0) {
      loss_step_.load(rows);
    } else if (piece > used_columns_.size()) {
      const std::size_t begin = (piece - 1 - used_columns_.size()) * kRowsPerPiece;
      batch_.load_rows(used_columns_, training_.positions, table_rows_, begin,
                       std::min(begin + kRowsPerPiece, rows.size()));
    } else {
      batch_.load_column(used_columns_[piece - 1], training_.positions, table_rows_,
                         /*sorted=*/true);
    }
  });
}

void SimdGroup::forward() {
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    fetch(std::span<const float>(values_).subspan(
        ensemble_.layout(bundle).begin(),
        ensemble_.layout(bundle).end() - ensemble_.layout(bundle).begin()));
    const std::size_t num_outputs = ensemble_.shape().bundles[bundle].num_outputs;
    softwood::forward(ensemble_, bundle, values_, batch_, memories_[bundle],
                      {bundle_sums_[bundle].data(), num_outputs, batch_.num_rows()});
  });
  add_up_bundles();
}

/// In their order, whoever computed them.
void SimdGroup::add_up_bundles() {
  const std::size_t num_rows = batch_.num_rows();
  const MatrixView<double> all = sums();
  share_rows([&](std::size_t begin, std::size_t end) {
    for (std::size_t output = 0; output < all.rows; ++output) {
      std::fill(&all(output, begin), &all(output, begin) + (end - begin), 0.0);
    }
    for (std::size_t index = 0; index < bundle_sums_.size(); ++index) {
      const Bundle& bundle = ensemble_.shape().bundles[index];
      for (std::size_t output = 0; output < bundle.num_outputs; ++output) {
        const float* from = bundle_sums_[index].data() + output * num_rows;
        double* to = &all(bundle.first_output + output, 0);
        for (std::size_t row = begin; row < end; ++row) to[row] += from[row];
      }
    }
  });
}

void SimdGroup::evaluate_loss() {
  const MatrixView<float> gradients(output_gradients_.data(), ensemble_.shape().num_outputs,
                                    batch_.num_rows());
  share_rows([&](std::size_t begin, std::size_t end) {
    loss_step_.evaluate(sums(), begin, end, gradients);
  });
}

void SimdGroup::share_rows(const std::function<void(std::size_t begin, std::size_t end)>& work) {
  const auto num_parts = static_cast<std::size_t>(team_.size());
  team_.for_each(num_parts, [&](std::size_t part) {
    const auto [begin, end] = even_part(batch_.num_rows(), part, num_parts);
    if (begin < end) work(begin, end);
  });
}

void SimdGroup::backward(const Optimizer::Family& family) {
  const std::size_t num_rows = batch_.num_rows();
  for (std::size_t index = family.first; index < family.first + family.count; ++index) {
    const Bundle& bundle = ensemble_.shape().bundles[index];
    const MatrixView<const float> output_gradients(
        output_gradients_.data() + bundle.first_output * num_rows, bundle.num_outputs, num_rows);
    softwood::backward(ensemble_, index, values_, batch_, memories_[index], output_gradients,
                       gradients_);
    if (optimizer_.clips()) gradients_of_parameters(ensemble_, index, gradients_);
  }
}

double SimdGroup::gradient_norm() {
  double squares = 0;
  for (const float gradient : gradients_) squares += static_cast<double>(gradient) * gradient;
  return std::sqrt(reducer_.add_squares(squares));
}

void SimdGroup::validate() {
  const AlignedVector<float>& source =
      group_.settings.average > 0 ? state_.averages : state_.parameters;
  team_.for_each(memories_.size(), [&](std::size_t bundle) {
    curves_from_parameters(ensemble_, bundle, source, averaged_values_);
  });
  if (validation_.size() == 0) return;
  scores_ = tree_sums(ensemble_, averaged_values_, validation_.chosen(), team_);
}

std::vector<double> SimdGroup::take_training_losses() {
  return take_means(state_.losses);
}

}  // namespace softwood
