#include "step/parts.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "train/engine/loss_step.h"
#include "train/engine/optimizer.h"
#include "tree/batch.h"
#include "tree/kernels/curves.h"
#include "tree/kernels/kernels.h"

namespace softwood {
namespace {

using Times = std::map<std::string, double>;

/// The parts of SimdGroup::step, one by one.
class Parts {
 public:
  Parts(const Problem& problem, const PreparedGroup& group)
      : problem_(problem),
        group_(group),
        ensemble_(group.initial.ensemble),
        optimizer_(group),
        state_(initial_state(group)),
        values_(ensemble_.make_buffer()),
        gradients_(ensemble_.make_buffer()),
        batch_(ensemble_.shape(), group.settings.batch_size),
        loss_step_(group.tasks, problem.sides().training, group.settings.batch_size),
        used_columns_(ensemble_.shape().columns_in_use()),
        sums_(ensemble_.shape().num_outputs * group.settings.batch_size),
        output_gradients_(sums_.size()) {
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle)
      memories_.emplace_back(ensemble_, bundle, group.settings.batch_size);
    curves();
  }

  Times measure() {
    Times least;
    for (int round = 0; round < 30; ++round) {
      next_batch(static_cast<std::size_t>(round));
      for (const auto& [name, seconds] : one_round()) {
        const auto [place, is_new] = least.emplace(name, seconds);
        if (!is_new) place->second = std::min(place->second, seconds);
      }
    }
    return least;
  }

 private:
  std::size_t num_bundles() const { return ensemble_.shape().bundles.size(); }

  Times one_round() {
    Times times;
    const auto time = [&](const char* name, auto work) {
      const auto start = std::chrono::steady_clock::now();
      work();
      times[name] +=
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    time("load", [&] { load(); });
    time("forward", [&] { forward_all(); });
    time("loss", [&] { loss_step_.evaluate(sums(), 0, batch_.num_rows(), output_gradients()); });
    const Optimizer::Step step = optimizer_.step_after(state_.steps_done);
    for (const Optimizer::Family& family : optimizer_.families()) {
      time("backward", [&] { for_bundles(family, [&](std::size_t i) { backward_of(i); }); });
      time("update", [&] { optimizer_.update(family, step, gradients_, state_, values_); });
    }
    ++state_.steps_done;
    return times;
  }

  template <class Work>
  static void for_bundles(const Optimizer::Family& family, const Work& work) {
    for (std::size_t i = 0; i < family.count; ++i) work(family.first + i);
  }

  void next_batch(std::size_t round) {
    const std::size_t count = std::min(group_.settings.batch_size, problem_.order().size());
    const std::size_t first = round * count % (problem_.order().size() - count + 1);
    rows_ = std::span(problem_.order()).subspan(first, count);
    table_rows_.clear();
    for (const std::uint32_t row : rows_)
      table_rows_.push_back(problem_.sides().training.rows[row]);
  }

  void load() {
    batch_.resize(rows_.size());
    loss_step_.load(rows_);
    for (const std::size_t column : used_columns_)
      batch_.load_column(column, problem_.sides().training.positions, table_rows_, true);
  }

  void forward_all() {
    const MatrixView<double> all = sums();
    std::fill(sums_.begin(), sums_.end(), 0.0);
    for (std::size_t index = 0; index < num_bundles(); ++index) {
      const Bundle& bundle = ensemble_.shape().bundles[index];
      out_.resize(bundle.num_outputs * batch_.num_rows());
      const MatrixView<float> out(out_.data(), bundle.num_outputs, batch_.num_rows());
      forward(ensemble_, index, values_, batch_, memories_[index], out);
      for (std::size_t k = 0; k < bundle.num_outputs; ++k)
        for (std::size_t row = 0; row < batch_.num_rows(); ++row)
          all(bundle.first_output + k, row) += out(k, row);
    }
  }

  void backward_of(std::size_t index) {
    const Bundle& bundle = ensemble_.shape().bundles[index];
    const MatrixView<const float> mine(
        output_gradients_.data() + bundle.first_output * batch_.num_rows(), bundle.num_outputs,
        batch_.num_rows());
    backward(ensemble_, index, values_, batch_, memories_[index], mine, gradients_);
  }

  void curves() {
    for (std::size_t bundle = 0; bundle < num_bundles(); ++bundle)
      curves_from_parameters(ensemble_, bundle, state_.parameters, values_);
  }

  MatrixView<double> sums() {
    return {sums_.data(), ensemble_.shape().num_outputs, batch_.num_rows()};
  }
  MatrixView<float> output_gradients() {
    return {output_gradients_.data(), ensemble_.shape().num_outputs, batch_.num_rows()};
  }

  const Problem& problem_;
  const PreparedGroup& group_;
  const Ensemble& ensemble_;
  const Optimizer optimizer_;
  DescentState state_;
  AlignedVector<float> values_, gradients_;
  Batch batch_;
  LossStep loss_step_;
  std::vector<std::size_t> used_columns_;
  std::vector<double> sums_;
  std::vector<float> output_gradients_, out_;
  std::vector<BundleMemory> memories_;
  std::span<const std::uint32_t> rows_;
  std::vector<std::uint32_t> table_rows_;
};

/// The same trees on the first of their columns: what is left is routing.
PreparedGroup on_one_column(const PreparedGroup& group) {
  EnsembleShape shape = group.initial.ensemble.shape();
  for (Bundle& bundle : shape.bundles) bundle.columns.resize(1);
  PreparedGroup bare = group;
  bare.initial.ensemble = Ensemble(std::move(shape));
  bare.initial.parameters = bare.initial.ensemble.make_buffer();
  return bare;
}

}  // namespace

nlohmann::json parts_of_step(const Problem& problem) {
  Times total;
  for (const PreparedGroup& group : problem.groups()) {
    const PreparedGroup bare = on_one_column(group);
    const Times times = Parts(problem, group).measure(), few = Parts(problem, bare).measure();
    for (const char* name : {"load", "loss", "update"}) total[name] += times.at(name);
    const double routing = few.at("forward"), way_back = few.at("backward");
    total["routing"] += routing + way_back;
    total["scores"] += std::max(0.0, times.at("forward") - routing);
    total["gradients"] += std::max(0.0, times.at("backward") - way_back);
  }
  return total;
}

}  // namespace softwood
