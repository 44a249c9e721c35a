#include "train/engine/loss_step.h"

#include <cmath>

#include <fmt/format.h>

#include "task/raw_outputs.h"

namespace softwood {
namespace {

/// A NaN's sign means nothing to people.
double unsigned_nan(double value) {
  return std::isnan(value) ? std::abs(value) : value;
}

}  // namespace

LossStep::LossStep(const Tasks& tasks, const Examples& examples, std::size_t max_rows)
    : tasks_(tasks), examples_(examples), capacity_(max_rows), weights_(max_rows, 1.0) {
  std::size_t num_outputs = 0;
  for (const Task& task : tasks) {
    Responses& responses = batch_.emplace_back();
    responses.y.resize(max_rows);
    responses.columns.assign(task.program.columns().size(), std::vector<double>(max_rows));
    losses_.emplace_back(max_rows);
    num_outputs += task.num_outputs();
  }
  raw_.resize(num_outputs * max_rows);
  raw_gradients_.resize(num_outputs * max_rows);
  if (!examples.base.empty()) base_.resize(num_outputs * max_rows);
}

void LossStep::load(std::span<const std::uint32_t> rows) {
  num_rows_ = rows.size();
  batch_rows_.assign(rows.begin(), rows.end());
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    const Responses& from = examples_.responses[tasks_[task].index_in_model];
    for (std::size_t row = 0; row < num_rows_; ++row) batch_[task].y[row] = from.y[rows[row]];
    for (std::size_t column = 0; column < from.columns.size(); ++column) {
      for (std::size_t row = 0; row < num_rows_; ++row) {
        batch_[task].columns[column][row] = from.columns[column][rows[row]];
      }
    }
  }
  if (!base_.empty()) load_base(rows);
  if (examples_.weights.empty()) return;
  for (std::size_t row = 0; row < num_rows_; ++row) weights_[row] = examples_.weights[rows[row]];
}

void LossStep::load_base(std::span<const std::uint32_t> rows) {
  for (const Task& task : tasks_) {
    const std::vector<double>& from = examples_.base[task.index_in_model];
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      double* const to = base_.data() + (task.first_output + output) * capacity_;
      for (std::size_t row = 0; row < num_rows_; ++row)
        to[row] = from[output * examples_.size() + rows[row]];
    }
  }
}

template <class T>
void LossStep::evaluate_all(MatrixView<const double> sums, std::size_t begin, std::size_t end,
                            MatrixView<T> gradients) {
  const std::size_t count = end - begin;
  for (std::size_t index = 0; index < tasks_.size(); ++index) {
    const Task& task = tasks_[index];
    const std::size_t first = task.first_output;
    double* raw = raw_.data() + first * capacity_ + begin;
    double* raw_gradients = raw_gradients_.data() + first * capacity_ + begin;
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      const double offset = task.units.offset[output];
      const double unit = task.units.unit[output];
      const double* from = &sums(first + output, 0) + begin;
      const double* base =
          base_.empty() ? nullptr : base_.data() + (first + output) * capacity_ + begin;
      for (std::size_t row = 0; row < count; ++row) {
        const double g = base == nullptr ? from[row] : from[row] + base[row];
        raw[output * capacity_ + row] = in_units(offset, unit, g);
      }
    }
    task.program.value_and_gradient(batch_[index].view().slice(begin, count),
                                    {raw, task.num_outputs(), count, capacity_},
                                    std::span(losses_[index]).subspan(begin, count),
                                    {raw_gradients, task.num_outputs(), count, capacity_});
    const double scale = task.weight / (task.units.loss_scale * static_cast<double>(num_rows_));
    for (std::size_t output = 0; output < task.num_outputs(); ++output) {
      const double factor = scale * task.units.unit[output];
      T* to = &gradients(first + output, 0) + begin;
      for (std::size_t row = 0; row < count; ++row) {
        to[row] = static_cast<T>(factor * weights_[begin + row] *
                                 raw_gradients[output * capacity_ + row]);
      }
    }
  }
}

void LossStep::evaluate(MatrixView<const double> sums, std::size_t begin, std::size_t end,
                        MatrixView<float> gradients) {
  evaluate_all(sums, begin, end, gradients);
}

void LossStep::evaluate(MatrixView<const double> sums, std::size_t begin, std::size_t end,
                        MatrixView<double> gradients) {
  evaluate_all(sums, begin, end, gradients);
}

std::optional<std::string> LossStep::add_losses(std::span<MeanLoss> totals) const {
  for (std::size_t task = 0; task < tasks_.size(); ++task) {
    if (auto trouble = find_trouble(task)) return trouble;
    MeanLoss batch;
    batch.add(std::span(batch_[task].y).first(num_rows_), losses_[task], weights_);
    totals[task].add(batch);
  }
  return std::nullopt;
}

/// The first row whose loss or gradient is not finite, in words.
std::optional<std::string> LossStep::find_trouble(std::size_t index) const {
  const Task& task = tasks_[index];
  for (std::size_t output = 0; output < task.num_outputs(); ++output) {
    const std::size_t at = (task.first_output + output) * capacity_;
    for (std::size_t row = 0; row < num_rows_; ++row) {
      const double gradient = raw_gradients_[at + row];
      if (std::isfinite(gradient) && std::isfinite(losses_[index][row])) continue;
      return fmt::format(
          "the loss '{}' of '{}' is {} with gradient {} in output '{}' = {}, for {} = {}",
          task.program.source().name, task.target, unsigned_nan(losses_[index][row]),
          unsigned_nan(gradient), task.program.outputs()[output].name, unsigned_nan(raw_[at + row]),
          task.target, batch_[index].y[row]);
    }
  }
  return std::nullopt;
}

}  // namespace softwood
