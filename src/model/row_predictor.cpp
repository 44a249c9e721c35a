#include "softwood/row_predictor.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "data/encoder/row_encoder.h"
#include "model/model_access.h"
#include "model/predict.h"
#include "softwood/error.h"
#include "task/raw_outputs.h"
#include "tree/predict.h"

namespace softwood {
namespace {

/// One task of one row: what its loss reads beside the outputs, and what it predicts.
struct RowTask {
  const Task& task;
  LossData data;                          // of one row: its spans stay where the row is copied to
  std::vector<double> values, of_member;  // as TaskPredictions, of one row
  std::vector<PredictedNumber> numbers;   // as users see them
};

}  // namespace

struct RowPredictor::State {
  Model model;  // what is borrowed below lives as long
  const ModelParts& parts;
  RowEncoder encoder;
  std::vector<Input> inputs;
  std::vector<std::string> names;
  std::vector<double> row;  // [inputs]
  std::vector<Predictor> predictors;
  std::vector<RowTask> tasks;
  std::vector<float> positions;   // [encoded columns]
  std::vector<double> f, linear;  // [outputs of all tasks]
  std::vector<double> answer;

  explicit State(const Model& of)
      : model(of), parts(ModelAccess::parts(model)), encoder(parts.encoder) {
    find_inputs();
    for (const Member& member : parts.members)
      predictors.emplace_back(member.ensemble, member.values, 1);
    for (const Task& task : parts.tasks) add_task(task);
    positions.resize(parts.encoder.columns().size());
    f.resize(parts.members[0].offset.size());
    linear.resize(f.size());
    answer.resize(names.size());
  }

  void find_inputs() {
    const auto kinds = model.read_as();
    for (const std::string& name : encoder.sources()) inputs.push_back({name, kinds.at(name).kind});
    for (const auto& [name, read_as] : kinds) {
      if (find(name) == inputs.size()) inputs.push_back({name, read_as.kind});
    }
    row.resize(inputs.size());
  }

  std::size_t find(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(inputs, name, &Input::name) - inputs.begin());
  }

  void add_task(const Task& task) {
    const std::string prefix = parts.tasks.size() == 1 ? "" : task.target + ".";
    RowTask& own = tasks.emplace_back(RowTask{task, {}, {}, {}, predicted_numbers(task, prefix)});
    for (const PredictedNumber& number : own.numbers) names.push_back(number.name);
    std::size_t size = 0;
    for (const auto& prediction : task.program.predictions()) size += prediction.size;
    own.values.resize(size);
    own.of_member.resize(size);
    own.data.columns.resize(task.program.columns().size());
    for (const std::size_t index : task.program.prediction_columns()) {
      const std::size_t input = find(task.program.columns()[index]);
      own.data.columns[index] = std::span(row).subspan(input, 1);
    }
  }

  /// Raw outputs of one member.
  void find_outputs(std::size_t index) {
    const Member& member = parts.members[index];
    predictors[index].predict(MatrixView<const float>(positions.data(), positions.size(), 1), 0, 1,
                              MatrixView<double>(f.data(), f.size(), 1));
    if (member.linear) member.linear->add_row(positions, linear, f);
    for (const Task& task : parts.tasks) {
      for (std::size_t k = 0; k < task.num_outputs(); ++k) {
        double& output = f[task.first_output + k];
        output = in_units(member.offset[task.first_output + k], task.units.unit[k], output);
      }
    }
  }

  /// Adds what one member predicts, or begins with it.
  void add_predictions(RowTask& own, bool first) {
    std::vector<double>& out = first ? own.values : own.of_member;
    own.task.program.predict(own.data,
                             {f.data() + own.task.first_output, own.task.num_outputs(), 1},
                             MatrixView<double>(out.data(), out.size(), 1));
    if (first) return;
    for (std::size_t i = 0; i < own.values.size(); ++i) own.values[i] += out[i];
  }

  std::span<const double> predict() {
    encoder.encode(std::span(row).first(encoder.sources().size()), positions);
    for (std::size_t member = 0; member < predictors.size(); ++member) {
      find_outputs(member);
      for (RowTask& own : tasks) add_predictions(own, member == 0);
    }
    std::size_t next = 0;
    for (const RowTask& own : tasks) {
      for (const PredictedNumber& number : own.numbers) {
        double value = own.values[number.row];
        if (predictors.size() > 1) value /= static_cast<double>(predictors.size());
        answer[next++] = number.is_complement ? 1 - value : value;
      }
    }
    return answer;
  }
};

RowPredictor::RowPredictor(const Model& model) : state_(std::make_unique<State>(model)) {}
RowPredictor::~RowPredictor() = default;
RowPredictor::RowPredictor(RowPredictor&&) noexcept = default;
RowPredictor& RowPredictor::operator=(RowPredictor&&) noexcept = default;

const std::vector<RowPredictor::Input>& RowPredictor::inputs() const {
  return state_->inputs;
}

double RowPredictor::level(std::string_view input, std::string_view text) const {
  const std::size_t place = state_->find(input);
  if (place == state_->inputs.size()) {
    std::vector<std::string> names;
    for (const Input& each : state_->inputs) names.push_back(each.name);
    throw Error(
        fmt::format("the model reads no column '{}'.{}", input, did_you_mean(input, names)));
  }
  return state_->encoder.level(place, text);
}

const std::vector<std::string>& RowPredictor::predictions() const {
  return state_->names;
}

std::span<const double> RowPredictor::predict(std::span<const double> row) {
  if (row.size() != state_->row.size()) {
    throw Error(fmt::format("the row has {} cells, but the model reads {} columns: see inputs().",
                            row.size(), state_->row.size()));
  }
  std::ranges::copy(row, state_->row.begin());
  return state_->predict();
}

}  // namespace softwood
