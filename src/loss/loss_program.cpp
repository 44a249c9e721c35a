#include "loss/loss_program.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "loss/evaluator.h"
#include "loss/expand.h"
#include "loss/gradient.h"
#include "loss/lowering.h"
#include "loss/parser.h"

namespace softwood {

using loss::NodeId;
using loss::Place;
using loss::Schedule;

LossData LossData::slice(std::size_t first, std::size_t count) const {
  LossData part{.y = y.empty() ? y : y.subspan(first, count), .columns = {}};
  for (const auto column : columns) {
    part.columns.push_back(column.empty() ? column : column.subspan(first, count));
  }
  return part;
}

struct LossProgram::Compiled {
  LossSource source;
  std::vector<Output> outputs;
  std::vector<std::string> columns;
  std::vector<std::size_t> prediction_columns;
  std::vector<Prediction> predictions;
  std::vector<std::string> requirements;
  bool uses_classes = false;
  Schedule value;        // loss
  Schedule gradient;     // loss, then one per output
  Schedule prediction;   // every component of every prediction
  Schedule requirement;  // 1 where the condition holds, else 0
};

namespace {

Schedule schedule(const loss::Graph& graph, const std::vector<NodeId>& roots) {
  loss::Graph expanded;
  const std::vector<NodeId> plain = loss::expand(graph, roots, expanded);
  return loss::make_schedule(expanded, plain);
}

std::vector<NodeId> with_gradient(loss::Lowered& lowered) {
  std::vector<NodeId> roots = append_gradient(lowered.graph, lowered.loss, lowered.outputs.size());
  roots.insert(roots.begin(), lowered.loss);
  return roots;
}

std::vector<NodeId> prediction_roots(const loss::Lowered& lowered) {
  std::vector<NodeId> roots;
  for (const auto& prediction : lowered.predictions) {
    roots.insert(roots.end(), prediction.components.begin(), prediction.components.end());
  }
  return roots;
}

std::vector<NodeId> requirement_roots(loss::Lowered& lowered) {
  std::vector<NodeId> roots;
  for (const auto& requirement : lowered.requirements) {
    roots.push_back(lowered.graph.select(requirement.condition, lowered.graph.constant(1),
                                         lowered.graph.constant(0)));
  }
  return roots;
}

}  // namespace

LossProgram LossProgram::compile(const LossSource& source, std::size_t num_classes) {
  const loss::Syntax syntax = loss::parse(source.text, source.name);
  loss::Lowered lowered = loss::lower(syntax, source, num_classes);
  auto compiled = std::make_shared<Compiled>();
  compiled->source = source;
  compiled->columns = lowered.columns;
  compiled->uses_classes = lowered.uses_classes;
  for (const auto& output : lowered.outputs)
    compiled->outputs.push_back({output.name, output.unit});
  for (const auto& prediction : lowered.predictions) {
    compiled->predictions.push_back({prediction.name, prediction.components.size()});
  }
  for (const auto& requirement : lowered.requirements) {
    compiled->requirements.push_back(requirement.source);
  }
  compiled->value = schedule(lowered.graph, {lowered.loss});
  compiled->prediction = schedule(lowered.graph, prediction_roots(lowered));
  compiled->requirement = schedule(lowered.graph, requirement_roots(lowered));
  compiled->gradient = schedule(lowered.graph, with_gradient(lowered));
  for (std::uint32_t k = 0; k < compiled->columns.size(); ++k) {
    if (compiled->prediction.reads(Place::Kind::column, k))
      compiled->prediction_columns.push_back(k);
  }
  LossProgram program;
  program.compiled_ = std::move(compiled);
  return program;
}

const LossSource& LossProgram::source() const {
  return compiled_->source;
}
const std::vector<LossProgram::Output>& LossProgram::outputs() const {
  return compiled_->outputs;
}
const std::vector<std::string>& LossProgram::columns() const {
  return compiled_->columns;
}
const std::vector<std::size_t>& LossProgram::prediction_columns() const {
  return compiled_->prediction_columns;
}
const std::vector<LossProgram::Prediction>& LossProgram::predictions() const {
  return compiled_->predictions;
}
bool LossProgram::uses_classes() const {
  return compiled_->uses_classes;
}

void LossProgram::value(const LossData& data, MatrixView<const double> f,
                        std::span<double> loss) const {
  assert(f.cols == data.num_rows() && loss.size() == f.cols && f.rows == outputs().size());
  double* const result = loss.data();
  loss::evaluate(compiled_->value, data, f, f.cols, true, {&result, 1});
}

void LossProgram::value_and_gradient(const LossData& data, MatrixView<const double> f,
                                     std::span<double> loss, MatrixView<double> gradient) const {
  assert(f.cols == data.num_rows() && loss.size() == f.cols && f.rows == outputs().size());
  assert(gradient.rows == f.rows && gradient.cols == f.cols);
  std::vector<double*> results{loss.data()};
  for (std::size_t k = 0; k < gradient.rows; ++k) results.push_back(gradient.row(k).data());
  loss::evaluate(compiled_->gradient, data, f, f.cols, true, results);
}

void LossProgram::predict(const LossData& data, MatrixView<const double> f,
                          MatrixView<double> out) const {
  assert(f.rows == outputs().size() && out.rows == compiled_->prediction.results.size());
  assert(out.cols == f.cols && data.columns.size() == columns().size());
  std::vector<double*> results;
  for (std::size_t k = 0; k < out.rows; ++k) results.push_back(out.row(k).data());
  loss::evaluate(compiled_->prediction, data, f, f.cols, false, results);
}

std::optional<LossProgram::RequireFailure> LossProgram::check(const LossData& data) const {
  const std::size_t count = compiled_->requirements.size();
  const std::size_t rows = data.num_rows();
  if (count == 0 || rows == 0) return std::nullopt;
  std::vector<double> holds(count * rows);
  std::vector<double*> results;
  for (std::size_t k = 0; k < count; ++k) results.push_back(holds.data() + k * rows);
  loss::evaluate(compiled_->requirement, data, {}, rows, false, results);
  for (std::size_t row = 0; row < rows; ++row) {
    if (std::isnan(data.y[row])) continue;
    for (std::size_t k = 0; k < count; ++k) {
      if (holds[k * rows + row] == 0) return RequireFailure{row, compiled_->requirements[k]};
    }
  }
  return std::nullopt;
}

}  // namespace softwood
